// What several tests need: free ports, and programs run to their end.
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {findProgram} from '../lib/program.js';

export const packageFolder = fileURLToPath(new URL('..', import.meta.url));
export const mockServer = findProgram();

// As many as asked for, all different.
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({length: count}, () => new Promise((done) => {
    const server = net.createServer();
    server.listen(0, '127.0.0.1', () => done(server));
  })));
  return Promise.all(servers.map((server) => new Promise((done) => {
    const {port} = server.address();
    server.close(() => done(String(port)));
  })));
}

export function temporaryFolder(context) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-node-'));
  context.after(() => rmSync(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50}));
  return folder;
}

// {status, output}: standard output and error of a program of the package's folder, without colours.
export function run(command, args, {cwd = packageFolder, env = {}} = {}) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      COUNTERPART_MOCK_SERVER: mockServer,
      PATH: [path.dirname(mockServer), path.join(packageFolder, 'node_modules/.bin'), process.env.PATH].join(':'),
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output += data);
  return new Promise((done) => child.once('close', (status) => done({status, output})));
}

// The tests of a report of Playwright: [{title, result}].
export function testsOf(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const below = ({specs, suites = []}) => [...specs, ...suites.flatMap(below)];
  return report.suites.flatMap(below).map(({title, tests}) => ({title, result: tests[0].results[0]}));
}
