// `mock_server run` with the official client as its command.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {program} from './mock.mjs';

const calls = fileURLToPath(new URL('calls.mjs', import.meta.url));

function run(flags, ...words) {
  const done = spawnSync(program, ['--quiet', 'run', ...flags, '--', process.execPath, calls, ...words],
                         {encoding: 'utf8', timeout: 120000});
  return {code: done.status, report: done.stderr};
}

test('the client finds the mock by its environment and calls all five operations', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-'));
  const junit = path.join(folder, 'junit.xml');
  const {code, report} = run(['--min-coverage', '15', '--junit', junit]);
  assert.equal(code, 0, report);
  assert.match(report, /called: 5 requests to 5 of 5 operations/);
  assert.match(readFileSync(junit, 'utf8'), /<testsuites? [^>]*failures="0"/);
  rmSync(folder, {recursive: true});
});

test('too little coverage ends with 1', () => {
  const {code, report} = run(['--min-coverage', '99']);
  assert.equal(code, 1, report);
  assert.match(report, /coverage: /);
});

test('a request that violates the contract ends with 1 and is named', () => {
  const {code, report} = run([], 'badly');
  assert.equal(code, 1, report);
  assert.match(report, /PATCH \/brands\/brnd_F5ZR3qa7yEeeby3abP3E2 -> 422/);
  assert.match(report, /name: must be/);
});
