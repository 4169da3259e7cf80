// `mock_server run` with the official client as its command.
import assert from 'node:assert/strict';
import {readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {mock_server, run, temporary_folder} from '../../../scripts/lib/programs.mjs';

const calls = fileURLToPath(new URL('calls.mjs', import.meta.url));

const call_all = (flags, ...words) => run(mock_server, ['--quiet', 'run', ...flags, '--', process.execPath, calls, ...words]);

test('the client finds the mock by its environment and calls all five operations', async () => {
  const folder = temporary_folder('run');
  const junit = path.join(folder, 'junit.xml');
  const {code, err} = await call_all(['--min-coverage', '15', '--junit', junit]);
  assert.equal(code, 0, err);
  assert.match(err, /called: 5 requests to 5 of 5 operations/);
  assert.match(readFileSync(junit, 'utf8'), /<testsuites? [^>]*failures="0"/);
  rmSync(folder, {recursive: true});
});

test('too little coverage ends with 1', async () => {
  const {code, err} = await call_all(['--min-coverage', '99']);
  assert.equal(code, 1, err);
  assert.match(err, /coverage: /);
});

test('a request that violates the contract ends with 1 and is named', async () => {
  const {code, err} = await call_all([], 'badly');
  assert.equal(code, 1, err);
  assert.match(err, /PATCH \/brands\/brnd_F5ZR3qa7yEeeby3abP3E2 -> 422/);
  assert.match(err, /name: must be/);
});
