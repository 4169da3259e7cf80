// A service of which the suite knows nothing but its contract: the records that a run needs are those that lists
// show, and those that it creates, parents first. The service is right, or has one fault, which is found by the case
// that is about it.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, describe, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {Library, Rejected} from './library_service.mjs';
import {run_suite} from './suite.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-library-'));
after(() => rmSync(folder, {recursive: true}));

// Resolves to what the suite ends with, and to `others`: whether the records that were there are as before.
async function tested({faults, flags = [], contract = 'library.yaml'} = {}) {
  const service = new Library(faults);
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
      assert.deepEqual(ended.report.tested['POST /books'],
                       {auth: 'tested', 'bad input': 'tested', create: 'tested'});
      assert.match(ended.out, /\nTested by kind\n(.*\n)*  change: 3 of 3 operations\n/);
      assert.ok(ended.asked < 8000, `${ended.asked} requests`);
      for (const name of ['POST /carts/{cart_id}/items', 'PUT /marks/{key}', 'POST /orders', 'DELETE /receipts/{code}']) {
        assert.ok(ended.reached.has(name), `${name}\n${ended.out}`);
      }
    });
  }

  test('is read without consent as far as lists show records, and the rest is said in a line', async () => {
    const ended = await tested();

    assert.deepEqual(found(ended), []);
    assert.ok(ended.others);
    assert.ok(ended.service.asked.every((line) => /^(GET|HEAD) /.test(line)));
    assert.ok(ended.reached.has('GET /books/{id}') && ended.reached.has('GET /authors/{author_id}'), ended.out);
    assert.equal(ended.report.tested['GET /books/{id}'].read, 'tested');
    assert.match(ended.report.tested['POST /books'].create, /^no consent: .*--allow-writes/);
    assert.match(ended.err, /no record is known for GET \/jobs\/\{job\}, .* \(--print-subjects --base-url http:.* prints a file/);
  });

  test('passes where a text of the plain request is taken already', async () => {
    let rejected = 0;
    const book = function book(right, sent, id) {
      rejected += sent.isbn.includes('ounterpart') ? 0 : 1;
      if (!sent.isbn.includes('ounterpart')) {
        throw new Rejected(409, 'there is a book of this isbn');
      }
      return right(sent, id);
    };
    const ended = await tested({faults: {book}, flags: ['--allow-writes', '--gtest_filter=*books*plain_request*']});

    assert.deepEqual(found(ended), []);
    assert.ok(rejected > 0 && ended.reached.has('POST /books') && ended.reached.has('PUT /books/{id}'), ended.out);
    assert.ok(ended.others);
  });

  test('passes where records cannot be deleted', async () => {
    const contract = changed('kept.yaml', (text) => text.replace(/    delete:\n      operationId: remove_job\n.*\n/, ''));
    const ended = await tested({flags: ['--sandbox', '--gtest_filter=*job*'], contract});

    assert.deepEqual(found(ended), []);
    assert.equal(ended.code, 0, ended.out);
    assert.ok(ended.report.cases.some(({rule, verdict}) => rule === 'record/another' && verdict === 'passed'), ended.out);
  });

  test('passes where a list alone shows the records to which others refer', async () => {
    const contract = changed('listed.yaml', (text) =>
        text.replace(/    post:\n      operationId: add_author[^]*?(?=  \/authors\/\{)/, '')
            .replace(/    delete:\n      operationId: remove_author[^]*?(?=  \/books:)/, ''));
    const ended = await tested({flags: ['--allow-writes', '--gtest_filter=*receipts*'], contract});

    assert.deepEqual(found(ended), []);
    assert.ok(ended.reached.has('GET /receipts/{code}') && ended.reached.has('DELETE /receipts/{code}'), ended.out);
    assert.ok(ended.others, ended.out);
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

const as_json = (bytes) => {
  try {
    return JSON.parse(bytes);
  } catch {
    return undefined;
  }
};

// name; the methods that are wrong; all that the suite finds, and no other rule of another operation.
const faults = [
  {name: 'a PUT adds to a number', put: (right, old, sent) => right(old, {...sent, pages: old.pages + (sent.pages ?? 0)}),
   finds: ['PUT /books/{id} record/again']},
  {name: 'a PUT appends to a text', put: (right, old, sent) => right(old, sent.shelf ? {...sent, shelf: `${old.shelf ?? ''}${sent.shelf}`} : sent),
   finds: ['PUT /books/{id} record/again']},
  {name: 'a PUT ignores a member', put: (right, old, sent) => right(old, {...sent, pages: old.pages}),
   finds: ['PUT /books/{id} record/member']},
  {name: 'a PUT keeps what it leaves out', put: (right, old, sent) => right(old, {...old, ...sent, revision: undefined}),
   finds: ['PUT /books/{id} record/left-out']},
  {name: 'a PATCH ignores a member', patch: (right, old, {pages, ...sent}) => right(old, sent),
   finds: ['PATCH /books/{id} record/member']},
  {name: 'a PATCH resets the others', patch: (right, {shelf, ...old}, sent) => right(old, sent),
   finds: ['PATCH /books/{id} record/others']},
  {name: 'a PATCH ignores null', patch: (right, old, sent) => right(old, Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))),
   finds: ['PATCH /books/{id} record/null']},
  {name: 'a POST drops a member', create: (right, kind, {pages, ...sent}) => right(kind, kind === 'books' ? {...sent, pages: 1} : sent),
   finds: ['POST /books record/member']},
  {name: 'a change that is rejected is made in part',
   read(right, request, bytes, kind, options) {
     const [, book] = /^\/books\/(\d+)$/.exec(request.url) ?? [];
     const sent = as_json(bytes);
     const old = this.books.get(Number(book));
     try {
       return right(request, bytes, kind, options);
     } catch (error) {
       if (old !== undefined && /^Counterpart/.test(sent?.title)) {
         old.title = sent.title;
       }
       throw error;
     }
   },
   finds: ['PATCH /books/{id} record/rejected', 'PUT /books/{id} record/rejected']},
  {name: 'a creation that is rejected leaves a record',
   read(right, request, bytes, kind, options) {
     const sent = as_json(bytes);
     try {
       return right(request, bytes, kind, options);
     } catch (error) {
       if (request.method === 'POST' && kind === 'books' && /^Counterpart/.test(sent?.title)) {
         this.create('books', {title: sent.title, isbn: sent.isbn, author_id: 3, pages: 1});
       }
       throw error;
     }
   },
   finds: ['POST /books record/rejected']},
  {name: 'a total is that of the start',
   total(right) {
     this.first ??= right();
     return Math.min(right(), this.first);
   },
   finds: ['POST /books record/listed']},
  {name: 'a total counts the last one that was deleted',
   total(right) {
     return right() + (this.asked.findLast((line) => /^(POST|DELETE) .books/.test(line))?.startsWith('DELETE') ? 1 : 0);
   },
   finds: ['DELETE /books/{id} record/delisted']},
  {name: 'a DELETE deletes two', others: false,
   drop(right, kind, key) {
     if (kind === 'books') {
       this.books.delete(11);
     }
     return right(kind, key);
   },
   finds: ['DELETE /books/{id} record/deleted-others']},
  {name: 'a record that was deleted can be read', drop: (right, kind, key) => (kind === 'books' ? {status: 204} : right(kind, key)),
   others: false, finds: ['DELETE /books/{id} record/deleted']},
  {name: 'an unknown identifier is a 400',
   find(right, kind, key) {
     if (kind === 'books' && Number.isInteger(key) && !this.books.has(key)) {
       throw new Rejected(400, 'there is no such book');
     }
     return right(kind, key);
   },
   finds: ['GET /books/{id} record/not-found']},
  {name: 'an unknown identifier gives a neighbour',
   find(right, kind, key) {
     return kind === 'books' && Number.isInteger(key) && !this.books.has(key) ? this.books.get(11) : right(kind, key);
   },
   others: false, finds: ['GET /books/{id} record/unknown']},
  {name: 'a PUT brings a record back that was deleted',
   answer(right, request, bytes) {
     const key = Number(/^\/books\/(\d+)$/.exec(request.url)?.[1]);
     if (request.method !== 'PUT' || this.books.has(key) || !(key < this.next)) {
       return right(request, bytes);
     }
     const body = {id: key, ...this.book(this.read(request, bytes, 'books'))};
     this.books.set(key, body);
     return {status: 200, body};
   },
   finds: ['PUT /books/{id} record/not-found']},
  {name: 'an identifier of another collection gives a neighbour', filter: '*job*:*cart*',
   find(right, kind, key) {
     return kind === 'jobs' && this.carts.has(key) ? [...this.jobs.values()][0] : right(kind, key);
   },
   finds: ['GET /jobs/{job} record/unknown']},
  {name: 'an upload is cut', filter: '*scan*', stored: (right, file) => right({...file, bytes: file.bytes.subarray(0, 9000)}),
   finds: ['POST /scans record/download']},
  {name: 'a download is of another type', filter: '*scan*',
   content: (right, scan) => ({...right(scan), headers: {...right(scan).headers, 'Content-Type': 'text/plain'}}),
   finds: ['POST /scans record/download']},
  {name: 'a download has another name', filter: '*scan*',
   content: (right, scan) => ({...right(scan), headers: {...right(scan).headers, 'Content-Disposition': 'attachment; filename="x"'}}),
   finds: ['POST /scans record/download']},
];

describe('a fault', () => {
  for (const {name, finds, others = true, filter = '*books*', ...methods} of faults) {
    test(`${name}: found, and nothing else`, async () => {
      const ended = await tested({faults: methods, flags: ['--allow-writes', `--gtest_filter=${filter}`]});

      const rules = ended.report.cases.flatMap((item) => item.findings.filter(({severity}) => severity !== 'note').map(
          ({rule}) => `${item.operation_name} ${rule}`));
      assert.deepEqual([...new Set(rules)].sort(), finds, `${found(ended).join('\n')}\n${ended.out}`);
      assert.ok(ended.others || !others, ended.out);
    });
  }
});
