// Runs the suite against a service, and services on a free port, for the tests of this folder.
import {fileURLToPath} from 'node:url';

import {run_suite as run} from '../../../scripts/lib/programs.mjs';

// Resolves to {code, out, err, report, seconds}; `contract` is a file of this folder.
export async function run_suite(contract, url, flags, options) {
  const file = fileURLToPath(new URL(contract, import.meta.url));
  const started = Date.now();
  const ended = await run(['--contract', file, '--base-url', url, ...flags], options);
  return {...ended, seconds: (Date.now() - started) / 1000};
}

// A service that `server` of the subclass plays. `start` resolves to its URL.
export class LocalService {
  async start() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
