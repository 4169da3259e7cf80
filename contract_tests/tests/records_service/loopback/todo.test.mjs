// LoopBack's to-do example: its records before and after a run of the suite by its own description.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const program = process.env.COUNTERPART_CONTRACT_TESTS ||
                path.join(here, '../../../../build/release/contract_tests/contract_tests');
// The example writes its records into its own folder.
const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-loopback-'));
const contract = path.join(folder, 'openapi.json');
let service;
let url;

before(async () => {
  cpSync(path.join(here, 'node_modules/@loopback/example-todo'), path.join(folder, 'app'), {recursive: true});
  symlinkSync(path.join(here, 'node_modules'), path.join(folder, 'node_modules'));
  service = spawn(process.execPath, ['dist/index.js'],
                  {cwd: path.join(folder, 'app'), env: {...process.env, HOST: '127.0.0.1', PORT: '0'},
                   stdio: ['ignore', 'pipe', 'inherit']});
  url = await new Promise((done) => service.stdout.on('data', (bytes) => {
    const match = /running at (\S+)/.exec(bytes);
    match && done(match[1]);
  }));
  writeFileSync(contract, await (await fetch(`${url}/openapi.json`)).text());
});

after(() => {
  service.kill();
  rmSync(folder, {recursive: true});
});

async function todos() {
  return (await fetch(`${url}/todos`)).json();
}

async function run(...flags) {
  const child = spawn(program, ['--contract', contract, '--base-url', url, ...flags],
                      {stdio: ['ignore', 'pipe', 'inherit']});
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  await new Promise((done) => child.once('close', done));
  return out;
}

for (const flags of [[], ['--allow-probes'], ['--allow-writes']]) {
  test(`nothing changes with ${flags.join(' ') || 'no flags'}`, async () => {
    const first = await todos();

    await run(...flags);

    assert.equal(first.length, 4);
    assert.deepEqual(await todos(), first);
  });
}

test('a named record is written and put back', async () => {
  const first = await todos();
  const subjects = path.join(folder, 'subjects.yaml');
  writeFileSync(subjects, 'TodoController.replaceById: {id: "1"}\nTodoController.updateById: {id: "1"}\n');

  const out = await run('--allow-writes', '--subjects', subjects);

  assert.deepEqual(await todos(), first);
  assert.match(out, /Everything that was changed was put back \(1 record\)/);
});
