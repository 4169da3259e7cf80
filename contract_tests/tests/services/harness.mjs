// Starts a service of another make, runs the suite against it, and compares what the suite changed with
// what it may change.
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {free_port, root, run_suite as run, temporary_folder} from '../../../scripts/lib/programs.mjs';

export const folder_of = (url) => path.dirname(fileURLToPath(url));
export const payments = {
  contract: path.join(root, 'spec/payments.openapi.yaml'),
  flags: () => ['--token', 'dodo_test_services', '--subjects', path.join(root, 'fixtures/subjects.yaml')],
};
// The program of an npm package that is installed in `folder` or above it.
export function program_of(folder, name) {
  const file = path.join(folder, 'node_modules/.bin', name);
  if (folder === root) {
    throw new Error(`${name} is not installed; run.sh installs it`);
  }
  return existsSync(file) ? file : program_of(path.dirname(folder), name);
}

// Resolves when `url` responds, whatever the status; rejects when the program ended or after two minutes.
async function responding(url, child, output) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      throw new Error(`${child.spawnargs.join(' ')} does not respond at ${url}\n${output()}`);
    }
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

// What a service.mjs exports is documented in README.md. Starts it in a folder of its own, calls
// `use` with {url, folder, contract}, and ends it.
export async function with_service(service, use) {
  const folder = temporary_folder('service');
  const port = await free_port();
  await service.prepare?.(folder);
  const {command, env} = service.start({port, folder});
  const child = spawn(command[0], command.slice(1),
                      {cwd: folder, env: {...process.env, ...env}, detached: true, stdio: ['ignore', 'pipe', 'pipe']});
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output = (output + bytes).slice(-20_000);
    });
  }
  const ended = new Promise((done) => child.once('close', done));
  const url = `http://127.0.0.1:${port}`;
  try {
    await responding(url + (service.ready ?? '/'), child, () => output);
    const running = {url, folder, alive: () => child.exitCode === null && child.signalCode === null};
    await service.fill?.(running);
    running.contract = service.contract ?? path.join(folder, '.contract.json');
    if (service.contract === undefined) {
      writeFileSync(running.contract, await (await service.describe(running)).text());
    }
    await use(running);
  } finally {
    try {
      process.kill(-child.pid, 'SIGKILL');  // its children too
    } catch {
      // it ended by itself
    }
    await ended;
    rmSync(folder, {recursive: true, maxRetries: 5});
  }
}

function files_of(folder, ignored) {
  const names = readdirSync(folder, {recursive: true, withFileTypes: true})
                    .filter((entry) => entry.isFile())
                    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));
  return Object.fromEntries(names.filter((name) => !name.startsWith('.contract') && !ignored?.test(name)).sort().map(
      (name) => [name, createHash('sha256').update(readFileSync(path.join(folder, name))).digest('hex')]));
}

// Rows as the service tells them, and files of its folder.
export async function state_of(service, running) {
  return {rows: await service.rows?.(running), files: files_of(running.folder, service.volatile_files)};
}

// Resolves to {code, out, report} of a run of the suite; `out` has both outputs.
export async function run_suite(service, running, flags = []) {
  const {code, out, err, report} = await run(
      ['--contract', running.contract, '--base-url', running.url + (service.base ?? ''),
       ...(service.flags?.(running) ?? []), ...flags]);
  return {code, out: out + err, report};
}

// Records of a collection by their paths, for `rows`.
export const by_path = (collection, records) =>
    Object.fromEntries(records.map((record) => [`${collection}/${record.id}`, record]));

export function subjects_file(running, subjects) {
  const file = path.join(running.folder, '.contract-subjects.yaml');
  writeFileSync(file, subjects);
  return file;
}
