// Finds the programs, and starts `mock_server`.
import {spawn} from 'node:child_process';
import {accessSync, constants, existsSync, readFileSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const START_MS = 60_000;
const END_MS = 15_000;  // the mock lets requests in progress end, for ten seconds
const KEPT_LINES = 20;

const VARIABLES = {mock_server: 'COUNTERPART_MOCK_SERVER', contract_tests: 'COUNTERPART_CONTRACT_TESTS'};
// With the programs for this system: an optional dependency, which package managers install where it fits.
const PACKAGE = `counterpart-mock-${process.platform}-${process.arch}`;
const PACKAGES = ['counterpart-mock-linux-x64', 'counterpart-mock-linux-arm64'];

// Where the package is in a clone of Counterpart, its build.
const builtProgram = (name) => fileURLToPath(new URL(`../../../../build/release/${name}/${name}`, import.meta.url));

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function packagedProgram(name) {
  try {
    const file = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
    return path.join(path.dirname(file), 'bin', name);
  } catch {
    return undefined;
  }
}

function whyNotInstalled() {
  if (!PACKAGES.includes(PACKAGE))
    return `there is none for ${process.platform} on ${process.arch}, only for Linux on x64 and arm64; use WSL or a container`;
  const {version} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return `the package ${PACKAGE} is not installed (--omit=optional, or a lock file made on another system); ` +
         `npm install --no-save ${PACKAGE}@${version}`;
}

// The first of: the given file, the one that the environment names, the one of the package for this system, one on
// the PATH, the build of the clone.
export function findProgram(given, env = process.env, name = 'mock_server') {
  const named = given ?? env[VARIABLES[name]];
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`cannot start ${named}: it is no program` + (given ? '' : `; ${VARIABLES[name]} names it`));
  }
  const packaged = packagedProgram(name);
  if (packaged && existsSync(packaged) && !isProgram(packaged))
    throw new Error(`cannot start ${packaged}: it may not be executed; install it again where programs may be (no "noexec")`);
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const found = [packaged, ...folders.map((folder) => path.join(folder, name)), builtProgram(name)].find(isProgram);
  if (found) return found;
  throw new Error(`cannot find ${name}: ${whyNotInstalled()}, or name the program with ${VARIABLES[name]}`);
}

function argumentsOf({contract, fixtures = [], args = [], port = 0, log}) {
  return [
    ...['--port', String(port), '--until-stdin-closes'],
    ...(log ? [] : ['--quiet']),
    ...(contract ? ['--contract', contract] : []),
    ...[fixtures].flat().flatMap((folder) => ['--fixtures', folder]),
    ...args,
  ];
}

// The last lines of its standard error; each line also goes to `log`.
function readErrors(child, log) {
  const lines = [];
  createInterface({input: child.stderr}).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    if (typeof log === 'function') log(line);
    else if (log) process.stderr.write(`${line}\n`);
  });
  return lines;
}

function addressOf(child) {
  return new Promise((found) => createInterface({input: child.stdout}).on('line', (line) => {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url) found(url);
  }));
}

// From now on the mock does not keep this process running.
function letGo(child) {
  for (const part of [child, child.stdin, child.stdout, child.stderr]) part.unref();
}

// {url, end(), whyEnded()}. The mock ends when `end` is called or when this process ends, in whatever way: it
// watches its standard input, whose other end is here.
export async function startProgram(options) {
  const file = findProgram(options.program);
  const env = {...process.env, ...options.env};
  if (options.token) env.COUNTERPART_CONTROL_TOKEN = options.token;
  const child = spawn(file, argumentsOf(options), {stdio: ['pipe', 'pipe', 'pipe'], env});
  child.stdin.on('error', () => {});  // it ended first
  const errors = readErrors(child, options.log);
  let why;
  const ended = new Promise((done) => {
    child.once('error', (error) => done(why = error.message));
    child.once('close', (code, signal) => done(why = signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`));
  });
  const whyEnded = () => why && [`${file}: ${why}`, ...errors].join('\n  ');
  let timer;
  const tooLate = new Promise((done) => timer = setTimeout(done, START_MS));
  const url = await Promise.race([addressOf(child), ended.then(() => null), tooLate]);
  clearTimeout(timer);
  if (!url) {
    child.kill('SIGKILL');
    throw new Error(whyEnded() ?? `${file}: did not listen within ${START_MS / 1000} s\n  ${errors.join('\n  ')}`);
  }
  letGo(child);
  return {url, whyEnded, end: () => end(child, ended)};
}

async function end(child, ended) {
  const alreadyEnded = child.exitCode !== null || child.signalCode !== null;
  child.ref();
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  if (!alreadyEnded) await ended;
  clearTimeout(timer);
}
