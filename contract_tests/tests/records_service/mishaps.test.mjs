// What happens to a run as a whole is one sentence and the exit code that fits, and no finding.
import assert from 'node:assert/strict';
import {writeFileSync, mkdtempSync, rmSync} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {after, describe, test} from 'node:test';

import {run_suite} from './suite.mjs';

const token = 'shop-token-0123456789-abcdef';
const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-mishaps-'));
after(() => rmSync(folder, {recursive: true}));
const subjects = path.join(folder, 'subjects.yaml');
writeFileSync(subjects, 'replace_item: {id: "1"}\nfind_item: {id: "1"}\n');

// The service of mishaps.yaml. `happen` sees each request with its number, and responds instead of
// the service where it returns [status, headers, text].
class Shop {
  constructor(happen) {
    Object.assign(this, {happen, count: 0, items: {1: {id: 1, title: 'Tea'}}});
    this.server = http.createServer((request, response) => this.take(request, response));
    this.sockets = new Set();
    this.server.on('connection', (socket) => this.sockets.add(socket));
  }

  die_but_for(one) {
    this.server.close();
    this.sockets.forEach((socket) => socket === one || socket.destroy());
  }

  async start() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }

  take(request, response) {
    let text = '';
    request.on('data', (bytes) => {
      text += bytes;
    });
    request.on('end', () => {
      const answer = this.happen(request, ++this.count, this) ?? this.answer(request, text);
      if (answer === 'never') {
        return;
      }
      const [status, headers, body] = answer;
      response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
    });
  }

  answer(request, text) {
    const json = (status, value) => [status, {'Content-Type': 'application/json'}, JSON.stringify(value)];
    const [, version, kind, key, ...more] = request.url.split('?')[0].split('/');
    if (version !== 'v1' || !['items', 'shops'].includes(kind) || more.length > 0) {
      return [404, {}, ''];
    }
    if (request.headers.authorization?.replace(/^bearer /i, '') !== token || !/^bearer /i.test(request.headers.authorization)) {
      return [401, {'WWW-Authenticate': 'Bearer'}, ''];
    }
    if (key === undefined) {
      return json(200, kind === 'items' ? Object.values(this.items) : [{town: 'Oslo'}]);
    }
    const id = key.replace(/%3([0-9])/g, '$1');
    if (kind !== 'items' || !Object.hasOwn(this.items, id)) {
      return [404, {}, ''];
    }
    return request.method === 'PUT' ? this.replace(id, request, text) : json(200, this.items[id]);
  }

  replace(id, request, text) {
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      return [400, {}, ''];
    }
    if (!/^application\/json/i.test(request.headers['content-type'] ?? '')) {
      return [415, {}, ''];
    }
    if (!Number.isInteger(body?.id) || typeof body.title !== 'string' || [...body.title].length > 40) {
      return [422, {}, ''];
    }
    this.items[id] = {id: body.id, title: body.title};
    return [204, {}, ''];
  }
}

const html = {'Content-Type': 'text/html'};
const from = (first, response) => (request, count) => count >= first ? response : undefined;

