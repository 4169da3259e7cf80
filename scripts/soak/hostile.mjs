// Hostile clients: invalid, incomplete and very slow requests, bodies that differ from their headers,
// responses that are not read, connections closed at every step of a request. Their responses are not
// checked; the correct clients show whether the server still works.
import net from 'node:net';
import zlib from 'node:zlib';
import {setTimeout as pause} from 'node:timers/promises';

const pick = (list) => list[Math.floor(Math.random() * list.length)];
const up_to = (limit) => Math.floor(Math.random() * limit);

const valid_requests = [
  'GET /customers/cus_L9xVQ2zg4mZaouqKLiMcV HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer dodo_test_x\r\n\r\n',
  'POST /licenses/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      'Content-Length: 21\r\n\r\n{"license_key": "abc"}',
  'POST /licenses/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
];

// Changes, removes and repeats some bytes.
function mutated(text) {
  const bytes = [...Buffer.from(text, 'latin1')];
  for (let count = 1 + up_to(8); count > 0; count -= 1) {
    const at = up_to(bytes.length);
    pick([
      () => bytes.splice(at, 1, up_to(256)),
      () => bytes.splice(at, 1 + up_to(10)),
      () => bytes.splice(at, 0, ...bytes.slice(at, at + up_to(40))),
      () => bytes.splice(at, 0, 0x0d, 0x0a),
    ])();
  }
  return Buffer.from(bytes);
}

const deep = '['.repeat(100_000);
const json_post = (body) => 'POST /licenses/validate HTTP/1.1\r\nHost: a\r\n' +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const invalid_requests = [
  () => mutated(pick(valid_requests)),
  () => pick(valid_requests).slice(0, up_to(60)),
  () => `GET /${'a'.repeat(up_to(40_000))} HTTP/1.1\r\nHost: a\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(up_to(5_000))}\r\n`,
  () => `POST /licenses/validate HTTP/1.1\r\nHost: a\r\nContent-Length: ${pick(['-1', '1e9', '99999999999999999999', '5, 6'])}\r\n\r\n`,
  () => `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${pick(['gzip', 'chunked, chunked', 'xchunked'])}\r\n\r\n0\r\n\r\n`,
  () => json_post(deep),
  () => json_post('{"license_key": "a", "license_key": "b"}'),
  () => valid_requests[0].repeat(200),
  () => Buffer.from(Array.from({length: 1 + up_to(2_000)}, () => up_to(256))),
];

function connection(base) {
  const {hostname, port} = new URL(base);
  const socket = net.connect({host: hostname, port});
  socket.on('error', () => {});
  return socket;
}

const closed = (socket) => new Promise((done) => socket.once('close', done));

// Sends an invalid request, whole or in pieces, and closes the connection in one of three ways.
async function send_invalid(base) {
  const socket = connection(base);
  const gone = closed(socket);
  const bytes = Buffer.from(pick(invalid_requests)());
  const cut = up_to(bytes.length);
  socket.resume();
  socket.write(bytes.subarray(0, cut));
  await pause(up_to(20));
  if (!socket.destroyed) {
    socket.write(bytes.subarray(cut));
  }
  await pause(up_to(50));
  pick([() => socket.end(), () => socket.resetAndDestroy(), () => socket.destroy()])();
  await Promise.race([gone, pause(2_000)]);
  socket.destroy();
}

// Sends a request one byte at a time until the server closes the connection.
async function drip(base, until) {
  const socket = connection(base);
  socket.resume();
  const bytes = `${valid_requests[0].slice(0, -2)}X: ${'y'.repeat(10_000)}`;
  for (let at = 0; Date.now() < until && !socket.destroyed; at = (at + 1) % bytes.length) {
    socket.write(bytes[at]);
    await pause(500);
  }
  socket.destroy();
}

// Requests large pages and reads nothing.
async function ignore_responses(base, until) {
  const socket = connection(base);
  socket.pause();
  const page = 'GET /subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=100 HTTP/1.1\r\n' +
               'Host: a\r\nAuthorization: Bearer dodo_test_x\r\n\r\n';
  socket.write(page.repeat(500));
  while (Date.now() < until && !socket.destroyed) {
    await pause(1_000);
  }
  socket.destroy();
}

// Sends nothing.
async function idle(base, until) {
  const socket = connection(base);
  socket.resume();
  const gone = closed(socket);
  await Promise.race([gone, pause(Math.max(0, until - Date.now()), undefined, {ref: false})]);
  socket.destroy();
}

const token = 'Authorization: Bearer dodo_test_x\r\n';
const get = (fields) => valid_requests[0].replace('\r\n\r\n', `\r\n${fields}\r\n\r\n`);
const post = (fields, body) => [
  `POST /licenses/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n`,
  body,
];
const sized = (body, fields = '') => post(`Content-Length: ${body.length}\r\n${fields}`, body);
const chunked = (body) => post('Transfer-Encoding: chunked\r\n', Buffer.concat([
  Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]));
const long_json = (length) => Buffer.from(`[${'0,'.repeat(length / 2 - 1)}0]`);
const faults = ['reset', 'empty', 'truncate', 'wrong-length', 'bad-chunk', 'garbage', 'slow-body', 'slow-close', 'stall'];
const lengths = [20_000, 100_000, 1_500_000, 9_000_000];

