// Lists of a service that no rules speak of: each fault of pages, totals, filters and order is found by the
// case that is about it, and a correct service has no finding, whatever the run may do.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {test} from 'node:test';

import {lists, PagedService, whole} from './paged_service.mjs';
import {run_suite} from './suite.mjs';

async function run_with(contract, faults, flags = []) {
  const service = new PagedService(faults);
  const url = await service.start();
  try {
    const ended = await run_suite(contract, url, flags);
    return {...ended, asked: service.asked};
  } finally {
    await service.stop();
  }
}

const findings_of = (report) => report.cases.flatMap(({operation_name, findings}) =>
    findings.filter(({severity}) => severity !== 'note').map(({rule}) => `${operation_name} ${rule}`));

for (const contract of ['pages_by_number.yaml', 'pages_by_cursor.yaml']) {
  for (const flags of [[], ['--allow-writes'], ['--sandbox']]) {
    test(`${contract} ${flags.join(' ')}: a correct service has no findings`, async () => {
      const {out, report, asked} = await run_with(contract, {}, flags);

      assert.deepEqual(findings_of(report), [], out);
      const tested = report.cases.filter(({rule, verdict}) => /^(paging|filter|order)\//.test(rule) && verdict === 'passed');
      assert.ok(tested.length > 10, `${tested.length}`);
      assert.ok(asked < 333 * new Set(report.cases.map(({operation}) => operation)).size, `${asked} requests`);
    });
  }
}

const rules_of = async (contract) => (await run_suite(contract, 'http://127.0.0.1:9', ['--print-rules'])).out;

test('what the contract suggests is printed, and changes nothing as rules', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-pages-'));
  const file = path.join(folder, 'rules.yaml');
  try {
    const printed = await rules_of('pages_by_number.yaml');
    writeFileSync(file, printed);

    assert.match(printed, /"list_products":\n    list:\n/);
    assert.match(printed, /size: \{"parameter":"per_page","class":"assumption","default":10,"minimum":1,"maximum":50\}/);
    const again = await run_suite('pages_by_number.yaml', 'http://127.0.0.1:9', ['--rules', file, '--print-rules']);
    assert.equal(again.out, printed, again.err);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

test('a rule of a line switches a part off, and another says more', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-pages-'));
  const file = path.join(folder, 'rules.yaml');
  const fault = {products: chosen('products', (query, choose) => choose(without(query, 'status', 'q')))};
  try {
    writeFileSync(file, 'operations:\n  list_products:\n    list: {filters: {status: "off", q: {class: document}}}\n');
    const {out, report} = await run_with('pages_by_number.yaml', fault, ['--rules', file]);

    const found = report.cases.flatMap(({findings}) => findings.filter(({severity}) => severity !== 'note'));
    assert.deepEqual(found.map(({severity, place}) => `${severity} ${place}`), ['error query/q'], out);

    writeFileSync(file, 'operations:\n  list_products: {list: "off"}\n');
    assert.deepEqual(findings_of((await run_with('pages_by_number.yaml', fault, ['--rules', file])).report), []);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

const paged = (name, change) => ({page(query, records) {
  const page = (other = query, from = records) => lists[name].page.call(this, other, from);
  page();  // rejects what is invalid
  return change(query, records, page);
}});
const with_query = (query, values) => {
  const other = new URLSearchParams(query);
  Object.entries(values).forEach(([name, value]) => other.set(name, value));
  return other;
};
const without = (query, ...names) => {
  const other = new URLSearchParams(query);
  names.forEach((name) => other.delete(name));
  return other;
};
const chosen = (name, change) => ({choose(query, all) {
  const choose = (other = query) => lists[name].choose.call(this, other, all);
  choose();
  return change(query, choose);
}});
const ordered = (name, change) => ({order(query, records) {
  return change(query, (other = query) => lists[name].order.call(this, other, records), records);
}});
const body_with = (got, change) => ({...got, body: {...got.body, ...change(got.body)}});

// What is wrong; the list; what is wrong with it; the rules that find it, and no other.
const faults = [
  ['a page number is one too high', 'products', paged('products', (query, all, page) =>
      page(query.has('page') ? with_query(query, {page: whole(query, 'page', 1, 1e9, 1) + 1}) : query)), ['paging/first-page']],
  ['the second page begins one item late', 'products', paged('products', (query, all, page) =>
      page(query, whole(query, 'page', 1, 1e9, 1) > 1 ? all.slice(1) : all)), ['paging/partition']],
  ['the second page begins with the last item of the first', 'products', paged('products', (query, all, page) =>
      page(query, whole(query, 'page', 1, 1e9, 1) > 1 ? [all[0], ...all] : all)), ['paging/partition']],
  ['a page number is ignored', 'products', paged('products', (query, all, page) => page(without(query, 'page'))),
   ['paging/number-ignored']],
  ['a page size is ignored', 'products', paged('products', (query, all, page) => page(without(query, 'per_page'))),
   ['paging/size']],
  ['a page has one item more than asked for', 'products', paged('products', (query, all, page) =>
      page(query.has('per_page') ? with_query(query, {per_page: Math.min(whole(query, 'per_page', 1, 50, 10) + 1, 50)}) : query)),
   ['paging/size']],
  ['the default size is another', 'products', paged('products', (query, all, page) =>
      page(query.has('per_page') ? query : with_query(query, {per_page: 7}))), ['paging/default-size']],
  ['a page past the end is the last one', 'products', paged('products', (query, all, page) => {
    const last = Math.ceil(all.length / whole(query, 'per_page', 1, 50, 10));
    return page(with_query(query, {page: Math.max(1, Math.min(whole(query, 'page', 1, 1e9, 1), last))}));
  }), ['paging/past-the-end']],
  ['a total is that of the page', 'products', paged('products', (query, all, page) => {
    const got = page();
    return {...got, headers: {'X-Total-Count': got.body.length}};
  }), ['paging/total']],
  ['a total is one too high', 'products', paged('products', (query, all, page) =>
      ({...page(), headers: {'X-Total-Count': all.length + 1}})), ['paging/total']],
  ['the last page is left out', 'products', paged('products', (query, all, page) => {
    const got = page();
    return {...got, body: whole(query, 'page', 1, 1e9, 1) > 1 && got.body.at(-1) === all.at(-1) ? [] : got.body};
  }), ['paging/partition']],

  ['an offset counts from one', 'orders', paged('orders', (query, all, page) =>
      page(query.has('skip') ? with_query(query, {skip: Math.max(0, whole(query, 'skip', 0, 1e9, 0) - 1)}) : query)),
   ['paging/partition']],
  ['an offset counts pages', 'orders', paged('orders', (query, all, page) => page(
      with_query(query, {skip: whole(query, 'skip', 0, 1e9, 0) * whole(query, 'take', 1, 50, 20)}))), ['paging/partition']],
  ['a limit is ignored', 'orders', paged('orders', (query, all, page) => page(without(query, 'take'))), ['paging/size']],
  ['a total is what is left', 'orders', paged('orders', (query, all, page) => body_with(
      page(), ({total}) => ({total: Math.min(total, whole(query, 'take', 1, 50, 20))}))), ['paging/total']],
  ['the number of pages is rounded down', 'orders', paged('orders', (query, all, page) => body_with(
      page(), () => ({pages: Math.floor(all.length / whole(query, 'take', 1, 50, 20))}))), ['paging/total']],

  ['a page has the message that it is to begin after', 'messages', paged('messages', (query, all, page) => {
    const at = all.findIndex(({id}) => id === query.get('starting_after'));
    return at > 0 ? page(with_query(query, {starting_after: all[at - 1].id})) : page();
  }), ['paging/partition']],
  ['a message is left out between two pages', 'messages', paged('messages', (query, all, page) => {
    const at = all.findIndex(({id}) => id === query.get('starting_after'));
    return at >= 0 && at + 1 < all.length ? page(with_query(query, {starting_after: all[at + 1].id})) : page();
  }), ['paging/partition']],
  ['starting_after is ignored', 'messages', paged('messages', (query, all, page) => page(without(query, 'starting_after'))),
   ['paging/number-ignored']],
  ['has_more is always true', 'messages', paged('messages', (query, all, page) => body_with(page(), () => ({has_more: true}))),
   ['paging/more']],
  ['has_more is always false', 'messages', paged('messages', (query, all, page) => body_with(page(), () => ({has_more: false}))),
   ['paging/more']],
  ['has_more is true where the page is full', 'messages', paged('messages', (query, all, page) => body_with(
      page(), ({data}) => ({has_more: data.length === whole(query, 'limit', 1, 100, 10)}))), ['paging/more']],

  ['a cursor leads to an item that was there', 'contacts', paged('contacts', (query, all, page) => body_with(page(), ({meta}) => ({
    meta: {...meta, nextPageToken: meta.nextPageToken && Buffer.from(`at:${
        Number(Buffer.from(meta.nextPageToken, 'base64url').toString().slice(3)) - 1}`).toString('base64url')},
  }))), ['paging/partition']],
  ['a cursor leaves an item out', 'contacts', paged('contacts', (query, all, page) => body_with(page(), ({meta}) => ({
    meta: {...meta, nextPageToken: meta.nextPageToken && Buffer.from(`at:${
        Number(Buffer.from(meta.nextPageToken, 'base64url').toString().slice(3)) + 1}`).toString('base64url')},
  }))), ['paging/partition']],
  ['a cursor is missing before the last page', 'contacts', paged('contacts', (query, all, page) => body_with(page(), ({meta}) => ({
    meta: {...meta, nextPageToken: query.has('pageToken') ? null : meta.nextPageToken},
  }))), ['paging/partition']],
  ['a cursor never ends', 'contacts', paged('contacts', (query, all, page) => body_with(page(), ({meta}) => ({
    meta: {...meta, nextPageToken: meta.nextPageToken ?? Buffer.from('at:0').toString('base64url')},
  }))), ['paging/partition']],
  ['a size is ignored', 'contacts', paged('contacts', (query, all, page) => page(without(query, 'pageSize'))), ['paging/size']],
  ['a total is that of a page', 'contacts', paged('contacts', (query, all, page) => body_with(page(), ({contacts, meta}) => ({
    meta: {...meta, totalCount: contacts.length},
  }))), ['paging/total']],

  ['a filter is ignored', 'products', chosen('products', (query, choose) => choose(without(query, 'status'))), ['filter/member']],
  ['a filter by one of its values finds others', 'products', chosen('products', (query, choose) => choose(
      query.get('status') === 'archived' ? with_query(query, {status: 'draft'}) : query)), ['filter/member']],
  ['a filter by one of its values finds nothing', 'products', chosen('products', (query, choose) =>
      (query.get('status') === 'draft' ? [] : choose())), ['filter/member-complete']],
  ['a minimum is exclusive', 'products', chosen('products', (query, choose) => choose().filter(
      ({price}) => price !== Number(query.get('min_price')))), ['filter/member-complete']],
  ['a maximum is a minimum', 'products', chosen('products', (query, choose) => (query.has('max_price')
      ? choose(with_query(without(query, 'max_price'), {min_price: query.get('max_price')})) : choose())), ['filter/member']],
  ['a search shows everything', 'products', chosen('products', (query, choose) => choose(without(query, 'q'))), ['filter/member']],
  ['a filter leaves out the last that has it', 'orders', chosen('orders', (query, choose) =>
      choose().slice(0, query.has('customer') ? -1 : undefined)), ['filter/member-complete']],
  ['a filter by a boolean is turned round', 'orders', chosen('orders', (query, choose) => choose(query.has('paid')
      ? with_query(query, {paid: query.get('paid') === 'true' ? 'false' : 'true'}) : query)), ['filter/member']],
  ['a bound is ignored', 'orders', chosen('orders', (query, choose) => choose(without(query, 'placed[gte]'))), ['filter/member']],
  ['a total is that of all items in spite of a filter', 'orders', paged('orders', function (query, all, page) {
    return body_with(page(), ({total}) => ({total: query.has('customer') ? 10 : total}));
  }), ['paging/total']],
  ['a filter is applied to the page alone', 'orders', {
    choose: (query, all) => lists.orders.choose(without(query, 'customer'), all),
    page: (query, records) => body_with(lists.orders.page(query, records), ({items}) => ({
      items: items.filter(({customer}) => !query.get('customer') || customer === query.get('customer')),
    })),
  }, ['filter/paged']],
  ['a folder is ignored', 'messages', chosen('messages', (query, choose) => choose(without(query, 'folder'))), ['filter/member']],
  ['a city is ignored', 'contacts', chosen('contacts', (query, choose) => choose(without(query, 'filter[city]'))),
   ['filter/member']],
  ['an age is a maximum', 'contacts', chosen('contacts', (query, choose) => choose(without(query, 'ageFrom')).filter(
      ({age}) => age <= Number(query.get('ageFrom') || Infinity))), ['filter/member']],

  ['an order is ignored', 'products', ordered('products', (query, order, all) => (order(), all)), ['order/rows']],
  ['an order is turned round', 'products', ordered('products', (query, order) =>
      (query.get('sort')?.startsWith('price') ? order().reverse() : order())), ['order/rows']],
  ['numbers are ordered as texts', 'products', ordered('products', (query, order, all) => (query.get('sort') === 'price_asc'
      ? [...all].sort((one, two) => (`${one.price}` < `${two.price}` ? -1 : 1)) : order())), ['order/rows']],
  ['the newest come last', 'products', ordered('products', (query, order) =>
      (query.get('sort') === 'newest' ? order().reverse() : order())), ['order/rows']],
  ['a direction is ignored', 'orders', ordered('orders', (query, order) => (order(), order(without(query, 'direction')))), ['order/rows']],
  ['a page is ordered by itself', 'orders', {
    order: (query, records) => (lists.orders.order(query, records), records),
    page: (query, records) => body_with(lists.orders.page(query, records), ({items}) => ({items: lists.orders.order(query, items)})),
  }, ['order/paged']],
  ['an order by a name is ignored', 'contacts', ordered('contacts', (query, order, all) =>
      (/name/.test(query.get('sort')) ? all : order())), ['order/rows']],
  ['a minus is ignored', 'contacts', ordered('contacts', (query, order) => order(
      with_query(query, {sort: (query.get('sort') ?? '').replace('-', '')}))), ['order/rows']],
];

for (const [what, list, functions, rules] of faults) {
  test(`${list}: ${what}`, async () => {
    const contract = ['products', 'orders'].includes(list) ? 'pages_by_number.yaml' : 'pages_by_cursor.yaml';
    const {out, report} = await run_with(contract, {[list]: functions});

    const wanted = rules.map((rule) => `GET /${list} ${rule}`);
    assert.deepEqual([...new Set(findings_of(report))].sort(), wanted, out);
  });
}
