// Faults of a service that keeps records, one at a time: each is found by the case that is about it.
import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {Books} from './faults/books.mjs';
import {close, listen, Proxy} from './faults/proxy.mjs';
import {folder_of, run_suite} from './harness.mjs';

const here = folder_of(import.meta.url);

const json = (got, change) => ({...got, body: Buffer.from(JSON.stringify(change(JSON.parse(got.body))))});
const without = (target, name) => {
  const [pathname, query = ''] = target.split('?');
  const values = new URLSearchParams(query);
  values.delete(name);
  return `${pathname}?${values}`;
};
const is_item = ({target}) => /^\/books\/[^/?]+$/.test(target);
const is_list = ({target}) => /^\/books(\?|$)/.test(target);
const changed_body = (call) => {
  try {
    return ['POST', 'PUT', 'PATCH'].includes(call.method) ? JSON.parse(call.body) : undefined;
  } catch {
    return undefined;
  }
};

// A keyword of the member `name` is ignored: where only that is wrong, `mend` makes the body valid.
const ignored = (keyword, name, {is_wrong, mend}) => ({
  name: `${keyword} is ignored`,
  at: (call) => is_wrong(changed_body(call)?.[name]),
  make(call, ask) {
    const body = changed_body(call);
    return ask({body: Buffer.from(JSON.stringify({...body, [name]: mend(body[name])}))});
  },
  finds: ['PATCH /books/{id}', 'POST /books', 'PUT /books/{id}'].map((operation) => `${operation} body/${keyword}`),
});

// name; what it does, for requests that `at` holds for; all that the suite finds, and no other rule of
// another operation. `consent`: what the run needs, if not --allow-writes.
const faults = [
  {
    name: 'an unknown identifier is answered with a record',
    at: (call) => call.method === 'GET' && is_item(call),
    async make(call, ask) {
      const got = await ask();
      return got.status === 404 ? ask({target: '/books/b1'}) : got;
    },
    finds: ['GET /books/{id} response/same-as-path', 'GET /books/{id} status/unknown'],
  },
  {
    name: 'a DELETE has no effect',
    at: (call) => call.method === 'DELETE' && is_item(call),
    async make(call, ask) {
      const got = await ask({method: 'GET'});
      return got.status === 200 ? {status: 204, headers: {}, body: Buffer.alloc(0)} : got;
    },
    finds: ['DELETE /books/{id} record/deleted'],
  },
  {
    name: 'another record is answered',
    at: (call) => call.method === 'GET' && is_item(call),
    async make(call, ask) {
      const got = await ask();
      return got.status === 200 ? ask({target: '/books/b7'}) : got;
    },
    finds: ['GET /books/{id} response/same-as-path'],
  },
  {
    name: 'a PUT is ignored',
    at: (call) => call.method === 'PUT' && is_item(call),
    async make(call, ask) {
      const old = await ask({method: 'GET', body: Buffer.alloc(0)});
      const got = await ask();
      if (got.status === 200) {
        await ask({body: old.body});
      }
      return got;
    },
    finds: ['PUT /books/{id} record/changed'],
  },
  {
    name: 'a filter is ignored',
    at: is_list,
    make: (call, ask) => ask({target: without(call.target, 'label')}),
    finds: ['GET /books filter/letter-case', 'GET /books filter/member', 'GET /books filter/unknown-member'],
  },
  {
    name: 'a page number is ignored',
    at: is_list,
    async make(call, ask) {
      const got = await ask();
      return got.status === 200 ? ask({target: without(call.target, 'page_number')}) : got;
    },
    finds: [
      'GET /books filter/paged', 'GET /books paging/number-ignored', 'GET /books paging/past-the-end', 'GET /books paging/size',
    ],
  },
  {
    name: 'the response to a POST has another record',
    at: (call) => call.method === 'POST' && is_list(call),
    async make(call, ask) {
      const got = await ask();
      return got.status === 201 ? json(got, (book) => ({...book, title: 'Another'})) : got;
    },
    finds: ['POST /books record/as-sent'],
  },
  {
    name: 'a POST creates two records',
    at: (call) => call.method === 'POST' && is_list(call),
    async make(call, ask) {
      await ask();
      return ask();
    },
    finds: ['POST /books record/once'],
  },
  {
    name: 'a POST is answered with 200 instead of 201',
    consent: '--sandbox',
    at: (call) => call.method === 'POST' && is_list(call),
    async make(call, ask) {
      const got = await ask();
      return {...got, status: got.status === 201 ? 200 : got.status};
    },
    finds: ['POST /books status/undeclared-success'],
  },
  {
    name: 'a list lacks the records that were created',
    at: (call) => call.method === 'GET' && is_list(call),
    async make(call, ask) {
      const got = await ask();
      const first = ({id}) => Number(id.slice(1)) < 14;
      return got.status === 200 ? json(got, ({items}) => ({items: items.filter(first)})) : got;
    },
    finds: ['POST /books record/listed'],
  },
  {
    name: 'a PATCH clears the other members',
    at: (call) => call.method === 'PATCH' && is_item(call),
    async make(call, ask) {
      const got = await ask();
      if (got.status !== 200) {
        return got;
      }
      const cleared = {labels: [], pages: 1};
      const book = {...JSON.parse(got.body), ...cleared, ...JSON.parse(call.body)};
      return ask({method: 'PUT', body: Buffer.from(JSON.stringify(book))});
    },
    finds: ['PATCH /books/{id} record/others'],
  },
  {
    name: 'a list has records that were deleted',
    at: (call) => is_list(call) || call.method === 'DELETE',
    async make(call, ask) {
      if (call.method === 'DELETE') {
        const old = await ask({method: 'GET', body: Buffer.alloc(0)});
        const got = await ask();
        if (got.status === 204) {
          this.deleted.push(JSON.parse(old.body));
        }
        return got;
      }
      const got = await ask();
      return call.method === 'GET' && got.status === 200
          ? json(got, ({items}) => ({items: [...items, ...this.deleted]})) : got;
    },
    deleted: [],
    finds: ['DELETE /books/{id} record/delisted'],
  },
  ...['PATCH', 'PUT'].map((method) => ({
    name: `the response to a ${method} has the old record`,
    at: (call) => call.method === method && is_item(call),
    async make(call, ask) {
      const old = await ask({method: 'GET', body: Buffer.alloc(0)});
      const got = await ask();
      return got.status === 200 ? {...got, body: old.body} : got;
    },
    finds: [`${method} /books/{id} record/changed`],
  })),
  {
    name: 'a GET lacks a member that was sent',
    at: (call) => call.method === 'GET' && is_item(call),
    async make(call, ask) {
      const got = await ask();
      return got.status === 200 ? json(got, ({rating, ...rest}) => rest) : got;
    },
    finds: ['POST /books record/as-sent'],
  },
  {
    name: 'an ETag stays the same',
    at: (call) => call.method === 'GET' && is_item(call),
    async make(call, ask) {
      const got = await ask();
      return got.status === 200 ? {...got, headers: {...got.headers, etag: '"1"'}} : got;
    },
    finds: ['PATCH /books/{id} http/etag-reused', 'PUT /books/{id} http/etag-reused'],
  },
  {
    name: 'a DELETE removes another record too',
    at: (call) => call.method === 'DELETE' && is_item(call),
    async make(call, ask) {
      const got = await ask();
      if (got.status === 204) {
        await ask({target: '/books/b1'});
      }
      return got;
    },
    finds: ['DELETE /books/{id} record/deleted-others'],
  },
  {
    name: 'a record is sent as text/html',
    at: (call) => call.method === 'GET' && is_item(call),
    async make(call, ask) {
      const got = await ask();
      return got.status === 200 ? {...got, headers: {...got.headers, 'content-type': 'text/html'}} : got;
    },
    finds: ['GET /books/{id} http/head', 'GET /books/{id} schema/media-type'],
  },
  ignored('uniqueItems', 'shelves', {
    is_wrong: (shelves) => Array.isArray(shelves) && new Set(shelves).size < shelves.length,
    mend: (shelves) => [...new Set(shelves)],
  }),
  ignored('propertyNames', 'notes', {
    is_wrong: (notes) => notes?.constructor === Object && Object.keys(notes).some((key) => !/^[a-z]+$/.test(key)),
    mend: () => ({}),
  }),
];

