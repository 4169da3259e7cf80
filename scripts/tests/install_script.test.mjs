// install.sh, from a folder and from a server, whole and with everything that may go wrong.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {root, run, temporary_folder} from '../lib/programs.mjs';

const script = path.join(root, 'scripts/install.sh');
const work = temporary_folder('install');
const architecture = {x64: 'x64', arm64: 'arm64'}[process.arch];
const nameOf = (version) => `counterpart-${version}-linux-${architecture}`;
let server, url;

// A release in a folder: programs that print their version, in an archive, and its checksum.
function release(version, {mode = 0o755, sum, cut} = {}) {
  const folder = path.join(work, `release-${version}`);
  const archive = `${nameOf(version)}.tar.gz`;
  mkdirSync(path.join(folder, nameOf(version), 'bin'), {recursive: true});
  for (const program of ['mock_server', 'contract_tests']) {
    const file = path.join(folder, nameOf(version), 'bin', program);
    writeFileSync(file, `#!/bin/sh\necho ${program} ${version}\n`);
    chmodSync(file, mode);
  }
  execFileSync('tar', ['-czf', archive, nameOf(version)], {cwd: folder});
  rmSync(path.join(folder, nameOf(version)), {recursive: true});
  let bytes = readFileSync(path.join(folder, archive));
  const whole = createHash('sha256').update(bytes).digest('hex');
  if (cut) writeFileSync(path.join(folder, archive), bytes = bytes.subarray(0, 100));
  const of_cut = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(path.join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  install.sh\n${sum ?? (cut === 'as it is' ? of_cut : whole)}  ${archive}\n`);
  return folder;
}

before(async () => {
  server = http.createServer((request, response) => {
    const file = path.join(work, request.url);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.end(readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(work, {recursive: true});
});

let homes = 0;
function home() {
  const folder = path.join(work, `home ${homes++}`);
  mkdirSync(folder);
  return folder;
}

const install = (HOME, args, env = {}) => run('sh', [script, ...args], {env: {HOME, COUNTERPART_DOWNLOADS: undefined, ...env}});
const version_in = (HOME, program = 'mock_server') => execFileSync(path.join(HOME, '.local/bin', program), {encoding: 'utf8'});

test('the programs are installed from a server, and a newer release replaces them', async () => {
  const HOME = home();
  release('0.1.0');
  const first = await install(HOME, ['--from', `${url}/release-0.1.0/`]);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^installed mock_server 0\.1\.0 .*\nput it on the PATH: export PATH="/);
  assert.equal(version_in(HOME, 'contract_tests'), 'contract_tests 0.1.0\n');
  release('0.2.0');
  const second = await install(HOME, [], {COUNTERPART_DOWNLOADS: `${url}/release-0.2.0`, PATH: `${HOME}/.local/bin:${process.env.PATH}`});
  assert.equal(second.code, 0, second.err);

  assert.doesNotMatch(second.out, /PATH/);
  assert.equal(version_in(HOME), 'mock_server 0.2.0\n');
  assert.equal(readdirSync(path.join(HOME, '.local/lib/counterpart')).length, 1);
  assert.ok(lstatSync(path.join(HOME, '.local/bin/mock_server')).isSymbolicLink());
});

test('a folder, wget and another prefix do as well', async () => {
  const HOME = home();
  const folder = release('0.3.0');
  assert.equal((await install(HOME, ['--from', folder, '--prefix', `${HOME}/a b`])).code, 0);
  assert.ok(existsSync(`${HOME}/a b/bin/contract_tests`));

  const tools = path.join(HOME, 'tools');
  mkdirSync(tools);
  const commands = 'sh uname mkdir readlink ls mktemp grep tail tr sha256sum tar gzip mv ln rm'.split(' ');
  for (const one of commands) writeFileSync(path.join(tools, one), `#!/bin/sh\nPATH=${process.env.PATH} exec ${one} "$@"\n`, {mode: 0o755});
  writeFileSync(path.join(tools, 'wget'), `#!/bin/sh\nPATH=${process.env.PATH} exec curl -fs -o "$3" "$4"\n`, {mode: 0o755});
  const {code, err} = await install(HOME, ['--from', `${url}/release-0.3.0`], {PATH: tools});
  assert.equal(code, 0, err);
  assert.equal(version_in(HOME), 'mock_server 0.3.0\n');
});

