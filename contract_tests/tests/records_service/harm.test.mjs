// Services that do more than they are asked for, with consent to changes that can be undone: what the suite sees
// of it ends the changes at once, is a finding, and is never called undone.
import assert from 'node:assert/strict';
import http from 'node:http';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {run_suite} from './suite.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-harm-'));
after(() => rmSync(folder, {recursive: true}));
const subjects = path.join(folder, 'subjects.yaml');
writeFileSync(subjects, 'replace_stock: {id: "1"}\nfind_item: {id: "7"}\n');

// `puts`: what becomes of the stock by a PUT. `takes`: which other item a DELETE removes. `counts`: what the list
// calls its total. `lost`: after how many deletions. `more`: another member of the stock.
class Service {
  constructor({puts = (_, sent) => sent, takes = () => undefined, counts = ({items}) => items.size, lost = 1, more} = {}) {
    Object.assign(this, {puts, takes, counts, lost, asked: [], deletions: 0, reads: 0});
    this.stock = {quantity: 26, place: 'Hall 4', ...(more === undefined ? {} : {more})};
    this.items = new Map(Array.from({length: 25}, (_, at) => [at + 1, {id: at + 1, name: `item ${at + 1}`}]));
    this.next = 26;
    this.server = http.createServer((request, response) => this.take(request, response));
  }

  take(request, response) {
    let text = '';
    request.on('data', (bytes) => {
      text += bytes;
    });
    request.on('end', () => {
      this.asked.push(`${request.method} ${request.url}`);
      const [status, body] = this.answer(request.method, new URL(request.url, 'http://h'), text);
      const bytes = body === undefined ? '' : JSON.stringify(body);
      response.writeHead(status, bytes ? {'Content-Type': 'application/json'} : {});
      response.end(request.method === 'HEAD' ? '' : bytes);
    });
  }

  answer(method, url, text) {
    let sent;
    try {
      sent = JSON.parse(text);
    } catch {
      sent = undefined;
    }
    const [, kind, key] = url.pathname.split('/');
    const reads = method === 'GET' || method === 'HEAD';
    if (kind === 'stock' && key === '1') {
      const valid = Number.isInteger(sent?.quantity) && typeof sent.place === 'string' && sent.place.length <= 20;
      if (method === 'PUT' && valid) {
        this.stock = this.puts(this.stock, {quantity: sent.quantity, place: sent.place}, sent.more);
      }
      return reads ? [200, this.stock] : method !== 'PUT' ? [405] : valid ? [204] : [422];
    }
    if (kind !== 'items') {
      return [404];
    }
    return key === undefined ? this.list(method, url, sent) : this.item(method, Number(key), reads);
  }

  list(method, url, sent) {
    if (method === 'POST') {
      if (typeof sent?.name !== 'string' || sent.name.length > 40) {
        return [422];
      }
      const item = {id: this.next++, name: sent.name};
      this.items.set(item.id, item);
      return [201, item];
    }
    const page = url.searchParams.get('page') ?? '1';
    if (!/^[1-9]\d{0,8}$/.test(page)) {
      return [400];
    }
    const from = (Number(page) - 1) * 10;
    const items = [...this.items.values()].slice(from, from + 10);
    return [200, {items, total: this.counts(this)}];
  }

  item(method, id, reads) {
    const item = this.items.get(id);
    if (item === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      this.items.delete(id);
      if (++this.deletions >= this.lost) {
        this.items.delete(this.takes(this, id));
      }
      return [204];
    }
    return reads ? [200, {...item, read: ++this.reads}] : [405];
  }
}

