// `test` of vitest with a session of the mock for each test; vitest.d.ts describes everything.
import {afterAll, test as base} from 'vitest';

import {startMock} from './index.js';
import {explained} from './lib/explain.js';
import {sessionNameOf} from './lib/names.js';

// The explanation becomes part of the first error: every reporter prints that.
async function describeFailure(session, mock, task) {
  const text = await explained(session, mock);
  const [error] = task.result.errors ?? [];
  if (error) error.message += `\n\n${text}`;
  else console.error(text);
}

export function mockTest(options = {}) {
  let starting;
  const started = () => starting ??= startMock({url: process.env.MOCK_URL, ...options});
  afterAll(async () => {
    const mock = starting;
    starting = undefined;
    await (await mock)?.end();
  });
  return base.extend({
    mock: async ({}, use) => {
      await use(await started());
    },
    session: [async ({mock, task}, use) => {
      const session = mock.session(sessionNameOf(task.name));
      await use(session);
      if (task.result?.state === 'fail') await describeFailure(session, mock, task);
      else await session.end().catch(() => {});
    }, {auto: true}],
  });
}