const faults = [
  ['nothing to install from', {args: []}, /no release has been published yet: .* --from dist$/],
  ['an address where nothing is', {args: () => ['--from', `${url}/none`]}, /cannot get http.*\/none\/SHA256SUMS \(curl: .*404.*\); name the folder/],
  ['a folder where nothing is', {args: ['--from', '/none']}, /cannot get \/none\/SHA256SUMS \(cp: .*\); name/],
  ['a wrong checksum', {sum: 'f'.repeat(64)}, /\.tar\.gz is not what SHA256SUMS says, perhaps cut: nothing was installed; download it again$/],
  ['a cut archive', {cut: true}, /is not what SHA256SUMS says, perhaps cut/],
  ['an archive that was cut before its checksum was made', {cut: 'as it is'}, /cannot unpack counterpart-.* \([^]*\); nothing was installed$/],
  ['no permission to execute', {mode: 0o644}, /programs do not run in .*\.local \(.*[Pp]ermission denied.*\); name a folder where they may with --prefix/],
  ['a release for other machines', {sum: 'none'}, /SHA256SUMS names no archive for linux-/],
  ['a home that cannot be written', {HOME: '/proc/none'}, /cannot write into \/proc\/none\/\.local \(mkdir: .*\); name another folder with --prefix$/],
  ['no home', {HOME: ''}, /HOME is not set; name a folder with --prefix$/],
  ['another system', {uname: 'echo Darwin'}, /programs for Linux alone, and this is Darwin; use a container, or WSL on Windows$/],
  ['another machine', {uname: 'if [ "$1" = -s ]; then echo Linux; else echo riscv64; fi'}, /for x86_64 and aarch64, and this is riscv64; build it/],
  ['a wrong flag', {args: ['--form', 'x'], status: 2}, /unknown argument --form; use: /],
];
for (const [index, [name, {args, HOME = home(), uname, status = 1, ...how}, says]] of faults.entries()) {
  test(`${name} is one line with what to do, and leaves nothing behind`, async () => {
    const folder = release(`0.4.${index}`, how);
    const tools = path.join(folder, 'tools');
    mkdirSync(tools);
    if (uname) writeFileSync(path.join(tools, 'uname'), `#!/bin/sh\n${uname}\n`, {mode: 0o755});
    const given = typeof args === 'function' ? args() : args ?? ['--from', folder];
    const {code, out, err} = await install(HOME, given, {PATH: `${tools}:${process.env.PATH}`});

    assert.equal(code, status, out);
    assert.match(err.trim(), says);
    assert.match(err, /^install\.sh: /);
    assert.equal(out, '');
    assert.ok(!existsSync(path.join(HOME, '.local/bin/mock_server')));
    const house = path.join(HOME, '.local/lib/counterpart');
    assert.deepEqual(existsSync(house) ? readdirSync(house) : [], []);
  });
}

test('a program of the same name that somebody else put there is kept', async () => {
  const HOME = home();
  const folder = release('0.5.0');
  mkdirSync(path.join(HOME, '.local/bin'), {recursive: true});
  writeFileSync(path.join(HOME, '.local/bin/contract_tests'), '');
  const {code, err} = await install(HOME, ['--from', folder]);

  assert.equal(code, 1);
  assert.match(err, /bin\/contract_tests is there and not from this script; remove it, or /);
});

test('a failed update leaves the older version', async () => {
  const HOME = home();
  assert.equal((await install(HOME, ['--from', release('0.6.0')])).code, 0);
  assert.equal((await install(HOME, ['--from', release('0.6.1', {cut: true})])).code, 1);

  assert.equal(version_in(HOME), 'mock_server 0.6.0\n');
  assert.equal(readdirSync(path.join(HOME, '.local/lib/counterpart')).length, 1);
});

test('a script that was cut on its way does nothing', async () => {
  const HOME = home();
  const text = readFileSync(script, 'utf8');
  const cut = path.join(HOME, 'cut.sh');
  writeFileSync(cut, text.slice(0, text.lastIndexOf('main "$@"')));
  const {code, out, err} = await run('sh', [cut, '--from', '/none'], {env: {HOME}});

  assert.deepEqual([code, out, err], [0, '', '']);
});
