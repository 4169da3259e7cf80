// The sample application and its tests, and tests of the helpers, in real runners: Playwright and vitest.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {startMock} from 'counterpart-mock';

import {chromium, withoutChromium as skip} from '../../../../scripts/lib/chromium.mjs';
import {freePorts, run, temporaryFolder, testsOf} from './support.mjs';

// {status, output, tests}
async function playwright(context, config) {
  const folder = temporaryFolder(context);
  const report = path.join(folder, 'report.json');
  const [MOCK_PORT, APP_PORT] = await freePorts(2);
  const done = await run('playwright', ['test', '--config', config, '--reporter', 'list,json', '--output', folder], {
    env: {CHROMIUM: chromium, MOCK_PORT, APP_PORT, PLAYWRIGHT_JSON_OUTPUT_NAME: report},
  });
  return {...done, tests: testsOf(report)};
}

const EXPLAINED = new RegExp(` +GET /subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history\\?page_size=500 -> 422, chosen by error invalid_parameters
 +the request violates the contract: query/page_size: must be at most 100, but is 500, by payments.openapi.yaml:\\d+`);

test('the 25 tests of the sample application pass in eight workers', {skip}, async (context) => {
  const {status, output, tests} = await playwright(context, 'sample');

  assert.equal(status, 0, output);
  assert.equal(tests.length, 25);
  assert.equal(new Set(tests.map(({result}) => result.workerIndex)).size, 8);
});

test('a failing Playwright test shows what it called and why it got that', {skip}, async (context) => {
  const {status, output, tests} = await playwright(context, 'tests/playwright');

  assert.equal(status, 1, output);
  assert.deepEqual(tests.filter(({result}) => result.status !== 'passed').map(({title}) => title), ['this one fails'], output);
  assert.match(output, EXPLAINED);
  assert.doesNotMatch(output, /_mock\/#/, 'the address of a mock that has ended');
  const [text, journal] = tests.find(({title}) => title === 'this one fails').result.attachments;
  assert.deepEqual([text.name, text.contentType], ['mock-calls.txt', 'text/plain']);
  assert.match(readFileSync(text.path, 'utf8'), EXPLAINED);
  assert.deepEqual([journal.name, journal.contentType], ['mock-journal.json', 'application/json']);
  assert.equal(JSON.parse(readFileSync(journal.path, 'utf8')).find(({status}) => status === 422).request_violations[0].rule, 'maximum');
});

test('the vitest tests of the sample application pass', async () => {
  const {status, output} = await run('vitest', ['run', '--root', 'sample', 'unit']);

  assert.equal(status, 0, output);
  assert.match(output, /Tests +4 passed/);
});

test('a failing vitest test shows what it called and why it got that', async () => {
  const {status, output} = await run('vitest', ['run', '--dir', 'tests/vitest']);

  assert.equal(status, 1, output);
  assert.match(output, /Tests +1 failed \| 2 passed/);
  assert.match(output, /expected 422 to be 200[^]*?1 call of the mock/);
  assert.match(output, EXPLAINED);
});

test('where the mock goes on, a failing test has the address of its session', async (context) => {
  const mock = await startMock();
  context.after(() => mock.end());
  const {output} = await run('vitest', ['run', '--dir', 'tests/vitest'], {env: {MOCK_URL: mock.url}});

  const [, name] = /while the mock runs: http:\S+\/_mock\/#\/requests\?session=(\S+)/.exec(output) ?? [];
  assert.ok((await mock.sessions()).some((session) => session.name === name), output);
});
