// `test` of @playwright/test with a session of the mock for each test; playwright.d.ts describes everything.
import {writeFile} from 'node:fs/promises';

import {test as base} from '@playwright/test';

import {startMock} from './index.js';
import {explained} from './lib/explain.js';
import {sessionNameOf} from './lib/names.js';

export {expect} from '@playwright/test';

function isBelow(url, prefix) {
  const {origin, pathname} = new URL(prefix);
  return url.origin === origin && url.pathname.startsWith(pathname);
}

async function attach(info, name, contentType, text) {
  const path = info.outputPath(name);
  await writeFile(path, text);
  await info.attach(name, {path, contentType});
}

// The requests of a context whose URL starts with one of the prefixes name the session.
export async function nameSession(context, session, prefixes) {
  await context.route((url) => prefixes.some((prefix) => isBelow(url, prefix)), (route) => route.fallback({
    headers: {'x-counterpart-session': session.name, ...route.request().headers()},
  }));
}

// The explanation is also one of the test's errors: reporters print those in full.
async function describeFailure(session, mock, info) {
  const text = await explained(session, mock);
  const journal = await session.exchanges().catch((error) => error.message);
  info.errors.push({message: text});
  await attach(info, 'mock-calls.txt', 'text/plain', `${text}\n`);
  await attach(info, 'mock-journal.json', 'application/json', JSON.stringify(journal, null, 2));
}

export const test = base.extend({
  mockOptions: [{}, {option: true, scope: 'worker'}],
  sessionFor: ['test', {option: true, scope: 'worker'}],
  sessionUrls: [undefined, {option: true}],

  mock: [async ({mockOptions}, use) => {
    const mock = await startMock({url: process.env.MOCK_URL, ...mockOptions});
    await use(mock);
    await mock.end();
  }, {scope: 'worker'}],

  workerSession: [async ({mock}, use, info) => {
    await use(mock.session(sessionNameOf(`worker-${info.parallelIndex}`)));
  }, {scope: 'worker'}],

  session: [async ({mock, workerSession, sessionFor}, use, info) => {
    const isOwn = sessionFor === 'test';
    const session = isOwn ? mock.session(sessionNameOf(info.title)) : workerSession;
    if (!isOwn) await session.reset();
    await use(session);
    if (info.status !== info.expectedStatus) await describeFailure(session, mock, info);
    else if (isOwn) await session.end().catch(() => {});
  }, {auto: true}],

  // Requests of pages name the session: those to the mock, and those to the application, which passes them on.
  context: async ({context, mock, session, sessionUrls, baseURL}, use) => {
    await nameSession(context, session, [mock.url, ...(sessionUrls ?? (baseURL ? [new URL(baseURL).origin] : []))]);
    await use(context);
  },
});