const mishaps = [
  {
    name: 'the token expires midway',
    happen: (request, count) => count >= 40 ? [401, {'WWW-Authenticate': 'Bearer'}, ''] : undefined,
    headline: /^the server rejects the token \(401\) since \S+; put a valid one into /,
  },
  {
    name: 'the token is rejected from the start',
    happen: from(1, [401, {'WWW-Authenticate': 'Bearer'}, '']),
    headline: /^the server rejects the token \(401\); put a valid one into /,
  },
  {
    name: 'everything is redirected to a login of another host',
    happen: from(40, [302, {Location: 'https://login.example/sign-in?next=x'}, '']),
    headline: /^every request is redirected to https:\/\/login\.example since /,
  },
  {
    name: 'everything is redirected to the login page of the service',
    happen: from(1, [302, {Location: '/login'}, '']),
    headline: /^every request is redirected to http:\/\/127\.0\.0\.1:\d+\/login; /,
  },
  {
    name: 'everything is a page for people',
    happen: from(1, [200, html, '<html>We will be back soon.</html>']),
    headline: /^every response is an HTML page \(200 OK\); /,
  },
  {
    name: 'the service goes into maintenance',
    happen: from(40, [503, html, '<html>We will be back soon.</html>']),
    headline: /^every request gets 503 Service Unavailable since \S+; run again when /,
  },
  {
    name: 'the service is in maintenance for ever, and asks to wait for an hour',
    happen: from(1, [503, {...html, 'Retry-After': '3600'}, '<html>Maintenance</html>']),
    headline: /^every request gets 503 Service Unavailable; run again when /,
  },
  {
    name: 'the server dies of a case',
    happen: (request, count, shop) => {
      if (request.url.includes('%FF')) {
        shop.server.close();
        shop.server.closeAllConnections();
      }
      return undefined;
    },
    headline: /^the server does not respond since \S+ \(cannot connect to .*refused\); /,
  },
  {
    name: 'the server dies of a case, which is the last to notice',
    happen: (request, count, shop) => {
      const is_deadly = request.url.includes('%FF');
      if (is_deadly && !shop.is_dying) {
        shop.is_dying = true;
        setTimeout(() => shop.die_but_for(request.socket), 300);
        setTimeout(() => request.socket.destroy(), 600);
      }
      return is_deadly ? 'never' : undefined;
    },
    headline: /^the server does not respond since GET_\S*never_in_UTF_8\S* \(cannot connect to .*refused\); /,
  },
  {
    name: 'the token may only read',
    flags: ['--allow-writes', '--subjects', subjects],
    happen: (request) => request.method === 'PUT' && request.headers.authorization === `Bearer ${token}` ?
        [403, {}, ''] :
        undefined,
    headline: /^every request that writes gets 403 Forbidden: the token may only read; /,
  },
  {
    name: 'the base URL has a wrong path',
    path: '/v2',
    happen: () => undefined,
    headline: /^every request gets 404 Not Found, but the service responds at a path of the contract's servers: use --base-url http:\/\/127\.0\.0\.1:\d+\/v1$/,
    code: 2,
  },
  {
    name: 'the base URL is of another service',
    happen: from(1, [404, {}, '']),
    headline: /^every request gets 404 Not Found at http:\/\/127\.0\.0\.1:\d+\/v1; look for the path /,
    code: 2,
  },
  {
    name: 'every seventh request is one too many',
    flags: ['--max-wait', '4'],
    happen: (request, count) => count % 7 === 0 ? [429, {'Retry-After': '1'}, ''] : undefined,
    headline: /^the service limits its callers \(429\): \d+ cases were given up after /,
  },
];

async function run_shop({happen, flags = [], path: prefix = '/v1'}) {
  const shop = new Shop(happen);
  await shop.start();
  try {
    return {...await run_suite('mishaps.yaml', shop.url + prefix, ['--token', token, ...flags]), shop};
  } finally {
    await shop.stop();
  }
}

const errors_of = (report) => report.cases.flatMap((item) => item.findings)
                                  .filter((finding) => finding.severity !== 'note');

test('a service to which nothing happens passes', async () => {
  const {code, out, report} = await run_shop({happen: () => undefined, flags: ['--allow-writes', '--subjects', subjects]});

  assert.deepEqual(errors_of(report), [], out);
  assert.deepEqual(report.problems, []);
  assert.equal(report.counts.inconclusive, 0, out);
  assert.equal(code, 0, out);
});

// They wait more than they compute.
describe('what happens to a run is one sentence:', {concurrency: 4}, () => {
  for (const mishap of mishaps) {
    for (const jobs of ['1', '3']) {
      test(`${mishap.name}, with ${jobs} at once`, async () => {
        const {code, out, report, seconds} =
            await run_shop({...mishap, flags: [...(mishap.flags ?? []), '--jobs', jobs]});

        assert.equal(report.problems.length, 1, out);
        assert.match(report.problems[0], mishap.headline);
        assert.ok(out.includes(report.problems[0]));
        assert.deepEqual(errors_of(report), [], out);
        assert.equal(code, mishap.code ?? 3, out);
        assert.ok(seconds < 60);
      });
    }
  }
});

describe('what passes is no more than that:', {concurrency: 4}, () => {
  const passing = [
    ['a second of 503', (request, count) => count >= 30 && count < 33 ? [503, {}, ''] : undefined],
    ['one operation that is not there', (request) => request.url === '/v1/shops' ? [404, {}, ''] : undefined],
    ['one operation with a page', (request) => request.url === '/v1/shops' ? [200, html, '<html>'] : undefined],
    ['one operation that redirects', (request) => request.url === '/v1/shops' ? [302, {Location: 'https://x.example/'}, ''] : undefined],
    ['one operation that rejects the token', (request) => request.url === '/v1/shops' ? [401, {'WWW-Authenticate': 'Bearer'}, ''] : undefined],
  ];
  for (const [name, happen] of passing) {
    test(name, async () => {
      const {out, report} = await run_shop({happen});

      assert.deepEqual(report.problems, [], out);
      assert.ok(report.counts.passed > 60, out);
    });
  }
});
