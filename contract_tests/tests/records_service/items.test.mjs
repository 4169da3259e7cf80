// Streams are validated item by item, also those that never end, for which nothing waits long.
import assert from 'node:assert/strict';
import http from 'node:http';
import {test} from 'node:test';

import {run_suite} from './suite.mjs';

const types = {'/healthy': 'application/json', '/tokens': 'text/event-stream', '/rows': 'application/jsonl'};
const usual = {'/healthy': '{"text":"a"}', '/tokens': 'data: {"text":"a"}\n\n', '/rows': '{"text":"a"}\n{"text":"b"}\n'};

// What a run finds of a service whose path sends `bodies`, and of tokens one more each `every` ms for ever.
async function run_with({bodies = {}, every, cut = false, type}, flags = ['--filter', '*plain_request*']) {
  const server = http.createServer((request, response) => {
    const path = request.url.split('?')[0];
    if (!types[path]) {
      response.writeHead(404).end();
      return;
    }
    if (!['GET', 'HEAD'].includes(request.method)) {
      response.writeHead(405, {Allow: 'GET, HEAD'}).end();
      return;
    }
    response.writeHead(200, {'Content-Type': type ?? types[path]});
    const body = request.method === 'HEAD' ? '' : bodies[path] ?? usual[path];
    if (path !== '/tokens' || request.method === 'HEAD' || (!every && !cut)) {
      response.end(body);
      return;
    }
    response.write(body);
    if (cut) {
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    const more = setInterval(() => response.write(body), every);
    response.once('close', () => clearInterval(more));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const {out, report, seconds} =
        await run_suite('items.yaml', `http://127.0.0.1:${server.address().port}`, ['--timeout', '10', ...flags]);
    const found = report.cases.flatMap((item) => item.findings.filter(({severity}) => severity !== 'note'));
    return {out, report, seconds, rules: [...new Set(found.map(({rule, place}) => `${rule} ${place}`))].sort()};
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

for (const [name, path, body] of [
  ['events with fields and comments', '/tokens', ': soon\n\nid: 1\nevent: token\nretry: 500\ndata: {"text":"a"}\n\n'],
  ['data of several lines', '/tokens', 'data: {"text":\ndata: "a"}\n\n'],
  ['line ends of another kind', '/tokens', 'data: {"text":"a"}\r\n\r\ndata:{"text":"b"}\r\n\r\n'],
  ['the last word of chat services', '/tokens', 'data: {"text":"a"}\n\ndata: [DONE]\n\n'],
  ['no event at all', '/tokens', ': nothing\n\n'],
  ['a last line without an end', '/rows', '{"text":"a"}\n{"text":"b"}'],
  ['empty lines', '/rows', '{"text":"a"}\r\n\r\n{"text":"b"}\r\n'],
  ['no line at all', '/rows', ''],
]) {
  test(`${name}: no finding`, async () => {
    const {out, rules} = await run_with({bodies: {[path]: body}});

    assert.deepEqual(rules, [], out);
  });
}

for (const [name, service, expected] of [
  ['an event that violates its schema', {bodies: {'/tokens': 'data: {"text":"a"}\n\ndata: {"text":1}\n\n'}}, ['schema/type body/1/text']],
  ['an event that goes on and violates its schema', {bodies: {'/tokens': 'data: {}\n\n'}, every: 100}, ['schema/required body/0']],
  ['an event without JSON', {bodies: {'/tokens': 'data: hello\n\n'}}, ['schema/malformed body/0']],
  ['JSON that is no event', {bodies: {'/tokens': '{"text":"a"}'}}, ['schema/malformed body/0']],
  ['an event that is cut by the end', {bodies: {'/tokens': 'data: {"text":"a"}\n\ndata: {"te'}}, ['schema/malformed body/1']],
  ['an event that is cut by a closed connection', {bodies: {'/tokens': 'data: {"text":"a"}\n\ndata: {"te'}, cut: true}, ['http/cut-short wire']],
  ['another field', {bodies: {'/tokens': 'text: a\n\n'}}, ['schema/malformed body/0']],
  ['a retry that is no number', {bodies: {'/tokens': 'retry: soon\ndata: {"text":"a"}\n\n'}}, ['schema/malformed body/0']],
  ['bytes that are no UTF-8', {bodies: {'/tokens': Buffer.from('data: {"text":"\xff"}\n\n', 'latin1')}}, ['schema/encoding body/0']],
  ['a line that violates its schema', {bodies: {'/rows': '{"text":"a"}\n{"index":"b","text":"b"}\n'}}, ['schema/type body/1/index']],
  ['a line that is a list', {bodies: {'/rows': '[{"text":"a"}]\n'}}, ['schema/type body/0']],
  ['a line that is cut', {bodies: {'/rows': '{"text":"a"}\n{"te'}}, ['schema/malformed body/1']],
]) {
  test(`${name} is found`, async () => {
    const {out, rules} = await run_with(service);

    assert.deepEqual(rules, expected, out);
  });
}

test('a stream of ten megabytes without a line break is found to have no end', async () => {
  const {out, rules} = await run_with({bodies: {'/tokens': `data: ${'x'.repeat(10_000_000)}`}, every: 500});

  assert.deepEqual(rules, ['schema/malformed body/0'], out);
});

test('a run with an endless stream takes two seconds longer at most', async () => {
  const {seconds: without} = await run_with({}, []);
  const {seconds, rules, report, out} = await run_with({every: 200}, []);

  assert.deepEqual(rules, [], out);
  assert.ok(report.counts.passed > 10, out);
  assert.ok(seconds < without + 2.5, `${seconds} s, without ${without} s`);
});
