// Lists of other makers: whatever their parameters and members are called, a correct service has no findings, a fault
// is found in each list that has it, by the case about it, and data that cannot be judged make cases inconclusive.
import assert from 'node:assert/strict';
import {rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {temporary_folder} from '../../../scripts/lib/programs.mjs';
import {contract_of, record, Rejected, ShapedService, shapes, steps} from './shaped_service.mjs';
import {run_suite} from './suite.mjs';

async function run_with(name, fault = {}, flags = [], change = (contract) => contract) {
  const service = new ShapedService(name, fault);
  const folder = temporary_folder('shapes');
  const file = path.join(folder, 'contract.json');
  writeFileSync(file, JSON.stringify(change(contract_of(name))));
  const url = await service.start();
  try {
    return {...await run_suite(file, url, flags), asked: service.asked};
  } finally {
    await service.stop();
    rmSync(folder, {recursive: true});
  }
}

// "list rule" of each finding; one that repeats is at each of its operations.
function findings_of(report) {
  const found = report.cases.flatMap(({operation, findings}) => findings.filter(({severity}) => severity !== 'note').flatMap(
      ({rule, operations = []}) => [operation, ...operations].map((one) => `${one.replace(/^(list_|GET \/)/, '')} ${rule}`)));
  return [...new Set(found)].sort();
}

const reasons_of = (report) => report.cases.map(({reason}) => reason ?? '');

for (const name of Object.keys(shapes)) {
  for (const flags of [[], ['--allow-writes'], ['--sandbox']]) {
    test(`${name} ${flags.join(' ')}: a correct service has no findings`, async () => {
      const {out, report, asked} = await run_with(name, {}, flags);

      assert.deepEqual(findings_of(report), [], out);
      assert.deepEqual(reasons_of(report).filter((reason) => /\b(list|items?|pages?)\b/.test(reason)), []);
      assert.ok(asked < 333 * report.cases.length / 20, `${asked} requests`);
    });
  }
}

const is = (...ways) => ({by}) => ways.includes(by);
const shows = (word) => (shape) => shape.shows[word] !== undefined;
const is_filtered = ({filters}) => Object.keys(filters).length > 0;
const is_sorted = ({sort}) => Boolean(sort);
const has_default = ({usual}) => usual !== 20;
const any = () => true;
const ask = (change) => ({ask: change});
const shown = (change) => ({shown: (all, asked) => ({...all, ...change(all, asked)})});
const chosen = (change) => ({choose: (all, filters) => (filters.length === 0 ? all : change(all, steps.choose(all, filters)))});
const ordered = (change) => ({order: (all, sort) => (sort === undefined ? all : change(all, sort))});

// What is wrong; the service; the fault; the lists that have it, by the rule that finds it.
const faults = [
  ['a page is one too far', 'plain', ask((page) => (page.given ? {...page, start: page.start + page.size} : page)),
   {'paging/first-page': any, 'paging/partition': shows('next_url')}],
  ['an item is left out between two pages', 'plain', ask((page) => ({...page, start: page.start && page.start + 1})), {'paging/partition': any}],
  ['the way to another page is ignored', 'plain', ask((page) => ({...page, start: 0})), {'paging/number-ignored': any}],
  ['a size is ignored', 'plain', ask((page) => ({...page, size: 20})), {'paging/size': any, 'paging/default-size': has_default}],
  ['what is past the end is the last page', 'plain', ask((page, {records}) => (
      {...page, start: Math.min(page.start, Math.floor((records.length - 1) / page.size) * page.size)})), {'paging/past-the-end': any}],
  ['filters are ignored', 'plain', {choose: (all) => all}, {'filter/member': is_filtered}],
  ['filters leave out the last', 'plain', chosen((all, some) => some.slice(0, -1)), {'filter/member-complete': is_filtered}],
  ['orders are turned round', 'plain', ordered((all, sort) => steps.order(all, sort).reverse()), {'order/rows': is_sorted}],
  ['numbers are ordered as texts', 'plain', ordered((all, sort) => (sort.member !== 'price' ? steps.order(all, sort) : [...all].sort(
      (one, other) => (`${one.price}` < `${other.price}` ? -1 : 1) * (sort.down ? -1 : 1)))), {'order/rows': is_sorted}],
  ['totals are those of pages', 'plain', shown((all, {page}) => ({total: page.length})), {'paging/total': shows('total')}],
  ['totals leave filters out', 'plain', shown((_, {all}) => ({total: all.length})), {'paging/total': shows('total')}],
  ['there is always a last, empty page', 'plain', shown(({total}, {size}) => ({pages: Math.floor(total / size) + 1})),
   {'paging/total': shows('pages')}],
  ['a full page is never the last', 'plain', shown((_, {page, size}) => ({more: page.length === size})),
   {'paging/more': (shape) => shows('more')(shape) || shows('last')(shape)}],

  ['a page begins with the last item of the one before', 'cursors', ask((page) => (
      page.back ? page : {...page, start: Math.max(0, page.start - 1)})), {'paging/partition': any}],
  ['a page has one item more', 'cursors', {rows: (all, {start, size, sized}) => all.slice(start, start + size + (sized ? 1 : 0))},
   {'paging/size': any}],
  ['a cursor leaves a page out', 'cursors', shown(({next}, {size}) => ({next: next && next + size})),
   {'paging/partition': shows('next'), 'paging/number-ignored': () => false}],
  ['a cursor never ends', 'cursors', shown(({next}) => ({next: next ?? 0})), {'paging/partition': shows('next')}],
  ['the last item is missing', 'cursors', {rows: (all, page) => steps.rows(all.slice(0, page.start > 0 && !page.back ? -1 : undefined), page)},
   {'paging/partition': any}],
  ['more is always true', 'cursors', shown(() => ({more: true})), {'paging/more': shows('more')}],
  ['the way back leads to the first page', 'cursors', {rows: (all, page) => steps.rows(all, page.back ? {...page, start: 0} : page)},
   {'paging/back': ({back}) => back !== undefined}],
  ['filters find nothing', 'cursors', chosen(() => []), {'filter/member-complete': is_filtered}],
  ['orders are ignored', 'cursors', {order: (all) => all}, {'order/rows': is_sorted}],
  ['a total is one too high', 'cursors', shown(({total}) => ({total: total + 1})), {'paging/total': shows('total')}],

  ['the next link leads to the same page', 'links', shown(({next}, {start}) => ({next: next && start})), {'paging/number-ignored': any}],
  ['the next link leaves a page out', 'links', shown(({next}, {size}) => ({next: next && next + size})), {'paging/partition': any}],
  ['the next link is missing too early', 'links', shown(({next}, {start}) => ({next: start > 0 ? null : next})), {'paging/partition': any}],
  ['the link back leads to the first page', 'links', shown(({previous}) => ({previous: previous && 0})),
   {'paging/back': shows('previous_url')}],
  ['filters find the others', 'links', chosen((all, some) => all.filter((one) => !some.includes(one))), {'filter/member': is_filtered}],
  ['a direction is ignored', 'links', ordered((all, sort) => steps.order(all, {...sort, down: false})), {'order/rows': is_sorted}],
  ['pages are ordered one by one', 'links', {order: (all) => all, rows: (all, page, {sort}) => steps.order(steps.rows(all, page), sort)},
   {'order/paged': is_sorted}],
  ['pages are filtered one by one', 'links', {choose: (all) => all, rows: (all, page, {filters}) => steps.choose(steps.rows(all, page), filters)},
   {'filter/paged': is_filtered, 'paging/total': undefined}],
];

for (const [what, name, fault, rules] of faults) {
  test(`${name}: ${what}`, async () => {
    const {out, report} = await run_with(name, fault);

    const lists = Object.entries(shapes[name]);
    const wanted = Object.entries(rules).flatMap(([rule, has]) => lists.filter(([, shape]) => has?.(shape)).map(([list]) => `${list} ${rule}`));
    const open = Object.entries(rules).filter(([, has]) => has === undefined).map(([rule]) => rule);
    assert.deepEqual(findings_of(report).filter((one) => !open.includes(one.split(' ')[1])), wanted.sort(), out);
  });
}

// Members that may be missing, where the data are to be so.
function loosened(contract) {
  const loosen = (value) => {
    if (value && typeof value === 'object') {
      Object.values(value).forEach(loosen);
      if (value.properties) {
        delete value.required;
      }
    }
  };
  Object.values(contract.paths).forEach(({get}) => loosen(get.responses));
  return contract;
}

const several = (count, make = record) => ({records: () => Array.from({length: count}, (_, at) => make(at % 13, at))});
let failures = 0;

// What is so; the service; its steps; the reason of one of the cases that are inconclusive, if there is one.
const unruly = [
  ['a list has 100,000 rows', 'plain', several(100_000, (at, number) => ({...record(at), id: `r${number}`}))],
  ['rows have no identifiers', 'plain', several(13, (at) => ({...record(at), id: undefined}))],
  ['rows have no identifiers', 'cursors', several(13, (at) => ({...record(at), id: undefined})), /nothing names each of its items/],
  ['rows have equal identifiers', 'plain', several(13, (at) => ({...record(at), id: 'r1'}))],
  ['the order is another each time', 'plain', {rows: (all, page) => steps.rows([...all].sort(() => Math.random() - 0.5), page)},
   /the list changed, or its order/],
  ['the order is another each time', 'cursors', {rows: (all, page) => steps.rows([...all].sort(() => Math.random() - 0.5), page)},
   /the list changed, or its order/],
  ['pages fail at times', 'plain', {ask: (page) => {
    if (page.start > 0 && (failures += 1) % 5 === 0) throw new Rejected('try again', 503);
    return page;
  }}],
  ['a total is a text', 'plain', shown(({total}) => ({total: `${total} or so`})), /no response shows the number/],
  ['cursors never end', 'links', {...several(10_000, (at, number) => ({...record(at), id: `r${number}`})),
                                  shown: (all, {start, size}) => ({...all, next: start + size})}],
];

for (const [what, name, fault, reason] of unruly) {
  test(`${name}: ${what}`, async () => {
    const {out, report, asked, seconds} = await run_with(name, fault, [], loosened);

    assert.deepEqual(findings_of(report).filter((one) => / (paging|filter|order)/.test(one)), [], out);
    assert.ok(asked < 4000 && seconds < 120, `${asked} requests, ${seconds} s`);
    assert.match(reasons_of(report).join('\n'), reason ?? /^/);
  });
}