// Of a run with consent to changes that are undone.
async function tested(options, filter, contract = 'harm.yaml') {
  const service = new Service(options);
  await new Promise((done) => service.server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${service.server.address().port}`;
  try {
    const {code, out, report} =
        await run_suite(contract, url, ['--allow-writes', '--subjects', subjects, `--gtest_filter=${filter}`]);
    const found = report.cases.flatMap((item) => item.findings).filter(({rule}) => rule.startsWith('record/'));
    return {service, code, out, report, found};
  } finally {
    service.server.closeAllConnections?.();
    await new Promise((done) => service.server.close(done));
  }
}

const writes = (service) => service.asked.filter((line) => /^(PUT|POST|DELETE|PATCH) /.test(line));

test('a PUT that adds is put back after one trial, and is not idempotent', async () => {
  const {service, code, out, report, found} =
      await tested({puts: (was, sent) => ({...sent, quantity: was.quantity + sent.quantity})}, '*stock*');

  assert.deepEqual(service.stock, {quantity: 26, place: 'Hall 4'});
  assert.equal(writes(service).length, 2, out);
  assert.equal(code, 1);
  assert.deepEqual(found.map(({rule, severity}) => [rule, severity]), [['record/trial', 'error']], out);
  assert.match(found[0].message, /must be 26 after PUT of what GET shows, but is 52: PUT is not idempotent/);
  assert.deepEqual(report.writes.not_put_back, []);
});

test('a PUT that counts up is tried once', async () => {
  const {service, out, report, found} =
      await tested({puts: (was, sent) => ({...sent, quantity: was.quantity + 1})}, '*stock*');

  assert.equal(writes(service).length, 1, out);
  assert.equal(service.stock.quantity, 27);
  assert.deepEqual(found.map(({rule, severity}) => [rule, severity]), [['record/trial', 'warning']], out);
  assert.match(report.writes.not_put_back[0].what, /\/stock\/1 \/quantity is now 27 and was 26/);
  assert.doesNotMatch(out, /All changes were undone/);
});

test('what only the first PUT spoils is put back', async () => {
  let first = true;
  const puts = (_, sent) => {
    const place = first ? 'spoilt' : sent.place;
    first = false;
    return {...sent, place};
  };
  const {service, out, found} = await tested({puts}, '*stock*');

  assert.deepEqual(service.stock, {quantity: 26, place: 'Hall 4'});
  assert.equal(writes(service).length, 2, out);
  assert.deepEqual(found.map(({rule}) => rule), ['record/trial']);
});

// A contract whose stock has a member `more` of this schema.
function contract_with(schema) {
  const file = path.join(folder, 'more.yaml');
  const text = readFileSync(new URL('harm.yaml', import.meta.url), 'utf8');
  writeFileSync(file, text.replace('maxLength: 20}}', `maxLength: 20}, more: ${schema}}`));
  return pathToFileURL(file).href;
}

for (const [what, schema, more, change] of [
  ['a number in an object', '{type: object, properties: {a: {type: integer}}}', {a: 26},
   (was, sent) => ({a: was.a + sent.a})],
  ['a fraction', '{type: number}', 2.5, (was, sent) => was + sent],
  ['a list', '{type: array, items: {type: string}}', ['a'], (was, sent) => [...was, ...sent]],
  ['a text', '{type: string}', 'a', (was, sent) => was + sent]]) {
  test(`a PUT that adds to ${what} is tried once`, async () => {
    const puts = (was, sent, added) => ({...sent, more: change(was.more, added)});
    const {service, out, report, found} = await tested({puts, more}, '*stock*', contract_with(schema));

    assert.equal(writes(service).length, 1, out);
    assert.deepEqual(service.stock.more, change(more, more));
    assert.deepEqual(found.map(({rule, place}) => [rule, place]), [['record/trial', 'body/more']], out);
    assert.match(found[0].message, /: the service changes it under PUT, so nothing more was written; its old values: curl .*PUT/);
    assert.match(report.writes.not_put_back[0].curl, /^curl .* -X PUT .*"more":/);
  });
}

for (const schema of ['{type: string, format: date-time}', '{type: string}']) {
  test(`a time that every PUT sets to now is no change: ${schema}`, async () => {
    const puts = (_, sent) => ({...sent, more: new Date().toISOString()});
    const {service, out, found} =
        await tested({puts, more: '2026-01-01T00:00:00Z'}, '*stock*', contract_with(schema));

    assert.deepEqual(found, [], out);
    assert.ok(writes(service).length > 2, out);
    assert.equal(service.stock.quantity, 26);
  });
}

test('a PUT that cannot be undone after a case is not used any more', async () => {
  let more = 0;  // after the first change
  const puts = (was, sent) => {
    more += was.quantity < 26 ? 1 : 0;
    return {...sent, quantity: Math.min(was.quantity, sent.quantity)};
  };
  const {service, out} = await tested({puts}, '*stock*');

  assert.ok(service.stock.quantity < 26, out);
  assert.equal(more, 1, out);  // the one that should have restored it
  assert.match(out, /\/stock\/1 \/quantity is now \d+ and was 26/);
});

test('a service that does what it is asked for is left as it was, which is verified', async () => {
  const {service, out, report, found} = await tested({}, '*');

  assert.deepEqual(found, []);
  assert.deepEqual([...service.items.keys()], Array.from({length: 25}, (_, at) => at + 1));
  assert.deepEqual(report.writes.unverified, undefined);
  assert.match(out, /All changes were undone \(\d+ records\)/);
});

for (const [which, takes, severity] of [
  ['on another page', ({items}) => [...items.keys()][12], 'warning'],
  ['on the last page', ({items}) => [...items.keys()].at(-1), 'error'],
  ['that is named', () => 7, 'error']]) {
  test(`a DELETE that removes a second record ${which} is sent once`, async () => {
    const {service, code, out, report, found} = await tested({takes}, '*items*');

    assert.equal(service.items.size, 24, out);
    assert.equal(code, 1);
    assert.deepEqual(found.map((one) => [one.rule, one.severity]), [['record/deleted-others', severity]], out);
    assert.doesNotMatch(out, /All changes were undone/);
    assert.match(out, /Changes that could not be undone\n(.*\n)*.*the number of records of \/items is now 24 and was 25/);
    assert.ok(report.writes.not_put_back.length >= 2);
  });
}

test('a DELETE that later removes others is found out before all are gone', async () => {
  const {service, out, found} = await tested({takes: ({items}) => [...items.keys()][12], lost: 3}, '*items*');

  assert.ok(service.items.size < 25 && service.items.size > 15, out);
  assert.deepEqual(found.map(({rule, severity}) => [rule, severity]), [['record/deleted-others', 'warning']], out);
  assert.doesNotMatch(out, /All changes were undone/);
  assert.match(out, /the number of records of \/items is now \d+ and was 25/);
});

test('a total that is not of records is not taken for one', async () => {
  const {out, report, found} = await tested({counts: ({items}) => 500 * items.size}, '*items*');

  assert.deepEqual(found, [], out);
  assert.deepEqual(report.writes.not_put_back, [], out);
  assert.match(out, /could not be verified .*\n  whether other records of \/items are/);
});

test('a total that is behind for a moment says nothing', async () => {
  const counts = ({items, asked}) =>
      items.size - (asked.slice(-4).some((line) => line.startsWith('DELETE')) ? 5 : 0);
  const {out, found} = await tested({counts}, '*items*');

  assert.deepEqual(found, [], out);
  assert.match(out, /All changes were undone/);
});

test('what a list does not show is said', async () => {
  const {out, report} = await tested({counts: () => undefined}, '*items*');

  assert.doesNotMatch(out, /All changes were undone/);
  assert.match(out, /What could not be verified after the changes were undone\n  whether other records of \/items are/);
  assert.equal(report.writes.unverified.length, 1);
});