// Runs the suite on the books behind a proxy with this fault.
async function run_with(fault) {
  const books = new Books();
  const base = await listen(books.server);
  const proxy = new Proxy(base, (call, ask) => (fault?.at(call) ? fault.make(call, ask) : ask()));
  try {
    const contract = path.join(here, 'faults/books.openapi.yaml');
    const flags = ['--rules', path.join(here, 'faults/rules.yaml'), fault?.consent ?? '--allow-writes'];
    return await run_suite({}, {url: await listen(proxy.server), contract}, flags);
  } finally {
    await close(proxy.server);
    await close(books.server);
  }
}

function found(report) {
  return report.cases.flatMap((item) => item.findings.filter(({severity}) => severity !== 'note').map(
      ({severity, rule, place, message}) =>
          `${severity} ${item.operation_name}: ${item.sentence}: ${rule} ${place} ${message}`));
}

test('a service without a fault has no findings', async () => {
  const {out, report} = await run_with(undefined);

  assert.ok(report?.counts.passed > 100, out);
  assert.deepEqual(found(report), []);
});

for (const fault of faults) {
  test(`${fault.name}: found, and nothing else`, async () => {
    const {out, report} = await run_with(fault);

    assert.ok(report, out);
    const rules = report.cases.flatMap((item) => item.findings.filter(({severity}) => severity !== 'note').map(
        ({rule}) => `${item.operation_name} ${rule}`));
    assert.deepEqual([...new Set(rules)].sort(), fault.finds, found(report).join('\n'));
  });
}
