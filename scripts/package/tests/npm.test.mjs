// The packages that COUNTERPART_PACKAGES holds, in projects of their own: installed by npm and pnpm from a registry
// beside the test, their commands, and the examples of counterpart-mock with them.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {after, before, test} from 'node:test';

import {chromium, withoutChromium} from '../../lib/chromium.mjs';
import {free_port, root, run} from '../../lib/programs.mjs';

const archives = process.env.COUNTERPART_PACKAGES;
const client = path.join(root, 'mock_server/clients/node');
const tools = path.join(client, 'node_modules');
const own = `counterpart-mock-linux-${process.arch}`;
const pnpm = path.join(tools, '.bin/pnpm');
const work = mkdtempSync(path.join(os.tmpdir(), 'counterpart-npm-'));
// What the caller has set for himself does not reach the projects; nor does an installed mock_server.
const env = {
  COUNTERPART_MOCK_SERVER: undefined, COUNTERPART_CONTRACT_TESTS: undefined, HOME: work, NO_COLOR: '1', CHROMIUM: chromium,
  npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false',
};
let registry;

function version_of(name, bytes, more) {
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const {port} = registry.address();
  return {...more, name, version: more.version, dist: {integrity, tarball: `http://127.0.0.1:${port}/file/${name}.tgz`}};
}

// {file, about} of the archive: its bytes and its package.json.
async function read_archive(name) {
  const found = readdirSync(archives).find((file) => file.startsWith(name) && /^-\d[^-]*\.tgz$/.test(file.slice(name.length)));
  const {out} = await run('tar', ['-xzOf', path.join(archives, found), 'package/package.json']);
  return {bytes: readFileSync(path.join(archives, found)), about: JSON.parse(out)};
}

