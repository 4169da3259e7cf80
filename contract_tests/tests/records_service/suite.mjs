// Runs the suite as a program against a service, for the tests of this folder.
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const program = process.env.COUNTERPART_CONTRACT_TESTS ||
                path.join(here, '../../../build/release/contract_tests/contract_tests');

// Resolves to {code, out, report, seconds}; `contract` is a path from this folder.
async function run_suite(contract, url, flags, look = () => {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-suite-'));
  const started = Date.now();
  const child = spawn(
      program,
      ['--contract', path.resolve(here, contract), '--base-url', url, '--report', folder, ...flags],
      {stdio: ['ignore', 'pipe', 'inherit'], env: {...process.env, DODO_PAYMENTS_API_KEY: undefined}});
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  try {
    const code = await new Promise((done) => child.once('close', done));
    const report = JSON.parse(readFileSync(path.join(folder, 'run.json')));
    look(folder);
    return {code, out, report, seconds: (Date.now() - started) / 1000};
  } finally {
    rmSync(folder, {recursive: true});
  }
}

export {run_suite};
