// Runs the suite against a service, for the tests of this folder.
import {fileURLToPath} from 'node:url';

import {run_suite as run} from '../../../scripts/lib/programs.mjs';

// Resolves to {code, out, err, report, seconds}; `contract` is a file of this folder.
export async function run_suite(contract, url, flags, options) {
  const file = fileURLToPath(new URL(contract, import.meta.url));
  const started = Date.now();
  const ended = await run(['--contract', file, '--base-url', url, ...flags], options);
  return {...ended, seconds: (Date.now() - started) / 1000};
}