before(async () => {
  const packages = {};
  for (const name of ['counterpart-mock', own]) packages[name] = await read_archive(name);
  // That of another system is listed and never fetched.
  const {version} = packages[own].about;
  for (const name of Object.keys(packages['counterpart-mock'].about.optionalDependencies))
    packages[name] ??= {bytes: '', about: {version, os: ['linux'], cpu: [name.split('-').at(-1)]}};
  registry = http.createServer((request, response) => {
    const name = decodeURIComponent(request.url).replace(/^\/(file\/)?|\.tgz$/g, '');
    if (!packages[name]) return response.writeHead(404).end('{}');
    const {bytes, about} = packages[name];
    if (request.url.startsWith('/file/')) return response.end(bytes);
    response.setHeader('Content-Type', 'application/json');
    return response.end(JSON.stringify({name, 'dist-tags': {latest: about.version}, versions: {[about.version]: version_of(name, bytes, about)}}));
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  env.npm_config_registry = `http://127.0.0.1:${registry.address().port}/`;
});

after(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(work, {recursive: true, force: true, maxRetries: 20, retryDelay: 50});
});

function project(name) {
  const folder = path.join(work, name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  return folder;
}

async function succeeds(program, args, options) {
  const {code, out, err} = await run(program, args, options);
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${out}${err}`);
  return out + err;
}

const command = (folder, name) => path.join(folder, 'node_modules/.bin', name);

// A copy of the sample application, with what it uses and the project's own counterpart-mock.
async function examples(folder) {
  cpSync(path.join(client, 'sample'), path.join(folder, 'sample'), {recursive: true, filter: (file) => !file.endsWith('node_modules')});
  const config = path.join(folder, 'sample/playwright.config.js');
  writeFileSync(config, readFileSync(config, 'utf8').replace('`mock_server ', '`counterpart-mock '));
  for (const name of readdirSync(tools).filter((one) => !one.startsWith('.') && !existsSync(path.join(folder, 'node_modules', one))))
    symlinkSync(path.join(tools, name), path.join(folder, 'node_modules', name));
  const PATH = [path.join(folder, 'node_modules/.bin'), path.join(tools, '.bin'), process.env.PATH].join(':');
  const at = {cwd: folder, env: {...env, PATH, MOCK_PORT: String(await free_port()), APP_PORT: String(await free_port())}};
  assert.match(await succeeds('vitest', ['run', '--root', 'sample', 'unit'], at), /Tests +4 passed/);
  if (!withoutChromium) assert.match(await succeeds('playwright', ['test', '--config', 'sample', '--reporter', 'list'], at), /25 passed/);
}

// The commands, their exit codes, and a whole run of the suite.
async function commands(folder) {
  const at = {cwd: folder, env};
  assert.match(await succeeds(command(folder, 'counterpart-mock'), ['--version'], at), /^mock_server \d/);
  assert.match(await succeeds(command(folder, 'counterpart-test'), ['--filter', 'GET_customers*'], at), / passed, 0 failed/);
  const {code, err} = await run(command(folder, 'counterpart-mock'), ['--prot', '1'], at);
  assert.equal(code, 2);
  assert.match(err, /did you mean --port/);
}

test('npm install counterpart-mock gives a project both programs, and the examples pass', async () => {
  const folder = project('npm');
  await succeeds('npm', ['install', '--save-dev', 'counterpart-mock'], {cwd: folder, env});

  await commands(folder);
  await examples(folder);
});

test('so does pnpm', {skip: existsSync(pnpm) ? false : 'pnpm is not installed'}, async () => {
  const folder = project('pnpm');
  await succeeds(pnpm, ['add', '--save-dev', 'counterpart-mock'], {cwd: folder, env});

  await commands(folder);
  await examples(folder);
});

test('a lock file with the programs of every system is installed anew', async () => {
  const folder = project('lock');
  await succeeds('npm', ['install', '--os=darwin', '--cpu=arm64', 'counterpart-mock'], {cwd: folder, env});
  assert.ok(!existsSync(path.join(folder, 'node_modules', own)));
  await succeeds('npm', ['ci'], {cwd: folder, env});

  assert.match(await succeeds(command(folder, 'counterpart-mock'), ['--version'], {env}), /^mock_server/);
});

test('what is not there is named in one line with what to do, and that helps', async () => {
  const folder = project('omitted');
  await succeeds('npm', ['install', '--omit=optional', 'counterpart-mock'], {cwd: folder, env});
  const alone = {...env, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`};
  const {code, err} = await run(command(folder, 'counterpart-mock'), [], {env: alone});
  assert.equal(code, 2);
  const [, remedy] = /^counterpart-mock: cannot find mock_server: .* is not installed \(.*\); (npm install [^,]*),.*\n$/.exec(err) ?? assert.fail(err);
  await succeeds('sh', ['-c', remedy], {cwd: folder, env});
  assert.match(await succeeds(command(folder, 'counterpart-mock'), ['--version'], {env: alone}), /^mock_server/);

  chmodSync(path.join(folder, 'node_modules', own, 'bin/mock_server'), 0o644);
  assert.match((await run(command(folder, 'counterpart-mock'), [], {env: alone})).err, /^counterpart-mock: cannot start .*mock_server: it may not be executed; .*\n$/);

  const elsewhere = path.join(folder, 'elsewhere.cjs');
  writeFileSync(elsewhere, "Object.defineProperty(process, 'platform', {value: 'darwin'});");
  const other = await run(process.execPath, ['--require', elsewhere, command(folder, 'counterpart-test')], {env: alone});
  assert.equal(other.code, 2);
  assert.match(other.err, /^counterpart-mock: cannot find contract_tests: there is none for darwin on .*; use WSL or a container.*\n$/);
});

for (const [how, signal, to] of [['to the command', 'SIGTERM', (pid) => pid], ['to its group, as supervisors do', 'SIGTERM', (pid) => -pid], ['to the command', 'SIGINT', (pid) => pid]]) {
  test(`${signal} ${how} lets a request end, and the exit code is the program's`, async () => {
    const folder = path.join(work, 'npm');
    const child = spawn(command(folder, 'counterpart-mock'), ['--port', '0', '--quiet'],
                        {detached: true, env: {...process.env, ...env}, stdio: ['ignore', 'pipe', 'inherit']});
    const [line] = await once(createInterface({input: child.stdout}), 'line');
    const url = line.replace('listening on ', '');
    const asked = fetch(`${url}/customers/cus_L9xVQ2zg4mZaouqKLiMcV`, {headers: {Authorization: 'Bearer dodo_test_me', Prefer: 'delay=1000'}});
    let polls = 0;
    do polls++;
    while ((await (await fetch(`${url}/_mock/health`)).json()).transport.connections.requests <= polls);
    process.kill(to(child.pid), signal);

    assert.equal((await asked).status, 200);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
}
