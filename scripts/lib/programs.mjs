// Shared helpers of the JavaScript tests: the programs of a build, a program run to its end, a run of the suite, a mock
// beside the test, temporary folders, free ports.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

const of_build = (variable, file) => path.resolve(process.env[variable] || path.join(root, 'build/release', file));
export const mock_server = of_build('COUNTERPART_MOCK_SERVER', 'mock_server/mock_server');
export const contract_tests = of_build('COUNTERPART_CONTRACT_TESTS', 'contract_tests/contract_tests');

// The caller removes it.
export const temporary_folder = (name) => mkdtempSync(path.join(os.tmpdir(), `counterpart-${name}-`));

export async function free_port() {
  const server = net.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const {port} = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

// Runs a program to its end: {code, out, err}. A variable of `env` that is undefined is not set. Interrupts it as soon
// as `until` is true, and ends it after a quarter of an hour.
export function run(program, args, {cwd, env = {}, until} = {}) {
  const child = spawn(program, args,
                      {cwd, env: {...process.env, ...env}, stdio: ['ignore', 'pipe', 'pipe'], timeout: 900_000});
  const ended = {out: '', err: ''};
  child.stdout.setEncoding('utf8').on('data', (text) => { ended.out += text; });
  child.stderr.setEncoding('utf8').on('data', (text) => { ended.err += text; });
  const watch = until && setInterval(() => {
    if (until()) {
      clearInterval(watch);  // a second signal would end it at once
      child.kill('SIGINT');
    }
  }, 2);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(watch);
      resolve({code, ...ended});
    });
  });
}

// Runs the suite: {code, out, err, report}; `report` is run.json, null if there is none. All reports are written into
// the folder `into`, if one is given. The variables by which users name a service reach it from `env` alone.
export async function run_suite(flags, {cwd, env = {}, until, into} = {}) {
  const folder = into ?? temporary_folder('report');
  const unset = {DODO_PAYMENTS_API_KEY: undefined, TEST_API_BASE_URL: undefined, GTEST_TOTAL_SHARDS: undefined};
  try {
    const ended = await run(contract_tests, ['--report', folder, ...flags], {cwd, env: {...unset, ...env}, until});
    return {...ended, report: report_in(folder)};
  } finally {
    if (!into) rmSync(folder, {recursive: true});
  }
}

export function report_in(folder) {
  const file = path.join(folder, 'run.json');
  return existsSync(file) ? JSON.parse(readFileSync(file)) : null;
}

// Starts the mock, on a free port unless the flags name one: {url, port, errors, stop}. Rejects with what the program
// printed if it ends before it listens.
export function start_mock(...flags) {
  const child = spawn(mock_server, [...(flags.includes('--port') ? [] : ['--port', '0']), ...flags],
                      {cwd: root, stdio: ['ignore', 'pipe', 'pipe']});
  let errors = '';
  child.stderr.on('data', (bytes) => { errors += bytes; });
  const ended = new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (status) => done(`ended with status ${status}`));
  });
  return new Promise((resolve, reject) => {
    createInterface({input: child.stdout}).on('line', (line) => {
      const url = /^listening on (https?:\S+)$/.exec(line)?.[1];
      if (!url) return;
      resolve({
        url,
        port: new URL(url).port,
        errors: () => errors,
        async stop(signal = 'SIGTERM') {
          child.kill(signal);
          await ended;
        }
      });
    });
    ended.then((how) => reject(new Error(`${mock_server} ${how}\n${errors}`)));
  });
}
