// One cause is one finding: what follows from it says so, and is none.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {Service} from './crud_service.mjs';
import {run_suite} from './suite.mjs';

// `answer` responds to a path instead of the service, where it gives something.
async function run_with(answer, flags = []) {
  const service = new Service();
  const own = service.answer.bind(service);
  service.answer = (method, path, text) => answer(method, path) ?? own(method, path, text);
  await service.start();
  try {
    return await run_suite('crud.yaml', service.url, flags);
  } finally {
    await service.stop();
  }
}

const cases_of = (report, operation) => report.cases.filter((item) => item.operation === operation);

function errors_of(items) {
  return items.flatMap((item) => item.findings).filter((finding) => finding.severity === 'error');
}

describe('an operation whose plain request fails', () => {
  test('has one finding, on which its other cases lean', async () => {
    const {code, report} =
        await run_with((method, path) => path.startsWith('/todos/count') ? [500] : undefined);

    const cases = cases_of(report, 'count_todos');
    const [plain, ...others] = cases;
    assert.equal(code, 1);
    assert.deepEqual(errors_of(cases).map((finding) => finding.rule), ['status/success']);
    assert.equal(plain.verdict, 'failed');
    const leaning = others.filter((item) => item.verdict === 'inconclusive');
    assert.ok(leaning.length > 5);
    for (const item of leaning) {
      assert.equal(item.caused_by, plain.id);
      assert.match(item.reason, /the plain request of the operation fails \(500 Internal Server Error\): see/);
    }
    assert.equal(errors_of(cases_of(report, 'list_todos')).length, 0);
  });

  test('has further findings where something else is wrong too', async () => {
    const {report} = await run_with((method, path) => {
      if (path.startsWith('/notes/')) {
        return path === '/notes/1' ? [404] : [500];
      }
      return undefined;
    });

    const errors = errors_of(cases_of(report, 'find_note'));
    assert.deepEqual([...new Set(errors.map((finding) => finding.rule))].sort(),
                     ['parameter/type', 'status/hostile']);
    assert.ok(errors.every((finding) => finding.response.startsWith('500')));
  });
});

describe('an operation whose responses change by themselves', () => {
  test('is not compared with itself', async () => {
    let count = 0;
    const {code, report} = await run_with(
        (method, path) => path === '/todos/count' ? [200, {count: ++count}] : undefined, ['--gtest_filter=GET_todos_count*']);

    const cases = cases_of(report, 'count_todos');
    assert.deepEqual(errors_of(cases), []);
    const notes = cases.flatMap(({findings}) => findings.map(({rule, severity}) => `${severity} ${rule}`));
    assert.ok(notes.includes('note same/twice'), JSON.stringify(report.reasons));
    assert.equal(report.counts.inconclusive, 0, JSON.stringify(report.reasons));
    assert.equal(code, 0);
  });
});

test('a body that the service need not take is no finding', async () => {
  const {report} = await run_with((method, path) => path === '/notes/1' ? [400] : undefined);

  assert.deepEqual(errors_of(cases_of(report, 'find_note')), []);
});
