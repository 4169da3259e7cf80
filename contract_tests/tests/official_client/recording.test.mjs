// A session of the official client is recorded from a service with other records, by a mock in between;
// a mock with nothing but the recording then gives the same values. Secrets are nowhere afterwards.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, test} from 'node:test';

import DodoPayments from 'dodopayments';

import {mock_server, start_mock} from '../../../scripts/lib/programs.mjs';

const licence_key = 'ZORA-7Q2M-PLANTED-KEY';
const planted = {
  bearer: 'dodo_test_planted_bearer_4711',
  basic: Buffer.from('mira:planted-basic-pass').toString('base64'),
  basic_password: 'planted-basic-pass',
  cookie: 'planted-cookie-value',
  licence_key,
  password: 'planted "pass" word',
  password_in_json: JSON.stringify('planted "pass" word').slice(1, -1),
  mail: 'zora@planted-mail.example',
  late: 'planted-before-it-is-known',
};

const customer = {
  business_id: 'bus_Ky9Pf34qY6Nb3wWD25RQ4',
  created_at: '2031-01-02T03:04:05.678901Z',
  customer_id: 'cus_zora',
  email: planted.mail,
  name: 'Zora the Other',
  metadata: {note: 'of the other fixtures'},
};
const licence = {license_key: licence_key, status: 'active', instances: {lki_zora: {name: 'Z', created_at: '2031-01-02T03:04:05Z'}}};

let folder, service, results, shown, logged;

// Calls all five operations; gives what the client's user sees.
async function session(url) {
  const client = new DodoPayments({baseURL: url, bearerToken: planted.bearer, logLevel: 'off', maxRetries: 0});
  const seen = [];
  const note = async (promise) => seen.push(await promise.then(
      (value) => JSON.parse(JSON.stringify(value)), (error) => ({status: error.status, code: error.error.code})));
  await note(client.customers.retrieve('cus_zora'));
  await note(client.customers.retrieve('cus_nobody'));
  await note(client.brands.update('brnd_F5ZR3qa7yEeeby3abP3E2', {name: 'Recorded'}));
  await note(client.brands.update('brnd_F5ZR3qa7yEeeby3abP3E2', {}));
  await note(client.brands.update('bus_Ky9Pf34qY6Nb3wWD25RQ4', {name: 'Mine'}));
  for (let page_number = 0; page_number < 4; page_number += 1)
    await note(client.subscriptions.retrieveUsageHistory('sub_QYNdaKy8isWydfhl3Tvtn', {page_number, page_size: 100}));
  for (const license_key_instance_id of [undefined, 'lki_zora', 'lki_unknown'])
    await note(client.licenses.validate({license_key: licence_key, license_key_instance_id}));
  const invoice = await client.invoices.payments.retrieve('pay_dr0UwfMpf5rg7wOojmCUu');
  seen.push([invoice.status, invoice.headers.get('content-type'), (await invoice.text()).slice(0, 5)]);
  return seen;
}

// Requests with secrets in every place; the last one tells that an earlier value was a secret.
async function send_secrets(url) {
  const json = {'Content-Type': 'application/json'};
  const requests = [
    [`/customers/cus_zora?note=${planted.late}`, {headers: {Authorization: `Bearer ${planted.bearer}`}}],
    ['/customers/cus_zora', {headers: {Authorization: `Basic ${planted.basic}`, Cookie: `s=${planted.cookie}`}}],
    [`/licenses/${licence_key}`, {}],
    [`/licenses?license_key=${licence_key}`, {}],
    ['/licenses/validate', {method: 'POST', headers: json, body: JSON.stringify({license_key: licence_key})}],
    ['/login', {method: 'POST', headers: json, body: JSON.stringify({user: planted.mail, password: planted.password})}],
    ['/broken', {method: 'POST', headers: json, body: `{"password": "${planted.password_in_json}`}],
    ['/customers/cus_zora', {headers: {Authorization: `Bearer ${planted.late}`}}],
    [`/customers/cus_zora`, {headers: {Authorization: `Bearer ${planted.bearer}`, Prefer: 'mock'}}],
  ];
  for (const [target, init] of requests)
    await (await fetch(url + target, init)).arrayBuffer();
}

const files_of = (into) => readdirSync(into, {recursive: true})
    .map((name) => path.join(into, name)).filter((name) => statSync(name).isFile());
const everything = (into) => files_of(into).map((name) => readFileSync(name, 'utf8')).join('\n');
const without_mail = (value) => JSON.parse(JSON.stringify(value).replaceAll(/[^"\s]+@[\w.-]+/g, 'MAIL'));

before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-'));
  const own = path.join(folder, 'recording');
  const records = mkdtempSync(path.join(folder, 'other-'));
  writeFileSync(path.join(records, 'customers.json'), JSON.stringify({cus_zora: customer}));
  writeFileSync(path.join(records, 'licences.json'), JSON.stringify({[licence_key]: licence}));
  service = await start_mock('--fixtures', records);
  const recorder = await start_mock('--upstream', service.url, '--mode', 'record', '--record-into', own,
                                    '--record-redact', 'license_key');
  results = await session(recorder.url);
  await send_secrets(recorder.url);
  shown = '';
  for (const target of ['/_mock/requests?limit=1000', '/_mock/requests/export?format=har'])
    shown += await (await fetch(recorder.url + target)).text();
  await recorder.stop();
  logged = recorder.errors();
});
after(async () => {
  await service?.stop();
  rmSync(folder, {recursive: true});
});

// What the session sees of a mock that has the recording alone.
async function replayed(recording) {
  const replay = await start_mock('--no-default-fixtures', '--fixtures', recording, '--scenario', 'recorded');
  try {
    return await session(replay.url);
  } finally {
    await replay.stop();
  }
}

test('a mock with the recording alone gives the same values', async () => {
  assert.deepEqual(without_mail(await replayed(path.join(folder, 'recording'))), without_mail(results));
});

test('after kill -9 every answered call is there, and the fixtures are made of the lines', async () => {
  const own = path.join(folder, 'killed');
  const lines = path.join(own, 'calls.jsonl');
  const recorder = await start_mock('--upstream', service.url, '--mode', 'record', '--record-into', own,
                                    '--record-redact', 'license_key');
  const seen = await session(recorder.url);
  await recorder.stop('SIGKILL');
  assert.equal(readFileSync(lines, 'utf8').trimEnd().split('\n').map(JSON.parse).length, 13);
  assert.ok(!files_of(own).some((name) => name.endsWith('customers.json')));

  const done = spawnSync(mock_server, ['record', '--from', lines, '--into', own], {encoding: 'utf8', timeout: 60000});
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(without_mail(await replayed(own)), without_mail(seen));
});

test('no secret is on the disk, in the HAR, the journal or the log', () => {
  const disk = everything(path.join(folder, 'recording'));
  for (const [name, secret] of Object.entries(planted)) {
    assert.ok(!disk.includes(secret), `${name} is on the disk`);
    assert.ok(!disk.includes(encodeURIComponent(secret)), `${name} is on the disk, encoded`);
    assert.ok(!shown.includes(secret), `${name} is in the journal`);
    assert.ok(name === 'late' || !logged.includes(secret), `${name} is in the log`);
  }
  assert.match(logged, /GET \/licenses\/redacted-[0-9a-f]{12} /);
  assert.match(disk, /redacted-[0-9a-f]{12}/);
  assert.match(shown, /redacted-[0-9a-f]{12}/);
  assert.match(shown, /Zora the Other/);
});
