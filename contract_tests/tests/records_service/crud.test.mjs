// What the suite does to a service that it has no rules for: nothing without consent, and with it
// only what it puts back.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, describe, test} from 'node:test';

import {root} from '../../../scripts/lib/programs.mjs';
import {at_first, Service} from './crud_service.mjs';
import {run_suite} from './suite.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-crud-'));
after(() => rmSync(folder, {recursive: true}));

const subjects = path.join(folder, 'subjects.yaml');
writeFileSync(subjects, 'replace_todo: {id: "1"}\nchange_todo: {id: "1"}\nreplace_user: {id: "1"}\n');
const writing = ['--allow-writes', '--subjects', subjects];

// Resolves to {code, out, err, report}; interrupts the run as soon as `until` is true.
const run = (service, flags, until) => run_suite('crud.yaml', service.url, flags, {until, into: folder});

async function with_service(options, use) {
  const service = await new Service(options).start();
  try {
    await use(service);
  } finally {
    await service.stop();
  }
}

describe('without consent', () => {
  test('no method is sent that is not safe', () => with_service({}, async (service) => {
    const {out, report} = await run(service, []);

    assert.deepEqual(service.writes(), []);
    assert.deepEqual(service.state, at_first());
    assert.ok(service.asked.length > 100, out);
    assert.ok(!service.asked.some((line) => line.startsWith('OPTIONS')));
    assert.deepEqual(report.writes, {records: 0, not_put_back: []});
    assert.doesNotMatch(out, /were undone \(/);
  }));

  test('methods outside the contract have unknown identifiers', () => with_service({}, async (service) => {
    await run(service, ['--allow-probes']);

    assert.ok(service.writes().length > 0);
    for (const line of service.writes()) {
      assert.match(line, /counterpart-nobody-has-this/);
    }
    assert.deepEqual(service.state, at_first());
  }));

  test('a method that a sibling of the same path has is none outside the contract',
       () => with_service({}, async (service) => {
    await run(service, ['--allow-probes']);

    const methods = new Set(service.asked.filter((line) => /^\w+ \/todos\/counterpart-nobody/.test(line))
                                .map((line) => line.split(' ')[0]));
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      assert.ok(!service.writes().includes(`${method} /todos/count`));
      assert.ok(method === 'GET' || !methods.has(method), method);
    }
  }));
});

// Records that the run has created itself: the others are 1 and 2.
const own_books = /^(POST \/books|(PUT|DELETE) \/books\/[3-9])(\?|$)/;

