// A service that is right in unusual ways has no error and no warning; the same with one fault has it.
import assert from 'node:assert/strict';
import http from 'node:http';
import {test} from 'node:test';

import {run_suite} from './suite.mjs';

let reads = 0;
let atOnce = 0;
const used = new WeakSet();  // connections

function json(status, value, headers = {}) {
  return {status, headers: {'Content-Type': 'application/json', ...headers}, body: JSON.stringify(value)};
}

const later = () => new Date(Date.now() + 3000).toISOString().replace(/\.\d+/, '');

// The text of the request, or why it is none.
function name_of(request, bytes) {
  if (!/^application\/json(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return {status: 415, message: 'not JSON'};
  }
  try {
    const {name} = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes)) ?? {};
    return typeof name === 'string' && [...name].length <= 40 && !/\p{Surrogate}/u.test(name) ? {name} : {status: 400, message: 'not a name'};
  } catch (error) {
    return {status: 400, message: error instanceof TypeError
                                      ? "'utf-8' codec can't decode byte 0xff in position 10: invalid start byte"
                                      : 'not JSON'};
  }
}

const services = {
  '/policy': ['GET', ({headers}) => {
    const policy = {'Content-Security-Policy': 'frame-src https://payments.example'};
    return /^bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] === 'right-token'
               ? json(200, {name: 'payments.example'}, policy)
               : json(401, {message: 'no token'}, {...policy, 'WWW-Authenticate': 'Bearer'});
  }],
  '/books': ['GET', (request, {searchParams}) => {
    const size = searchParams.getAll('size');
    const ok = size.length === 0 || (size.length === 1 && /^([1-9]|[1-4]\d|50)$/.test(size[0]));
    return ok && !searchParams.has('author') && !searchParams.has('cursor')
               ? json(200, [])
               : json(400, {message: 'no such author or cursor'});
  }],
  '/preferences': ['GET', ({headers}) => (headers['x-kind'] ?? 'whole') === 'whole'
                                              ? json(200, {name: 'a'})
                                              : json(400, {message: 'no such kind'})],
  '/flips': ['GET', () => json(200, {name: ++reads % 2 ? 'a' : 'b'.repeat(100)})],
  '/clocks': ['GET', () => json(200, {name: 'a', created_at: later()})],
  '/limited': ['GET', () => atOnce > 12 ? json(429, {message: 'too many'}, {'Retry-After': '1'}) : json(200, {name: 'a'})],
  '/lines': ['GET', () => ({status: 200, headers: {'Content-Type': 'application/x-ndjson'}, body: '{"name":"a"}\n\n{"name":"b"}'})],
  '/tables': ['GET', () => ({status: 200, headers: {'Content-Type': 'application/xml'}, body: '<names/>'})],
  '/names': ['POST', (request, url, bytes) => {
    const {name, status, message} = name_of(request, bytes);
    return status ? json(status, {message}) : json(200, {name});
  }],
};

function respond(request, bytes, change) {
  const url = new URL(request.url, 'http://service');
  const known = services[url.pathname.match(/^(\/[^/]*)/)?.[1]];
  if (!known) {
    return json(404, {message: 'not found'});
  }
  const [method, handle] = known;
  if (request.method !== method && !(method === 'GET' && request.method === 'HEAD')) {
    return json(405, {message: 'no such method'}, {Allow: method === 'GET' ? 'GET, HEAD' : method});
  }
  return change(url.pathname, handle(request, url, bytes), request);
}

async function run_with(change) {
  const server = http.createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    ++atOnce;
    await new Promise((done) => setTimeout(done, request.url.startsWith('/limited') ? 5 : 0));
    const {status, headers, body} = respond(request, bytes, change);
    --atOnce;
    response.writeHead(status, {...headers, 'Content-Length': Buffer.byteLength(body)}).end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const {out, report} = await run_suite('unusual.yaml', `http://127.0.0.1:${server.address().port}`,
                                          ['--sandbox', '--allow-probes', '--allow-burst', '--token', 'right-token']);
    const found = report.cases.flatMap((item) => item.findings).filter(({severity}) => severity !== 'note');
    return {out, report, found: [...new Set(found.map(({rule, place}) => `${rule} ${place}`))].sort()};
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

test('a service that is right in unusual ways has no finding', async () => {
  const {out, report, found} = await run_with((path, response) => response);

  assert.deepEqual(found, [], out);
  assert.ok(report.counts.passed > 100, out);
  assert.match(out, /note schema\/undecided .*application\/xml is not decoded/);
});

for (const [name, path, change, expected] of [
  ['an own header that is not looked at', '/preferences',
   (response) => response.status === 400 ? json(200, {name: 'a'}) : response, ['parameter/enum status']],
  ['a value that compression changes, beside one that always changes', '/clocks',
   (response, {headers}) => headers['accept-encoding'] ? json(200, {name: 'x', created_at: later()}) : response,
   ['same/coding body']],
  ['another body in every response but the first of a connection', '/preferences',
   (response, {socket}) => {
     const isFirst = !used.has(socket);
     used.add(socket);
     return isFirst || response.status !== 200 ? response : json(200, {name: 'other account'});
   },
   ['http/poisoned body']],
  ['a wait that is a word when many ask at once', '/limited',
   (response) => response.status === 429 ? json(429, {message: 'too many'}, {'Retry-After': 'soon'}) : response,
   ['http/retry-after header/Retry-After']],
  ['UTF-8 that is labelled with another charset', '/clocks',
   () => json(200, {name: 'Jürgen', created_at: later()}, {'Content-Type': 'application/json; charset=iso-8859-1'}),
   ['json/charset header/Content-Type']],
  ['a line that is no JSON', '/lines', (response) => ({...response, body: '{"name":"a"}\nnot JSON\n'}),
   ['schema/malformed body/1']],
  ['a media type that is none', '/clocks',
   (response) => ({...response, headers: {'Content-Type': 'application.json'}}),
   ['http/content-type header/Content-Type']],
]) {
  test(`${name} is found, and nothing else`, async () => {
    const {out, found} = await run_with((at, response, request) => at.startsWith(path) ? change(response, request)
                                                                                     : response);

    assert.deepEqual(found, expected, out);
  });
}
