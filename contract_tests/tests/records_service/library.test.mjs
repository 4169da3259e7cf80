// A service of which the suite knows nothing but its contract: the records that a run needs are those that lists
// show, and those that it creates, parents first. The service is right, or has one fault, which is found by the case
// that is about it.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, describe, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {Library} from './library_service.mjs';
import {run_suite} from './suite.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-library-'));
after(() => rmSync(folder, {recursive: true}));

// Resolves to what the suite ends with, and to `others`: whether the records that were there are as before.
async function tested({faults, flags = [], contract = 'library.yaml', before = () => {}} = {}) {
  const service = new Library(faults);
  before(service);
  await new Promise((done) => service.server.listen(0, '127.0.0.1', done));
  const state = service.state();
  try {
    const ended = await run_suite(contract, `http://127.0.0.1:${service.server.address().port}`, flags);
    const reached = new Set(ended.report.cases.filter(({verdict}) => verdict === 'passed').map((item) => item.operation_name));
    return {...ended, service, reached, others: service.state() === state, asked: service.asked.length};
  } finally {
    service.server.closeAllConnections();
    await new Promise((done) => service.server.close(done));
  }
}

// A contract like that of the service, changed.
function changed(name, change) {
  const file = path.join(folder, name);
  writeFileSync(file, change(readFileSync(new URL('library.yaml', import.meta.url), 'utf8')));
  return pathToFileURL(file).href;
}

function found({report}) {
  return report.cases.flatMap((item) => item.findings.filter(({severity}) => severity !== 'note').map(
      ({severity, rule, place, message}) => `${severity} ${item.operation_name}: ${item.sentence}: ${rule} ${place} ${message}`));
}

describe('a service that is right', () => {
  for (const flags of [['--allow-writes'], ['--sandbox']]) {
    test(`passes with ${flags}, and what was there is as before`, async () => {
      const ended = await tested({flags});

      assert.deepEqual(found(ended), []);
      assert.equal(ended.code, 0, ended.out);
      assert.ok(ended.others, ended.out);
      assert.deepEqual(ended.report.writes.not_put_back, []);
      assert.ok(ended.asked < 8000, `${ended.asked} requests`);
      assert.ok(ended.reached.has('POST /carts/{cart_id}/items') && ended.reached.has('PUT /marks/{key}'));
    });
  }

  test('is read without consent as far as lists show records, and the rest is said in a line', async () => {
    const ended = await tested();

    assert.deepEqual(found(ended), []);
    assert.ok(ended.others);
    assert.ok(ended.service.asked.every((line) => /^(GET|HEAD) /.test(line)));
    assert.ok(ended.reached.has('GET /books/{id}') && ended.reached.has('GET /authors/{author_id}'), ended.out);
    assert.match(ended.err, /no record is known for GET \/jobs\/\{job\}, .* \(--print-subjects --base-url http:.* prints a file/);
  });

  test('passes where a text of the plain request is taken already', async () => {
    const taken = (service) => {
      for (const isbn of ['Written by a request', 'a', 'x', 'W']) {
        service.create('books', {title: 'left behind', isbn, author_id: 3, pages: 1, revision: 1});
      }
      service.book = function book(sent, id) {
        if (!/counterpart\d/i.test(sent.isbn) && id === undefined) {
          this.refused = true;
        }
        return Object.getPrototypeOf(this).book.call(this, sent, id);
      };
    };
    const ended = await tested({flags: ['--allow-writes', '--gtest_filter=*books*'], before: taken});

    assert.deepEqual(found(ended), []);
    assert.ok(ended.reached.has('POST /books') && ended.reached.has('DELETE /books/{id}'), ended.out);
    assert.ok(ended.others);
  });

  test('passes where records cannot be deleted', async () => {
    const contract = changed('kept.yaml', (text) => text.replace(/    delete:\n      operationId: remove_job\n.*\n/, ''));
    const ended = await tested({flags: ['--sandbox', '--gtest_filter=*job*'], contract});

    assert.deepEqual(found(ended), []);
    assert.equal(ended.code, 0, ended.out);
    assert.ok(ended.report.cases.some(({rule, verdict}) => rule === 'record/another' && verdict === 'passed'), ended.out);
  });

  test('takes a body of the subjects as the start, of which one member changes at a time', async () => {
    const file = path.join(folder, 'subjects.yaml');
    writeFileSync(file, 'add_author: {body: {name: Chosen Name}}\n');
    const bodies = [];
    const create = function create(right, kind, sent) {
      bodies.push([kind, sent.name]);
      return right(kind, sent);
    };
    const ended = await tested({faults: {create}, flags: ['--allow-writes', '--subjects', file, '--gtest_filter=*authors*']});

    assert.deepEqual(found(ended), []);
    assert.ok(bodies.filter(([kind, name]) => kind === 'authors' && name === 'Chosen Name').length > 10, ended.out);
  });
});
