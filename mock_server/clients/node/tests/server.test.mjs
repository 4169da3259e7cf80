// A server passes on the session of each request that it works on, also of many at once.
import assert from 'node:assert/strict';
import http from 'node:http';
import {after, before, test} from 'node:test';

import {startMock} from 'counterpart-mock';
import {currentSession, forwardSession, patchFetch, sessionFetch, sessionOf, withSession} from 'counterpart-mock/server';

const CUSTOMER = 'cus_L9xVQ2zg4mZaouqKLiMcV';
const headers = {Authorization: 'Bearer dodo_test_me'};

let mock, server, url;

before(async () => {
  mock = await startMock();
  const send = sessionFetch(mock.url);
  server = http.createServer((request, response) => forwardSession(request, response, async () => {
    await new Promise((done) => setImmediate(done));
    response.end(await (await send(`${mock.url}/customers/${CUSTOMER}`, {headers})).text());
  }));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${server.address().port}`;
});

after(async () => {
  server.close();
  await mock.end();
});

test('thirty requests at once are each worked on in their session', async () => {
  const names = await Promise.all(Array.from({length: 30}, async (_, at) => {
    const session = mock.session();
    await session.record('customers', CUSTOMER).patch({name: `Name ${at}`});
    return (await (await fetch(url, {headers: session.headers})).json()).name;
  }));

  assert.deepEqual(names, names.map((_, at) => `Name ${at}`));
});

test('a request without a session is worked on without one', async () => {
  assert.equal((await (await fetch(url)).json()).name, 'Amara Okafor');
  assert.equal(currentSession(), undefined);
});

test('no other server is told the session', async () => {
  const foreign = http.createServer((request, response) => response.end(request.headers['x-counterpart-session'] ?? 'none'));
  await new Promise((done) => foreign.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${foreign.address().port}/`;
  const text = await withSession({headers: {'x-counterpart-session': 'a'}}, async () => (await sessionFetch(mock.url)(address)).text());
  foreign.close();

  assert.equal(text, 'none');
});

test('the global fetch can be made to do it, for the mock alone, and undone', async () => {
  const session = mock.session();
  await session.record('customers', CUSTOMER).delete();
  const request = new Request('http://server.example/', {headers: session.headers});
  const status = async (headers_) => (await fetch(new URL(`/customers/${CUSTOMER}`, mock.url), {headers: {...headers, ...headers_}})).status;
  const undo = patchFetch(mock.url);

  assert.equal(await withSession(request, () => status()), 404);
  assert.equal(await withSession(request, () => status({'X-Counterpart-Session': 'other'})), 200);
  assert.equal(await withSession(request, async () => (await fetch(`data:text/plain,x`)).status), 200);
  assert.equal(await status(), 200);
  undo();
  assert.equal(await withSession(request, () => status()), 200);
  assert.equal(sessionOf(request), session.name);
});
