// How the mock is found, started and ended.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {startMock} from 'counterpart-mock';

import {findProgram} from '../lib/program.js';
import {run} from './support.mjs';

const package_folder = fileURLToPath(new URL('..', import.meta.url));
const program = findProgram();

async function is_served(url) {
  try {
    await (await fetch(`${url}/_mock/ready`)).text();
    return true;
  } catch {
    return false;
  }
}

async function until_gone(url) {
  const end = Date.now() + 20000;
  while (await is_served(url)) assert.ok(Date.now() < end, `${url} is still served`);
}

// A script that starts a mock, prints its address, and goes on with `rest`.
function start_runner(rest) {
  const script = `import {startMock} from 'counterpart-mock';
    const mock = await startMock();
    console.log(mock.url);
    ${rest}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: package_folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {...process.env, COUNTERPART_MOCK_SERVER: program},
  });
}

const first_line = async (child) => (await once(createInterface({input: child.stdout}), 'line'))[0];

test('a mock ends with the runner that was killed', {timeout: 120_000}, async () => {
  const runner = start_runner('setInterval(() => {}, 1000);');
  const url = await first_line(runner);
  assert.ok(await is_served(url));
  runner.kill('SIGKILL');

  await until_gone(url);
});

test('a mock that was never ended does not keep its runner running', {timeout: 120_000}, async () => {
  const runner = start_runner('');
  const url = await first_line(runner);
  const [code] = await once(runner, 'exit');

  assert.equal(code, 0);
  await until_gone(url);
});

test('a mock is gone when end() returns, and may be ended twice', {timeout: 120_000}, async () => {
  const mock = await startMock();
  await mock.end();
  await mock.end();

  assert.equal(await is_served(mock.url), false);
  await assert.rejects(mock.health(), /cannot reach the mock at .*it ended with exit code 0/s);
});

test('one contract and its fixtures are served, with more flags, a token and a log', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-node-'));
  writeFileSync(path.join(folder, 'api.yaml'), `openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes/{id}:
    get:
      operationId: get_note
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: A note., content: {application/json: {schema: {type: object}}}}
        '404': {description: None., content: {application/json: {schema: {type: object}}}}
`);
  mkdirSync(path.join(folder, 'records'));
  writeFileSync(path.join(folder, 'records/operations.yaml'), `collections: {notes: {}}
operations:
  get_note: {behaviour: read, collection: notes, key: /path/id}
`);
  writeFileSync(path.join(folder, 'records/notes.yaml'), 'one: {text: Hello}\n');
  const lines = [];
  const mock = await startMock({
    contract: path.join(folder, 'api.yaml'),
    fixtures: path.join(folder, 'records'),
    args: ['--seed', '7'],
    token: 'secret',
    log: (line) => lines.push(line),
  });
  try {
    const session = mock.session();
    assert.deepEqual(await session.record('notes', 'one').get(), {text: 'Hello'});
    const note = await session.fetch('/notes/one');
    assert.deepEqual(await note.json(), {text: 'Hello'});
    assert.equal((await fetch(`${mock.url}/_mock/seed`)).status, 401);
    const other = await startMock({url: mock.url, token: 'secret'});
    assert.equal((await other.session('b').requests()).length, 0);
    await other.end();
    assert.ok(await is_served(mock.url), 'a mock that was not started here goes on');
  } finally {
    await mock.end();
    rmSync(folder, {recursive: true});
  }
  assert.ok(lines.some((line) => line.includes('/notes/one')), lines.join('\n'));
});

test('a run passes if what violates the contract does so on purpose', {timeout: 120_000}, async () => {
  const script = (headers) => `import {startMock} from 'counterpart-mock';
    const session = (await startMock({url: process.env.MOCK_URL})).session();
    const headers = {'Content-Type': 'application/json', ...${headers}};
    await session.fetch('/licenses/validate', {method: 'POST', body: '{}', headers});`;
  const run_script = (text) => run(program, ['run', '--', process.execPath, '--input-type=module', '-e', text]);
  const marked = await run_script(script('session.expectInvalid()'));
  const unmarked = await run_script(script('session.headers'));

  assert.equal(marked.status, 0, marked.output);
  assert.match(marked.output, /wrong on purpose: 1 request/);
  assert.equal(unmarked.status, 1, unmarked.output);
});

test('a program that does not start says why', async () => {
  await assert.rejects(startMock({contract: '/no/such.yaml'}), /exit code 2\n.*\/no\/such.yaml/s);
  await assert.rejects(startMock({args: ['--prot', '1']}), /exit code 2\n.*did you mean --port/s);
});

test('a program that cannot be found is named with what to do', async () => {
  assert.throws(() => findProgram('/no/such/mock'), /cannot start \/no\/such\/mock: it is no program$/);
  assert.throws(() => findProgram(undefined, {COUNTERPART_MOCK_SERVER: '/none'}), /COUNTERPART_MOCK_SERVER names it/);
  assert.equal(findProgram(undefined, {PATH: path.dirname(program)}), path.join(path.dirname(program), 'mock_server'));
});

test('an address where no mock is names it', async () => {
  await assert.rejects(startMock({url: 'http://127.0.0.1:1'}), /GET \/_mock\/health: cannot reach the mock at http:\/\/127.0.0.1:1: /);
});
