// Builds the image twice, and runs it as a container runtime would.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, describe, test} from 'node:test';

import {build, build_image, close_images, Container, open_image, root, work} from './image.mjs';

const kMebibyte = 1024 * 1024;
const kToken = {Authorization: 'Bearer dodo_test_image'};

let built;
let image;

before(() => {
  built = build_image('first');
  image = open_image(built.archive);
});

after(close_images);

async function until(what, is_done, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await is_done()) {
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`not within ${seconds} s: ${what}`);
}

function contract(title, version) {
  return `openapi: 3.1.0
info: {title: ${title}, version: '${version}'}
paths:
  /version:
    get:
      responses:
        '200':
          description: The version.
          content: {application/json: {example: {version: '${version}'}}}
`;
}

describe('the image', () => {
  test('is the same, byte for byte, when it is built again elsewhere', () => {
    const again = build_image('second', {
      umask: '077', cwd: '/', environment: {TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8', HOME: work}});

    assert.equal(again.digest, built.digest);
    assert.deepEqual(readFileSync(again.archive), readFileSync(built.archive));
  });

  test('has at most 70 MiB, and its archive at most 25', () => {
    const {stdout} = spawnSync('du', ['-s', '--apparent-size', '--block-size=1', image.rootfs], {encoding: 'utf8'});

    assert.ok(parseInt(stdout, 10) <= 70 * kMebibyte, `it has ${stdout}`);
    assert.ok(statSync(built.archive).size <= 25 * kMebibyte);
  });

  test('says to an OCI client what it is and how it runs', () => {
    const {config} = image.seen.OCIv1;

    assert.equal(image.seen.FromImageDigest, built.digest);
    assert.equal(config.User, '65532:65532');
    assert.deepEqual(config.Entrypoint, ['/usr/bin/mock_server']);
    assert.deepEqual(Object.keys(config.ExposedPorts), ['4010/tcp']);
    assert.equal(config.StopSignal, 'SIGTERM');
    assert.equal(config.Labels['org.opencontainers.image.licenses'], 'Apache-2.0');
    assert.deepEqual(image.manifest.annotations, config.Labels);
    assert.equal(image.seen.OCIv1.architecture, {x64: 'amd64', arm64: 'arm64'}[process.arch]);
  });

  test('says to docker load where its parts are', () => {
    const [entry] = JSON.parse(spawnSync('tar', ['-xOf', built.archive, 'manifest.json'], {encoding: 'utf8'}).stdout);

    assert.equal(`sha256:${entry.Config.split('/')[2]}`, image.manifest.config.digest);
    assert.equal(`sha256:${entry.Layers[0].split('/')[2]}`, image.manifest.layers[0].digest);
    assert.deepEqual(entry.RepoTags, [image.index.manifests[0].annotations['org.opencontainers.image.ref.name']]);
  });

  test('has no file that its user may change, and none of a package manager or shell', () => {
    const found = (...words) => spawnSync('find', [image.rootfs, ...words], {encoding: 'utf8'}).stdout;

    assert.equal(found('-not', '-type', 'l', '-perm', '/022'), '');
    assert.equal(found('-not', '-user', '0'), '');
    assert.equal(found('-perm', '/6000'), '');
    assert.deepEqual(found('-path', '*/bin/*', '-printf', '%f\n').split('\n').sort(), ['', 'contract_tests', 'mock_server']);
  });
});

describe('a container', () => {
  test('serves the five operations, is healthy and stops with 0', async () => {
    const container = await new Container(image).listening();
    const get = (path, options = {}) => fetch(container.url + path, {headers: kToken, ...options});
    const json = {...kToken, 'Content-Type': 'application/json'};

    const customer = await get('/customers/cus_L9xVQ2zg4mZaouqKLiMcV');
    const usage = await get('/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=2');
    const brand = await get('/brands/brnd_F5ZR3qa7yEeeby3abP3E2',
                            {method: 'PATCH', headers: json, body: '{"name": "New name"}'});
    const license = await get('/licenses/validate',
                              {method: 'POST', headers: json, body: '{"license_key": "PRO-4F7K-9QXM-2WTR-8HVD"}'});
    const invoice = await get('/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu', {headers: {}});
    assert.equal((await customer.json()).name, 'Amara Okafor');
    assert.equal((await usage.json()).items.length, 2);
    assert.equal((await brand.json()).name, 'New name');
    assert.deepEqual(await license.json(), {valid: true});
    assert.equal(Buffer.from(await invoice.arrayBuffer()).subarray(0, 5).toString(), '%PDF-');

    const [kind, ...probe] = image.config.Healthcheck.Test;
    const command = probe.map((word) => word.replace(':4010', `:${container.port}`));
    const healthy = container.run(command);
    assert.equal(kind, 'CMD');
    assert.deepEqual([healthy.status, healthy.stderr], [0, '']);

    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8');
    assert.match(status, /^Uid:\t65532\t65532\t65532\t65532$/m);
    assert.match(status, /^CapEff:\t0+$/m);
    assert.match(status, /^NSpid:\t\d+\t1$/m);
    assert.match(readFileSync(`/proc/${container.pid}/mountinfo`, 'utf8'), / \/ ro[, ]/);

    assert.equal(await container.stop(), 0);
    const gone = spawnSync(join(build, 'mock_server/mock_server'), ['healthcheck', container.url], {encoding: 'utf8'});
    assert.equal(gone.status, 1);
    assert.match(gone.stderr, /is not healthy: cannot connect to 127\.0\.0\.1:\d+: Connection refused\n$/);
  });

  test('serves what is mounted, to another user too, and sees its changes', async () => {
    const folder = join(work, 'api');
    mkdirSync(join(folder, 'fixtures'), {recursive: true});
    mkdirSync(join(folder, 'contract'));
    writeFileSync(join(folder, 'contract/api.yaml'), contract('Mounted', 'one'));
    writeFileSync(join(folder, 'contract/notes.json'), '{}');
    spawnSync('chmod', ['755', work]);
    const container = await new Container(image, {
      user: '12345:12345',
      volumes: {'/contract': join(folder, 'contract'), '/fixtures': join(folder, 'fixtures')},
      words: ['--port', '0', '--contract', '/contract/api.yaml', '--fixtures', '/fixtures'],
    }).listening();
    const version = async () => (await (await fetch(`${container.url}/version`)).json()).version;

    assert.equal(await version(), 'one');
    writeFileSync(join(folder, 'contract/api.yaml'), contract('Mounted', 'two'));
    await until('the changed contract is served', async () => await version() === 'two');
    assert.match(readFileSync(`/proc/${container.pid}/status`, 'utf8'), /^Uid:\t12345\t/m);
    assert.equal(await container.stop(), 0);
  });

  test('ends with 2 if the contract is not mounted', async () => {
    const empty = join(work, 'empty');
    mkdirSync(empty);

    const container = new Container(image, {volumes: {'/contract': empty}, words: ['--contract', '/contract/api.yaml']});

    assert.equal(await container.ended, 2);
    assert.match(container.errors, /\/contract\/api\.yaml/);
  });

  test('takes a token for its control API from the environment', async () => {
    const container = await new Container(image, {environment: ['COUNTERPART_CONTROL_TOKEN=secret']}).listening();
    const requests = (headers) => fetch(`${container.url}/_mock/requests`, {headers});

    assert.equal((await requests({})).status, 401);
    assert.equal((await requests({'X-Counterpart-Control-Token': 'secret'})).status, 200);
    assert.equal(await container.stop(), 0);
  });
});
