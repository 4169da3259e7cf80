// A stream of events that does not end: its status, fields and what came are validated, and that it
// goes on is no finding.
import assert from 'node:assert/strict';
import http from 'node:http';
import {test} from 'node:test';

import {run_suite} from './suite.mjs';

const correct = {type: 'text/event-stream', stream: '1', first: 'data: a\n\n', every: 400};

// The findings of a run against a service that sends `first` and then an event now and then.
async function run_with(fault, flags) {
  const {type, stream, first, every} = {...correct, ...fault};
  const server = http.createServer((request, response) => {
    if (request.url.split('?')[0] !== '/events') {
      response.writeHead(404).end();
      return;
    }
    if (!['GET', 'HEAD'].includes(request.method)) {
      response.writeHead(405, {Allow: 'GET, HEAD'}).end();
      return;
    }
    response.writeHead(200, {'Content-Type': type, 'X-Stream': stream});
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(first);
    const more = setInterval(() => response.write('data: b\n\ndata: half'), every);
    response.once('close', () => clearInterval(more));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const {out, report} =
        await run_suite('events.yaml', `http://127.0.0.1:${server.address().port}`, ['--timeout', '5', ...flags]);
    const found = report.cases.flatMap((item) => item.findings.filter(({severity}) => severity !== 'note'));
    return {out, report, rules: [...new Set(found.map(({rule, place}) => `${rule} ${place}`))].sort()};
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

test('a stream that goes on has no finding', async () => {
  const {out, report, rules} = await run_with({}, ['--jobs', '48']);

  assert.deepEqual(rules, [], out);
  assert.ok(report.counts.passed > 10, out);
});

test('a stream of which nothing has come yet has no finding', async () => {
  const {out, report, rules} =
      await run_with({first: ': soon\n', every: 3600_000}, ['--filter', '*plain_request*']);

  assert.deepEqual(rules, [], out);
  assert.equal(report.counts.passed, 1, out);
});

for (const [name, fault, expected] of [
  ['a field that is not as declared', {stream: 'one'}, ['schema/header header/X-Stream']],
  ['an event that is not as declared', {first: 'what: a\n\n'}, ['schema/pattern body']],
  ['another type, with which it must end', {type: 'text/plain'}, ['http/deadline wire']],
]) {
  test(`${name} is found`, async () => {
    const {out, rules} = await run_with(fault, ['--filter', '*plain_request*']);

    assert.deepEqual(rules, expected, out);
  });
}
