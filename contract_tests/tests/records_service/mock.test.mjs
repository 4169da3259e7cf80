// A run against a mock that was started by hand: the key of the real service is not sent, the output is
// short and has no path of this machine.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';

import {mock_server, root, run as run_program, run_suite, start_mock} from '../../../scripts/lib/programs.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-mock-'));
after(() => rmSync(folder, {recursive: true}));

const run = (url, flags, key) =>
  run_suite(['--base-url', url, '--gtest_filter=GET_cust*', ...flags], {env: {DODO_PAYMENTS_API_KEY: key}});

async function with_mock(flags, use) {
  const mock = await start_mock(...flags);
  try {
    await use(mock.url);
  } finally {
    await mock.stop();
  }
}

for (const key of ['sk_of_the_real_service_0123456789', 'dodo_live_0123456789abcdef']) {
  test(`a key like ${key.slice(0, 9)}... is not sent to the mock`, () => with_mock([], async (url) => {
    const {code, err} = await run(url, [], key);

    assert.equal(code, 0, err);
    assert.match(err, /^contract_tests: the server is the mock: a test token is used .*\n$/);
    const journal = await (await fetch(`${url}/_mock/requests/export?format=har`)).text();
    assert.ok(journal.includes('customers'));
    assert.ok(!journal.includes(key));
  }));
}

test('a test key in the environment is sent', () => with_mock(['--token', 'dodo_test_ours'], async (url) => {
  const {code, err} = await run(url, [], 'dodo_test_ours');

  assert.equal(code, 0, err);
  assert.equal(err, '');
}));

test('a mock with its own tokens ends the run with one line', () => with_mock(['--token', 'ours'], async (url) => {
  const {code, out, err} = await run(url, [], undefined);

  assert.equal(code, 3);
  assert.match(err, /^contract_tests: the mock rejects the token \(401\); use one .*\(mock_server --token\)\n$/);
  assert.doesNotMatch(out, / passed/);
}));

test('a run that satisfies the contract prints its summary alone', () => with_mock([], async (url) => {
  const {code, out} = await run(url, [], undefined);

  assert.equal(code, 0, out);
  assert.doesNotMatch(out, /\[ RUN|\[  PASSED|Google Test/);
  assert.match(out, / passed, 0 failed/);
  assert.ok(out.split('\n').length < 60, out);
}));

test('GoogleTest prints its own listing on request', () => with_mock([], async (url) => {
  const xml = path.join(folder, 'g.xml');

  assert.match((await run(url, ['--verbose'], undefined)).out, /\[  PASSED  \] \d+ tests/);
  assert.match((await run(url, [`--gtest_output=xml:${xml}`], undefined)).out, /\[ RUN      \]/);
  assert.match(readFileSync(xml, 'utf8'), /<testsuite name="GET_customers/);
}));

test('assumptions are listed without the place where this machine keeps them', async () => {
  const {out} = await run_program(mock_server, ['--list-assumptions']);

  assert.match(out, /^payments\.openapi\.yaml:\d+: \//);
  assert.ok(!out.includes(root));
});

test('what an operation requires beside its path is sent whenever it is asked', async () => {
  const contract = path.join(root, 'contract_tests/tests/records_service/required.yaml');
  await with_mock(['--contract', contract, '--token', 'ours'], async (url) => {
    const {code, out, report} = await run_suite(['--contract', contract, '--base-url', url, '--sandbox', '--token', 'ours']);

    const passed = report.cases.filter(({verdict}) => verdict === 'passed').map(({id}) => id);
    assert.equal(code, 0, out);
    assert.ok(passed.includes('POST_books.a_record_that_was_created_can_be_read'), out);
    assert.ok(passed.includes('DELETE_books_id.a_plain_request_succeeds_and_satisfies_its_schema'), out);
    assert.ok(!passed.some((id) => /^POST_tokens\.offering_compression/.test(id)));
  });
});
