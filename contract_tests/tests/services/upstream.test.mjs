// Prism and Steady play the service behind the mock: what the mock passes on is what they send, a recording
// of them gives the same values without them, and the mock fills in where they are lacking.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';

import {start_mock} from '../../../scripts/lib/programs.mjs';
import {with_service} from './harness.mjs';
import prism from './prism/service.mjs';
import steady from './steady/service.mjs';

const token = {Authorization: 'Bearer dodo_test_stand_in'};
const json = {'Content-Type': 'application/json'};
const customer = '/customers/cus_L9xVQ2zg4mZaouqKLiMcV';
const invoice = '/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu';
const usage = '/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=2';

// Every operation, and calls that a service rejects. A stand-in changes nothing, so the brand gets the name that
// it has.
const operations = ['invoice', 'brand', 'usage', 'customer', 'licence'];
const calls = {
  invoice: ['GET', invoice],
  brand: ['PATCH', '/brands/brnd_F5ZR3qa7yEeeby3abP3E2', {...token, ...json}, '{"name": "Marigold Maps"}'],
  usage: ['GET', usage, token],
  customer: ['GET', customer, token],
  licence: ['POST', '/licenses/validate', json, '{"license_key": "PRO-4F7K-9QXM-2WTR-8HVD"}'],
  wrong_type: ['POST', '/licenses/validate', json, '{"license_key": 1}'],
  no_operation: ['GET', '/unknown', token],
  wrong_method: ['DELETE', customer, token],
};

// Fields of one connection, and of one moment; which body they frame is compared by its bytes.
const of_connection = /^(connection|keep-alive|transfer-encoding|content-length|date)$/;

// Resolves to {status, fields, ours, body}: the fields of the service as sorted lines, those of the mock by name.
function call(url, [method, target, headers, body]) {
  return new Promise((resolve, reject) => {
    const request = http.request(url + target, {method, headers: {Host: 'service.example', ...headers}, agent: false});
    request.once('error', reject).once('response', async (response) => {
      const fields = [];
      const ours = {};
      for (let at = 0; at < response.rawHeaders.length; at += 2) {
        const name = response.rawHeaders[at].toLowerCase();
        if (name.startsWith('x-counterpart-')) {
          ours[name.slice('x-counterpart-'.length)] = response.rawHeaders[at + 1];
        } else if (!of_connection.test(name)) {
          fields.push(`${name}: ${response.rawHeaders[at + 1]}`);
        }
      }
      const bytes = Buffer.concat(await response.toArray());
      resolve({status: response.statusCode, fields: fields.sort(), ours, body: bytes.toString('latin1')});
    });
    request.end(body);
  });
}

async function call_all(url) {
  const seen = {};
  for (const [name, one] of Object.entries(calls)) {
    seen[name] = await call(url, one);
  }
  return seen;
}

// What the reader of a response takes from it; a mail address is replaced in a recording.
const value_of = ({status, body}) => {
  const text = body.replaceAll(/[^"\s]+@[\w.-]+/g, 'MAIL');
  return {status, value: /^[[{]/.test(text) ? JSON.parse(text) : text};
};

// What is said of the stand-in's calls; nothing of those that are not here.
const no_operation = /^1; request: the contract has no such operation$/;
const stand_ins = [
  {
    service: prism,
    violations: {
      invoice: /^1; response: .* media type: must be application\/json, but is application\/problem\+json/,
      wrong_type: /^1; request: body\/license_key: must be a string, but is 1$/,
      no_operation,
      wrong_method: no_operation,
    },
    played: operations,
    filled: {invoice: 'the service responded 500'},
  },
  {
    service: steady,
    violations: {
      wrong_type: /^3; request: body\/license_key: must be a string, but is 1$/,
      no_operation,
      wrong_method: no_operation,
    },
    played: operations.filter((name) => name !== 'invoice'),  // bytes of application/pdf are in no recording
    filled: {wrong_type: 'the service responded 400'},
  },
];

const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-stand-ins-'));
after(() => rmSync(folder, {recursive: true}));

// Calls everything through a mock with these flags, which is stopped then.
async function call_all_of_mock(...flags) {
  const mock = await start_mock('--quiet', ...flags);
  try {
    return await call_all(mock.url);
  } finally {
    await mock.stop();
  }
}

const without_ours = (seen) =>
    Object.fromEntries(Object.entries(seen).map(([name, {ours, ...response}]) => [name, response]));
const values_of = (seen, names) => Object.fromEntries(names.map((name) => [name, value_of(seen[name])]));

async function observe(url, violations) {
  const seen = await call_all_of_mock('--upstream', url);

  assert.deepEqual(without_ours(seen), without_ours(await call_all(url)));
  for (const [name, {ours}] of Object.entries(seen)) {
    assert.equal(ours['served-by'], 'upstream', name);
    assert.match(ours.violations ?? 'none', violations[name] ?? /^none$/, name);
  }
}

async function record_and_play(url, into, played) {
  const seen = await call_all_of_mock('--upstream', url, '--mode', 'record', '--record-into', into,
                                      '--record-keep-violating');

  assert.deepEqual(without_ours(seen), without_ours(await call_all(url)));
  const again = await call_all_of_mock('--no-default-fixtures', '--fixtures', into, '--scenario', 'recorded');
  assert.deepEqual(values_of(again, played), values_of(seen, played));
}

async function fill(url, filled) {
  const own = await call_all_of_mock();
  const seen = await call_all_of_mock('--upstream', url, '--mode', 'fill', '--fill-on', '400,500');

  const direct = await call_all(url);
  for (const [name, {ours, ...response}] of Object.entries(seen)) {
    if (name in filled) {
      assert.equal(ours['served-by'], `mock; ${filled[name]}`, name);
      assert.deepEqual(value_of(response), value_of(own[name]), name);
    } else {
      assert.equal(ours['served-by'], 'upstream', name);
      assert.deepEqual(response, without_ours(direct)[name], name);
    }
  }
}

for (const {service, violations, played, filled} of stand_ins) {
  test(`${service.name} behind the mock`, (context) => with_service(service, async ({url}) => {
    await context.test('comes through as it is, and what violates the contract is said',
                       () => observe(url, violations));
    await context.test('gives the same values from a recording alone',
                       () => record_and_play(url, path.join(folder, service.name), played));
    await context.test('is filled in where it fails', () => fill(url, filled));
  }));
}
