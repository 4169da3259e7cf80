// What a test can do with a mock and a session: each against the real program.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {MockError, startMock} from 'counterpart-mock';

import {temporaryFolder} from './support.mjs';

const CUSTOMER = 'cus_L9xVQ2zg4mZaouqKLiMcV';
const PATH = `/customers/${CUSTOMER}`;
const headers = {Authorization: 'Bearer dodo_test_me'};

let mock;

before(async () => {
  mock = await startMock();
});

after(() => mock?.end());

// A test with a new session.
function in_session(name, run) {
  test(name, async () => {
    const session = mock.session();
    await run(session);
    await session.end();
  });
}

const get = (session, path = PATH) => session.fetch(path, {headers});
const status = async (session, path) => (await get(session, path)).status;

in_session('the address and the headers of a session name it', async (session) => {
  await session.record('customers', CUSTOMER).patch({name: 'Ada'});

  assert.equal((await (await get(session)).json()).name, 'Ada');
  const by_header = await fetch(mock.url + PATH, {headers: {...headers, ...session.headers}});
  assert.equal((await by_header.json()).name, 'Ada');
  const other = await (await get(mock.session('other'))).json();
  assert.equal(other.name, 'Amara Okafor');
});

in_session('a record can be made, read, changed, deleted and restored', async (session) => {
  const record = session.record('customers', 'cus_new');
  await record.put({name: 'Grace', email: 'grace@site.example'});
  await record.patch({name: 'Grace Hopper'});

  assert.equal((await record.get()).name, 'Grace Hopper');
  assert.ok((await session.records('customers')).some(({key, changed}) => key === 'cus_new' && changed));
  await record.delete();
  assert.equal(await status(session, '/customers/cus_new'), 404);
  await session.record('customers', CUSTOMER).delete();
  await session.record('customers', CUSTOMER).reset();
  assert.equal(await status(session), 200);
});

in_session('a scenario can be armed and disarmed', async (session) => {
  await session.arm('rate_limited_twice');
  assert.deepEqual([await status(session), await status(session), await status(session)], [429, 429, 200]);

  await session.arm('error_then_success');
  assert.ok((await session.scenarios()).find(({name}) => name === 'error_then_success').armed);
  await session.disarm('error_then_success');
  assert.equal(await status(session), 200);
  await session.arm('error_then_success');
  await session.disarm();
  assert.equal(await status(session), 200);
});

in_session('a scenario of its own can be written', async (session) => {
  await session.scenario('third', [{every: 3, error: {use: 'internal', message: 'failed'}}]);

  assert.deepEqual([await status(session), await status(session), await status(session)], [200, 200, 500]);
});

in_session('the next call of an operation gets a status, and no later one', async (session) => {
  await session.next('get_customer_handler', 429);

  assert.deepEqual([await status(session), await status(session)], [429, 200]);
  await session.next('get_customer_handler', {record: {name: 'Once'}});
  assert.equal((await (await get(session)).json()).name, 'Once');
  assert.equal((await (await get(session)).json()).name, 'Amara Okafor');
  await session.next('get_customer_handler', 503);  // which the contract does not declare
  assert.deepEqual([await status(session), await status(session)], [503, 200]);
  await assert.rejects(session.next('get_customer_handler', 999), /PUT .*next_get_customer_handler .*: 422 .*status/s);
});

in_session('a fault breaks the delivery until it is taken back', async (session) => {
  await session.fault('reset', {operations: ['get_customer_handler']});
  await assert.rejects(get(session), TypeError);

  await session.fault();
  assert.equal(await status(session), 200);
});

in_session('the clock can be set, frozen, moved and reset', async (session) => {
  const {clock} = session;
  const time = ({now}) => new Date(now).toISOString();
  assert.equal(time(await clock.set('2027-01-01T00:00:00Z', {frozen: true})), '2027-01-01T00:00:00.000Z');
  assert.equal(time(await clock.advance({days: 1, hours: 2})), '2027-01-02T02:00:00.000Z');
  assert.equal(time(await clock.advance(-60)), '2027-01-02T01:59:00.000Z');
  assert.equal(time(await clock.now()), '2027-01-02T01:59:00.000Z');
  assert.equal(time(await clock.freeze(new Date(0))), '1970-01-01T00:00:00.000Z');
  assert.equal((await clock.freeze()).frozen, true);
  assert.equal((await clock.reset()).moved, false);
  await assert.rejects(async () => clock.advance({weeks: 1}), /weeks is no unit of time/);
});

in_session('calls are listed, verified and shown whole', async (session) => {
  await get(session);
  await session.fetch('/licenses/validate', {method: 'POST', body: '{"license_key": "x"}', headers: {'Content-Type': 'application/json'}});

  assert.equal((await session.requests()).length, 2);
  const [validated] = await session.requests({operation: 'validate_license_key', body: {'/license_key': 'x'}, headers: {Host: true}});
  assert.equal((await session.exchange(validated.id)).request.body, '{"license_key": "x"}');
  assert.equal((await session.exchanges({method: 'GET'})).length, 1);
  assert.equal((await session.exchanges()).length, 2);
  assert.deepEqual(await session.exchanges({method: 'PUT'}), []);
  assert.equal((await session.verify({status: 200}, {exactly: 2})).matched, 2);
});

