// The packed package, installed into an empty folder: it works there, and its types are right.
import assert from 'node:assert/strict';
import {mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {mockServer, packageFolder, run, temporaryFolder} from './support.mjs';

const SCRIPT = `
import {startMock} from 'counterpart-mock';
const mock = await startMock();
const session = mock.session();
await session.record('customers', 'cus_1').put({name: 'Ada', email: 'ada@site.example'});
console.log((await session.record('customers', 'cus_1').get()).name);
await mock.end();
`;

const TYPED = `
import {startMock, MockError, type Session} from 'counterpart-mock';
import {expect, test} from 'counterpart-mock/playwright';
import {mockTest} from 'counterpart-mock/vitest';
import {forwardSession, patchFetch, sessionFetch, withSession} from 'counterpart-mock/server';

export async function prepare(session: Session): Promise<number> {
  await session.clock.advance({days: 1});
  await session.next('get_customer_handler', {error: {use: 'internal', message: 'failed'}});
  await session.verify({operation: 'get_customer_handler', body: {'/a': 1}}, {exactly: 1});
  const [first] = await session.requests({status: '4XX'});
  await session.scenario('slow', [{
    operations: ['any'], when: [{not: {at: '/query/page', greater: 2}}], delay: {fixed_ms: 3},
    response: {headers: {'X-Id': {random: 'uuid'}}, body: {id: {from: '/path/id'}}},
  }]);
  // @ts-expect-error: not a delay
  await session.next('get_customer_handler', {delay: {ms: 3}});
  // @ts-expect-error: neither a step nor a status
  await session.next('get_customer_handler', {ms: 3});
  // @ts-expect-error: two responses
  await session.next('get_customer_handler', {force: {status: 500}, response: {body: 1}});
  // @ts-expect-error: not a fault
  await session.fault('resett');
  // @ts-expect-error: not a place
  await session.scenario('odd', [{when: [{at: '/bdy/name', equals: 1}], force: {status: 500}}]);
  // @ts-expect-error: a unit of time that does not exist
  await session.clock.advance({weeks: 1});
  // @ts-expect-error: not a status
  await session.next('get_customer_handler', '429');
  // @ts-expect-error: not a member of a match
  await session.verify({operations: 'x'});
  return first.id;
}

test.use({sessionFor: 'worker', sessionUrls: ['http://127.0.0.1:5173/api/'], mockOptions: {fixtures: ['records']}});
test('typed', async ({page, session, mock}) => {
  await page.goto(session.url + mock.url);
  expect(await session.explain()).toContain('call');
  // @ts-expect-error: a session has no such function
  await session.exploded();
});

mockTest({contract: 'api.yaml'})('typed', async ({session}) => {
  try {
    await session.reset();
    // @ts-expect-error: a session has no such function
    await session.exploded();
  } catch (error) {
    if (error instanceof MockError) console.log(error.problems.length);
  }
});

// @ts-expect-error: it starts a mock of numbers
await startMock({port: '1'});

import http from 'node:http';
http.createServer((request, response) => withSession(request, () => forwardSession(request, response, () => undefined)));
export const send: typeof fetch = sessionFetch('http://127.0.0.1:4010');
patchFetch('http://127.0.0.1:4010')();
`;

// With the names of the payments service and its fixtures.
const NAMED = `
import {startMock, type Session} from 'counterpart-mock';
import {test as base, type MockTest} from 'counterpart-mock/playwright';
import {mockTest} from 'counterpart-mock/vitest';
import type {Names} from './names.js';

export async function prepare(session: Session<Names>): Promise<void> {
  await session.record('customers', 'cus_L9xVQ2zg4mZaouqKLiMcV').patch({name: 'Ada'});
  await session.record('customers', 'cus_of_mine').put({name: 'Ada'});
  await session.next('get_customer_handler', 429);
  await session.arm('rate_limited_twice');
  // @ts-expect-error: not a collection
  await session.record('custmers', 'cus_1').get();
  // @ts-expect-error: not an operation
  await session.next('typo', 429);
  // @ts-expect-error: not a scenario
  await session.arm('rate_limited_trice');
  // @ts-expect-error: not an operation
  await session.verify({operation: 'typo'});
}

const test = base as MockTest<Names>;
test('named', async ({session}) => prepare(session));
mockTest<Names>()('named', async ({session}) => prepare(session));
await prepare((await startMock<Names>()).session());
`;

const CONFIG = {
  compilerOptions: {
    strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: ['node'], skipLibCheck: true,
  },
  files: ['typed.ts', 'named.ts'],
};

async function succeeds(command, args, options) {
  const {status, output} = await run(command, args, options);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

// The packages that our types name, as a project that uses them has them.
function link_packages(folder) {
  for (const name of readdirSync(path.join(packageFolder, 'node_modules')).filter((name) => !name.startsWith('.'))) {
    const target = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(target), {recursive: true});
    symlinkSync(path.join(packageFolder, 'node_modules', name), target);
  }
}

test('the packed package works in an empty folder, alone, and its types are right', async (context) => {
  const folder = temporaryFolder(context);
  await succeeds('npm', ['pack', '--pack-destination', folder]);
  const [archive] = readdirSync(folder);
  assert.match(archive, /^counterpart-mock-[\d.]+\.tgz$/);
  writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await succeeds('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], {cwd: folder});
  assert.deepEqual(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), ['counterpart-mock']);
  const installed = readdirSync(path.join(folder, 'node_modules/counterpart-mock')).sort();
  assert.deepEqual(installed.filter((name) => !/^(index|playwright|server|vitest)\.(d\.ts|js)$/.test(name)),
                   ['README.md', 'bin', 'lib', 'package.json']);

  writeFileSync(path.join(folder, 'script.js'), SCRIPT);
  assert.equal(await succeeds(process.execPath, ['script.js'], {cwd: folder}), 'Ada\n');

  link_packages(folder);
  writeFileSync(path.join(folder, 'typed.ts'), TYPED);
  writeFileSync(path.join(folder, 'named.ts'), NAMED);
  writeFileSync(path.join(folder, 'names.ts'), await succeeds(mockServer, ['types']));
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
  await succeeds('tsc', ['--project', folder]);
});