describe('with --allow-writes', () => {
  test('only records of the run\'s own are written where none is named', () => with_service({}, async (service) => {
    const {out, report} = await run(service, ['--allow-writes']);

    for (const method of ['POST', 'PUT', 'DELETE']) {
      assert.ok(service.writes().filter((line) => line.startsWith(method)).length > 10, out);
    }
    for (const line of service.writes()) {
      assert.match(line, own_books);
    }
    assert.deepEqual(service.state, at_first());
    assert.deepEqual(report.writes.not_put_back, []);
    assert.deepEqual(report.cases.flatMap((item) => item.findings).filter((one) => one.rule.startsWith('record/')), []);
    assert.match(out, /name one that may be changed with --subjects/);
  }));

  test('the named record is put back, and nothing else is written', () => with_service({}, async (service) => {
    const {out, report} = await run(service, [...writing, '--gtest_filter=-*books*']);

    assert.ok(service.writes().length > 10, out);
    for (const line of service.writes()) {
      assert.match(line, /^(PUT|PATCH) \/todos\/1(\?|$)/);
    }
    assert.deepEqual(service.state, at_first());
    assert.deepEqual(report.writes, {records: 1, not_put_back: []});
    assert.match(out, /All changes were undone \(1 record\)/);
  }));

  test('what will be sent is said before', () => with_service({}, async (service) => {
    const {err} = await run(service, [...writing, '--gtest_filter=*plain_request*']);
    const dry = await run(service, [...writing, '--gtest_filter=*plain_request*', '--dry-run']);

    const text = 'this run will send at least DELETE 3, PATCH 1, POST 3, PUT 2 at 3 paths of ' + service.url;
    assert.ok(err.includes(text), err);
    assert.match(err, /1 DELETE \/books\/\{id\}: of records that the run creates and removes/);
    assert.match(err, /1 PUT \/todos\/\{id\}: the record is written back/);
    assert.ok(dry.out.includes(text), dry.out);
    assert.match(dry.out, /# the record is created before by POST \/books, and removed after by DELETE/);
  }));

  test('a run that was interrupted removes what it created', () => with_service({}, async (service) => {
    const {code, out} = await run(service, ['--allow-writes', '--rate', '50', '--gtest_filter=*books*'],
                                  () => Object.keys(service.state.books).length > 2);

    assert.equal(code, 3, out);
    assert.deepEqual(service.state, at_first());
  }));

  test('no PUT goes to a record with a member that it could remove for good', () => with_service({}, async (service) => {
    service.state.todos[1].owner = 'nobody names this';

    const {out} = await run(service, [...writing, '--gtest_filter=-*books*']);

    assert.deepEqual(service.writes(), []);
    assert.match(out, /the record has the member "owner", which the contract does not have/);
  }));

  test('what is not sent says why', () => with_service({}, async (service) => {
    const {report} = await run(service, writing);

    const reasons = report.reasons.map((each) => each.reason).join('\n');
    assert.match(reasons, /it may create something or start an action/);
    assert.match(reasons, /it may delete something/);
    assert.match(reasons, /it may change "password", which GET of the same path does not show/);
    assert.match(reasons, /its path does not name a single record/);
    assert.match(reasons, /changes the identifier of the record/);
  }));

  test('what the service alone writes is listed', () => with_service({stamps: true}, async (service) => {
    const {out, report} = await run(service, writing);

    const {changed_at, ...rest} = service.state.todos[1];
    assert.deepEqual(rest, at_first().todos[1]);
    assert.match(out, /Changes that could not be undone\n.*\/todos\/1 \/changed_at is now/);
    assert.ok(report.writes.not_put_back.length > 0);
    assert.match(readFileSync(path.join(folder, 'summary.txt'), 'utf8'), /Changes that could not be undone\n.*changed_at/);
  }));

  test('what a service does not take back is listed with what it was',
       () => with_service({stubborn: 4}, async (service) => {
    const {out, report} = await run(service, [...writing, '--gtest_filter=-*books*']);

    const same = JSON.stringify(service.state) === JSON.stringify(at_first());
    assert.equal(report.writes.not_put_back.length === 0, same, out);
    assert.ok(same || /could not be restored; before the run it was .*Feed the cat/.test(out), out);
  }));

  // The first one writes what GET showed.
  const spoil = (todos) => Object.values(todos).forEach((one) => {
    one.title = 'spoilt';
  });
  for (const [name, first, errors] of [
    ['fails and changes the record all the same', {ends: [500], does: spoil}, true],
    ['ends without a response and changes the record all the same', {ends: 'cut', does: spoil}, false],
    ['fails and changes nothing', {ends: [500]}, true]]) {
    test(`a record is as before where the first write ${name}`, () => with_service({first}, async (service) => {
      const {out, report} = await run(service, [...writing, '--gtest_filter=*todos_id*']);

      assert.deepEqual(service.state.todos[1], at_first().todos[1], out);
      assert.deepEqual(report.writes.not_put_back, [], out);
      const found = report.cases.flatMap((item) => item.findings)
                        .filter(({message}) => message.includes('sends what GET shows, but is 500'));
      assert.equal(found.length > 0, errors, out);
    }));
  }

  test('an interrupted run puts back what it changed', () => with_service({}, async (service) => {
    const {code, out, report} = await run(
        service, [...writing, '--rate', '50', '--gtest_filter=*todos*plain_request*'],
        () => service.state.todos[1]?.title !== at_first().todos[1].title);

    assert.equal(code, 3);
    assert.ok(report.interrupted, out);
    assert.deepEqual(service.state, at_first());
    assert.match(out, /All changes were undone/);
  }));
});

// By the case that is about it, and nothing of others is changed.
for (const [fault, rule, operation] of [
  ['anything is found', 'record/unknown', 'GET /books/{id}'], ['another is found', 'record/another', 'GET /books/{id}'],
  ['none is created', 'record/created', 'POST /books'], ['no change is stored', 'record/changed', 'PUT /books/{id}'],
  ['none is removed', 'record/deleted', 'DELETE /books/{id}']]) {
  test(`a service by which ${fault} is found out`, () => with_service({fault}, async (service) => {
    const {out, report} = await run(service, ['--allow-writes', '--gtest_filter=*books*']);

    const found = report.cases.flatMap((item) => item.findings.map((one) => [one.rule, item.operation_name, one.curl]))
                      .filter(([name]) => name.startsWith('record/'));
    assert.deepEqual(found.map(([name, by]) => [name, by]), [[rule, operation]], out);
    assert.match(found[0][2] ?? '', /^(curl|printf) .*\/books/, out);
    for (const id of [1, 2]) {
      assert.deepEqual(service.state.books[id], at_first().books[id]);
    }
    const left = Object.keys(service.state.books).slice(2);
    assert.ok(left.length <= 1, out);
    assert.equal(report.writes.not_put_back.length >= left.length, true);
  }));
}

test('what cannot be removed is listed with the request that would', () => with_service({fault: 'none may be removed'},
                                                                                        async (service) => {
  const {out, report} = await run(service, ['--allow-writes', '--gtest_filter=*books*']);

  assert.deepEqual(Object.keys(service.state.books), ['1', '2', '3']);
  assert.equal(report.writes.not_put_back.length, 1);
  assert.match(report.writes.not_put_back[0].what, /^\/books\/3 was created by the run and may still exist/);
  assert.match(report.writes.not_put_back[0].curl, /-X DELETE .*\/books\/3'$/);
  assert.match(readFileSync(path.join(folder, 'summary.txt'), 'utf8'), /undo it: curl .*-X DELETE .*\/books\/3'/);
  assert.match(out, /cannot be removed \(DELETE \/books\/\{id\}: 403\), so no more are created/);
}));

test('a record that may not be new is not removed', () => with_service({fault: 'finds one'}, async (service) => {
  const {report} = await run(service, ['--allow-writes', '--gtest_filter=*books*']);

  assert.deepEqual(service.state, at_first());
  assert.ok(!service.writes().some((line) => !line.startsWith('POST')));
  assert.match(report.writes.not_put_back[0].what, /^\/books\/1 may be a record that the run created/);
}));

test('nothing is created by a case where no response shows that it is new',
     () => with_service({fault: 'texts name them'}, async (service) => {
  const {out, report} = await run(service, ['--allow-writes', '--gtest_filter=*books*']);

  assert.deepEqual(service.state, at_first());
  assert.deepEqual(report.writes.not_put_back, []);
  assert.match(out, /do not show that a record is new \(status 201, or a growing number as identifier\)/);
  assert.ok(service.writes().filter((line) => line.startsWith('PUT')).length > 10, out);
}));

test('nothing is created that a response could not show',
     () => with_service({fault: 'all that is sent is shown'}, async (service) => {
  const {out, report} = await run(service, ['--allow-writes', '--gtest_filter=*books*']);

  assert.deepEqual(service.state, at_first());
  assert.deepEqual(report.writes.not_put_back, []);
  assert.ok(service.writes().filter((line) => line.startsWith('POST')).length > 10, out);
  assert.match(out, /a response with its body could not be read, so what it creates could not be found/);
}));

for (const flags of [['--jobs', '4'], ['--repeat', '2'], ['--max-requests', '23'], ['--max-requests', '24'],
                     ['--max-requests', '25'], ['--max-requests', '26'], ['--max-requests', '27'], ['--deadline', '2']]) {
  test(`nothing is left with ${flags.join(' ')}`, () => with_service({}, async (service) => {
    const {report} = await run(service, ['--allow-writes', '--gtest_filter=*books*', ...flags]);

    assert.ok(service.writes().length > 3);
    assert.deepEqual(service.state, at_first());
    assert.deepEqual(report.writes.not_put_back, []);
    assert.ok(flags[0] !== '--max-requests' || service.asked.length <= Number(flags[1]));
  }));
}

test('responses of two reads that are swapped are found', () => with_service({fault: 'reads are swapped'}, async (service) => {
  const {out, report} = await run(service, ['--allow-writes', '--gtest_filter=*books*', '--jobs', '1']);

  const found = report.cases.flatMap((item) => item.findings.map(({rule}) => rule));
  assert.ok(found.includes('http/poisoned'), out);
  assert.deepEqual(service.state, at_first());
}));

test('what is being created at the deadline is removed', () => with_service({fault: 'creates slowly'}, async (service) => {
  const {report} = await run(service, ['--allow-writes', '--gtest_filter=*books*', '--deadline', '1']);

  assert.ok(service.asked.some((line) => line.startsWith('DELETE /books/3')));
  assert.deepEqual(service.state, at_first());
  assert.deepEqual(report.writes.not_put_back, []);
}));

describe('with --allow-writes-to', () => {
  test('the operations that it names are sent, and listed', () => with_service({}, async (service) => {
    const {report} = await run(service, ['--allow-writes-to', 'mail_password', '--allow-writes-to', 'DELETE /todos/{id}']);

    assert.ok(service.state.mails > 10);
    assert.deepEqual(Object.keys(service.state.todos), ['2']);
    for (const line of service.writes()) {
      assert.match(line, /^(POST \/users\/.*\/password-mail|DELETE \/todos\/)/);
    }
    const left = report.writes.not_put_back.map(({what}) => what);
    assert.equal(left.length, 2);
    assert.match(left[0], /^DELETE \/todos\/\{id\}: 1 request was not rejected \(204\), .*: \/todos\/1$/);
    assert.match(left[1], /^POST \/users\/\{id\}\/password-mail: \d+ requests were not rejected \(202\), .*[ ,]\/users\/1\/password-mail/);
  }));
});

test('with --sandbox everything is sent, and the list of what was left is complete',
     () => with_service({}, async (service) => {
  const {err, report} = await run(service, ['--sandbox']);

  assert.match(err, /\d+ PATCH \/todos: not undone/);
  const left = report.writes.not_put_back.map(({what}) => what).join('\n');
  const written = new Set(service.writes().map((line) => `${line.split('/')[0]}/${line.split('/')[1].split('?')[0]}`));
  for (const kind of ['PUT /todos', 'PATCH /todos', 'POST /todos', 'DELETE /todos', 'POST /users', 'PUT /users']) {
    assert.ok(written.has(kind), kind);
    assert.ok(left.includes(kind), left);
  }
  assert.deepEqual(Object.keys(service.state.books), ['1', '2']);  // what was created is removed
  assert.deepEqual(service.state.notes, at_first().notes);
}));

test('with --sandbox and no records of the run\'s own, what deletes comes after what it deletes was read',
     () => with_service({fault: 'none is created'}, async (service) => {
  const {out, report} = await run(service, ['--sandbox', '--gtest_filter=*books*']);

  assert.equal(service.state.books[1], undefined, out);  // named by the example
  const reading = report.cases.filter((item) => item.operation === 'find_book');
  assert.deepEqual(reading.flatMap((item) => item.findings.filter(({severity}) => severity === 'error')), [], out);
  assert.deepEqual(reading.filter(({reason}) => /^its record is gone/.test(reason)), [], out);
}));

describe('a service that limits its callers', () => {
  test('is waited for no longer in all than --max-wait', () => with_service({limit: 6}, async (service) => {
    const started = Date.now();

    const {code, out, report} = await run(service, ['--max-wait', '3', '--gtest_filter=GET*']);

    assert.ok(Date.now() - started < 60_000);
    assert.equal(code, 3, out);
    assert.deepEqual(report.waits, {waited_ms: 3000, max_ms: 3000});
    assert.match(out, /Waited 3 s of at most 3 s/);
    assert.match(out, /429 Too Many Requests; waiting for it would exceed --max-wait \(3 s\)/);
  }));

  test('is given time to take a record back', () => with_service({limit: 6}, async (service) => {
    const {out} = await run(service, [...writing, '--max-wait', '6', '--gtest_filter=P*']);

    assert.ok(service.writes().length > 3, out);
    assert.deepEqual(service.state, at_first());
  }));
});

test('a finding says where the contract states it, and not where this machine keeps it',
     () => with_service({wrong: true}, async (service) => {
  const {code, out, report} = await run(service, ['--gtest_filter=GET_todos_count*']);

  assert.equal(code, 1);
  const finding = report.cases.flatMap((item) => item.findings).find((one) => one.rule === 'schema/type');
  assert.match(finding.stated_at, /^crud\.yaml:\d+:\d+$/);
  for (const text of [out, ...['run.json', 'junit.xml', 'report.html', 'summary.txt'].map(
                              (name) => readFileSync(path.join(folder, name), 'utf8'))]) {
    assert.ok(!text.includes(root));
  }
  // In full once, however many cases meet it.
  assert.equal(out.split(`id        ${finding.fingerprint}`).length, 2);
}));