in_session('a verification that fails says what came nearest', async (session) => {
  await get(session);

  await assert.rejects(session.verify({operation: 'get_customer_handler', status: 404}), (error) => {
    assert.ok(error instanceof MockError);
    assert.equal(error.status, 409);
    assert.equal(error.code, 'VERIFICATION_FAILED');
    assert.match(error.message, /^POST \/_mock\/requests\/verify in session node-\w+: 409 VERIFICATION_FAILED: /);
    assert.match(error.message, /GET \/customers\/cus_\w+: status: must be 404, but is 200/);
    return true;
  });
});

in_session('a call that is still to come can be waited for', async (session) => {
  const waiting = session.wait({operation: 'get_customer_handler'}, {count: 2, timeout: 20000});
  await get(session);
  await get(session);

  assert.equal((await waiting).length, 2);
  await assert.rejects(session.wait({status: 500}, {timeout: 10}), /VERIFICATION_FAILED/);
});

in_session('explanations name the violation, its line, and the operations that nearly matched', async (session) => {
  await get(session);
  await get(session, '/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=500');
  await get(session, '/customer/1');

  const text = await session.explain();
  assert.match(text, /^3 calls of the mock, session node-/);
  assert.match(text, /GET \/customers\/\w+ -> 200, chosen by customers.yaml:\d+/);
  assert.match(text, /the request violates the contract: query\/page_size: must be at most 100, but is 500, by payments.openapi.yaml:\d+ /);
  assert.match(text, /\n +> \d+ +maximum: 100\n/);
  assert.match(text, /no operation matches:\n +GET \/customers\/\{customer_id\}: path: segment 1 must be "customers"/);
  assert.match(text, /the response was \{"code":"NOT_FOUND"/);
});

in_session('a snapshot brings a state back; a reset undoes everything', async (session) => {
  const record = session.record('customers', CUSTOMER);
  await record.patch({name: 'Ada'});
  await session.snapshot('ada');
  await session.seed(7);
  await session.reset();
  assert.equal((await record.get()).name, 'Amara Okafor');

  await session.restore('ada');
  assert.equal((await record.get()).name, 'Ada');
});

in_session('a rejected call has every problem and the name of the call', async (session) => {
  await assert.rejects(session.record('customers', 'cus_x').put({name: 1, email: 2}), (error) => {
    assert.equal(error.status, 422);
    assert.match(error.message, /^PUT \/_mock\/records\/customers\/cus_x in session /);
    assert.match(error.message, /name: must be/);
    assert.match(error.message, /email: must be/);
    return true;
  });
  await assert.rejects(session.arm('no such'), /POST \/_mock\/scenarios\/no%20such\/arm .*: 404 .*rate_limited_twice/s);
});

test('a name that no session can have is rejected before any call', () => {
  assert.throws(() => mock.session('a b'), /session "a b": a name has/);
});

test('requests that violate the contract on purpose say so', () => {
  assert.deepEqual(mock.session('a').expectInvalid(), {'X-Counterpart-Session': 'a', Prefer: 'expect=invalid'});
});

test('a session that has ended is gone', async () => {
  const session = mock.session('short');
  await get(session);
  await session.end();

  assert.ok((await mock.sessions()).every(({name}) => name !== 'short'));
});

test('a warning of the mock is shown once, whatever the session', async (context) => {
  const warn = context.mock.method(console, 'warn', () => {});
  const put = (record) => mock.session().record('customers', 'cus_warned').put(record);

  await put({name: 'Ada', email: 'ada@site.example', phone_nunber: '1'});
  await put({name: 'Bob', email: 'bob@site.example', phone_nunber: '2'});
  await put({name: 'Eve', email: 'eve@site.example', phone_number: '3'});

  assert.deepEqual(warn.mock.calls.map((call) => call.arguments[0]), [
    'counterpart-mock: PUT /_mock/records/customers/cus_warned: body/phone_nunber: no schema names "phone_nunber"; ' +
        'did you mean "phone_number"?']);
});

test('an unknown option is rejected, with the nearest or all that are known', async () => {
  await assert.rejects(startMock({contrct: 'x'}), {
    name: 'TypeError', message: 'startMock has no option "contrct"; did you mean "contract"?'});
  await assert.rejects(startMock({seed: 7}), {
    name: 'TypeError', message: /^startMock has no option "seed"; known: url, token, contract, fixtures, /});
});

test('an item can be pushed into a stream that is open, and the stream ended', async (context) => {
  const contract = path.join(temporaryFolder(context), 'news.json');
  const item = {schema: {type: 'object', required: ['n']}, example: [{n: 1}]};
  const responses = {200: {description: 'ok', content: {'application/jsonl': item}}};
  writeFileSync(contract, JSON.stringify({openapi: '3.1.0', info: {title: 'News', version: '1'}, paths: {'/news': {get: {operationId: 'news', responses}}}}));
  const news = await startMock({contract});
  context.after(() => news.end());
  const session = news.session();
  const open = await session.fetch('/news', {headers: {Prefer: 'end=open'}});

  assert.deepEqual((await session.streams()).map(({operation}) => operation), ['news']);
  assert.equal((await session.push('news', [{n: 2}, {n: 3}])).streams, 1);
  await assert.rejects(session.push('news', {m: 2}), /must have the property "n"/);
  assert.equal((await session.endStreams('news')).streams, 1);
  assert.equal(await open.text(), '{"n":1}\n{"n":2}\n{"n":3}\n');
});