// Requests, as [head, body], that make the server respond at once, wait, send a fault, give the body to a
// worker, decode it, reject it while it arrives, or send "100 Continue".
const without_body = [
  () => [valid_requests[0]],
  () => [valid_requests[0].repeat(20)],
  () => [get('Prefer: delay=200')],
  ...faults.map((fault) => () => [get(`Prefer: fault=${fault}`)]),
  () => ['GET /subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=100 HTTP/1.1\r\n' +
             `Host: a\r\n${token}\r\n`],
];
const with_body = (length) => [
  () => sized(Buffer.from('{"license_key": "abc"}')),
  () => chunked(long_json(length)),
  () => sized(long_json(length)),
  () => sized(long_json(length), 'Expect: 100-continue\r\n'),
  () => sized(zlib.gzipSync(long_json(length), {level: 1}), 'Content-Encoding: gzip\r\n'),
  () => post('Content-Length: 90000000\r\n', long_json(length)),
];

// Made once for each length, because the bodies are long.
const made = (kinds) => kinds.map((kind) => {
  const [head, body = ''] = kind();
  return {head_bytes: head.length, bytes: Buffer.concat([Buffer.from(head), Buffer.from(body)])};
});
const bodiless_requests = made(without_body);
const requests_by_length = new Map();
function requests_of(length) {
  if (!requests_by_length.has(length)) {
    requests_by_length.set(length, made(with_body(length)));
  }
  return requests_by_length.get(length);
}

// The number of bytes of a request that are sent before the client closes: none, some of the head, the head, some of
// the body, all but one byte, all.
const steps = [
  () => 0,
  ({head_bytes}) => up_to(head_bytes),
  ({head_bytes}) => head_bytes,
  ({head_bytes}) => head_bytes + pick([1, 16_384, 65_536, 300_000, 1_500_000]),
  ({head_bytes}) => head_bytes + 1_500_000,
  ({bytes}) => up_to(bytes.length),
  ({bytes}) => bytes.length - 1,
  ({bytes}) => bytes.length,
];

// The client's wait after that: mostly none.
const waits = [
  async () => {},
  async () => {},
  async () => {},
  async () => pause(up_to(5)),
  async () => pause(up_to(300)),
  async (socket) => Promise.race([new Promise((done) => socket.once('data', done)), pause(1_000)]),
  async (socket) => Promise.race([new Promise((done) => socket.once('end', done)), pause(1_500)]),
];

const ends = [
  (socket) => socket.end(),
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  async (socket) => {
    socket.end();
    await pause(up_to(20));
    if (!socket.destroyed) {
      socket.resetAndDestroy();
    }
  },
];

// Closes the connection at some step of a request, by FIN or by reset, before or after the response, which
// is read or not.
async function leave(base, until, longest) {
  const socket = connection(base);
  const gone = closed(socket);
  const length = pick(lengths.filter((one) => one <= longest));
  const request = pick(up_to(3) > 0 ? requests_of(length) : bodiless_requests);
  const bytes = request.bytes.subarray(0, pick(steps)(request));
  if (up_to(4) > 0) {
    socket.resume();
  }
  const sent = new Promise((done) => socket.write(bytes, done));
  await Promise.race([sent, gone, pause(up_to(2_000))]);
  await Promise.race([pick(waits)(socket), gone]);
  if (!socket.destroyed) {
    await pick(ends)(socket);
  }
  await Promise.race([gone, pause(up_to(2_000))]);
  socket.destroy();
}

const kinds_of_service = ['fast', 'drip', 'silent', 'long', 'blanks', 'numbers'];

// Requests something of the service behind the mock, and closes the connection at some time.
async function use_service(base) {
  const socket = connection(base);
  const gone = closed(socket);
  if (up_to(4) > 0) {
    socket.resume();
  }
  socket.write(`${pick(['GET', 'POST', 'DELETE'])} /${pick(kinds_of_service)}?__upstream HTTP/1.1\r\nHost: a\r\n` +
               'Content-Length: 0\r\n\r\n');
  await Promise.race([pick(waits)(socket), gone]);
  if (!socket.destroyed) {
    await pick(ends)(socket);
  }
  await Promise.race([gone, pause(up_to(2_000))]);
  socket.destroy();
}

// Sends a request and waits until the server has responded and closed the connection.
async function send_whole(base, target) {
  const socket = connection(base);
  const gone = closed(socket);
  socket.resume();
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  await Promise.race([gone, pause(10_000)]);
  socket.destroy();
}

const wait_for_requests = (base) => send_whole(base, '/_mock/requests/wait?count=1000000&timeout_ms=2000');
const match_slowly = (base) => send_whole(base, `/hard?text=${'a'.repeat(7_000)}!`);

// Runs `count` clients of one kind until `until`.
export function attack(kind, count, base, until, tally, longest) {
  const one = {send_invalid, drip, ignore_responses, idle, leave, use_service, wait_for_requests, match_slowly}[kind];
  return Promise.all(Array.from({length: count}, async () => {
    while (Date.now() < until) {
      await one(base, until, longest);
      tally[kind] = (tally[kind] ?? 0) + 1;
    }
  }));
}
