#!/usr/bin/env node
// Reads every GET operation of published descriptions on the mock, and prints how often its data are as rules of the
// world have them: sums add up, times are plausible, mails are of the people beside them. scripts/walk.mjs walks the
// same descriptions for what is kept of changes.
//   scripts/walk_data.mjs [--descriptions FOLDER] [--every N] [--limit N] [--only TEXT] [--verbose]
//                         [--at-least RULE=PERCENT]... [-- FLAGS OF THE MOCK]
// Without --descriptions, ../shared/testdata/descriptions beside the clone, or COUNTERPART_TESTDATA; skipped (77) where
// there are none. What the description states itself (examples, defaults) is not counted. Ends with 1 where a rule
// holds less often than --at-least says.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';

import {descriptions, kSkipped} from './lib/descriptions.mjs';
import {root, start_mock} from './lib/programs.mjs';

const kMaxOfEach = 60;
const kMaxSeconds = 30;  // for one description
const kRules = ['record equals list item', 'totals', 'sums', 'epoch', 'time zone', 'mail agrees with name', 'name agrees with first name',
                'city in country', 'codes without blanks', 'end after start', 'one currency', 'references'];

const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const letters = (text) => String(text).toLowerCase().normalize('NFD').replace(/[^a-z]/g, '');
const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// The country of each city that the mock knows.
function known_cities() {
  const cities = new Map();
  let country = [];
  for (const line of readFileSync(path.join(root, 'spec/schema/generate/words/regions.yaml'), 'utf8').split('\n')) {
    const start = line.match(/country: ([^,]+), code: (\w+), code3: (\w+)/);
    country = start ? start.slice(1) : country;
    for (const [, city] of line.matchAll(/\[([A-Z][A-Za-z ]+), [^\]]*"?\/?/g)) {
      if (/places:|^\s+\[/.test(line)) cities.set(city, country);
    }
  }
  return cities;
}

const cities = known_cities();

// What a description states: its examples and defaults, and the members that hold times.
class Statements {
  constructor(document) {
    this.values = new Set();
    this.times = new Set();
    this.visit(document, '');
  }

  visit(node, name) {
    if (Array.isArray(node)) return node.forEach((each) => this.visit(each, name));
    if (!is_object(node)) return undefined;
    for (const [key, value] of Object.entries(node)) {
      if (['example', 'examples', 'default', 'enum', 'const'].includes(key)) this.note(value);
      else this.visit(value, key);
    }
    const is_number = [node.type].flat().includes('integer');
    const says = /^unix-?time/.test(node.format ?? '') || /unix|epoch|since 1970/i.test(node.description ?? '');
    if (is_number && says && !/duration|seconds until|in seconds to/i.test(node.description ?? '')) this.times.add(name);
    return undefined;
  }

  note(value) {
    if (value !== null && typeof value === 'object') Object.values(value).forEach((each) => this.note(each));
    else this.values.add(value);
  }

  has(value) {
    return this.values.has(value);
  }
}

class Count {
  constructor() {
    this.rules = Object.fromEntries(kRules.map((rule) => [rule, {right: 0, of: 0, wrong: []}]));
    this.seen = new Map();
  }

  // Of one description at most kMaxOfEach, so that no large one decides alone.
  add(rule, is_right, what, from) {
    const count = this.rules[rule];
    const already = `${from} ${rule}`;
    this.seen.set(already, (this.seen.get(already) ?? 0) + 1);
    if (this.seen.get(already) > kMaxOfEach) return;
    count.of += 1;
    count.right += is_right ? 1 : 0;
    if (!is_right && count.wrong.length < 40) count.wrong.push(what);
  }
}

const amount = (value) => (typeof value === 'number' ? value : typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined);

function check_sums(members, add) {
  const get = (...names) => names.map((name) => amount(members.get(name)?.value)).find((value) => value !== undefined);
  const subtotal = get('subtotal', 'subtotalamount', 'amountsubtotal', 'netamount');
  const tax = get('tax', 'taxamount', 'totaltax', 'vat', 'amounttax');
  const total = get('total', 'totalamount', 'grandtotal', 'amounttotal');
  if (subtotal !== undefined && tax !== undefined && total !== undefined) {
    const sum = subtotal + tax + (get('shipping', 'shippingamount', 'shippingcost', 'amountshipping') ?? 0) - (get('discount', 'discountamount', 'totaldiscount', 'totaldiscounts', 'amountdiscount') ?? 0);
    add('sums', Math.abs(sum - total) < 0.011, `${subtotal} + ${tax} = ${total}`);
  }
}

function check_people(members, add) {
  const text = (...names) => names.map((name) => members.get(name)).find((each) => typeof each?.value === 'string' && each.value);
  const email = text('email', 'emailaddress', 'mail');
  const first = text('firstname', 'givenname');
  const last = text('lastname', 'surname', 'familyname');
  const name = text('name', 'fullname', 'displayname', 'customername');
  if (email && !email.stated && /@/.test(email.value) && (first || last || (name && !name.stated))) {
    const mail = letters(email.value.split('@').join(''));
    const parts = first || last ? [first?.value ?? last?.value] : name.value.split(/[ ,.&]+/).slice(0, 1);
    add('mail agrees with name', parts.some((part) => letters(part) && mail.includes(letters(part))), `${email.value} of ${parts}`);
  }
  if (first && name && !(first.stated && name.stated) && /^[A-Z]/.test(first.value)) {
    add('name agrees with first name', letters(name.value).includes(letters(first.value)), `${first.value} in ${name.value}`);
  }
}

function check_place(members, add) {
  const country = ['country', 'countrycode', 'countryname'].map((name) => members.get(name)).find((each) => typeof each?.value === 'string');
  const city = ['city', 'town', 'locality'].map((name) => members.get(name)).find((each) => typeof each?.value === 'string');
  if (country && city && !city.stated) {
    add('city in country', (cities.get(city.value) ?? []).includes(country.value), `${city.value} in ${country.value}`);
  }
}

const kCode = /(^|[a-z_])(code|key|slug|sku|token|hash|uuid|guid|handle|username)$/i;
const kZone = /^(timezone|tz|timezoneid|ianatimezone)$/;
const kCount = /^(total|totalcount|totalitems|totalelements|totalresults|numfound|totalrecords|recordcount|totalrows)$/;

function check_member(name, {value, stated}, statements, add) {
  const is_time = statements.times.has(name) || /^(created|updated|modified|expires|created_?at|updated_?at|expires_?at)$/i.test(name);
  if (is_time && Number.isInteger(value) && !stated) {
    const seconds = value > 1e11 ? value / 1000 : value;
    add('epoch', seconds > 1.42e9 && seconds < 2.1e9, `${name} ${value}`);
  }
  if (kZone.test(plain(name)) && typeof value === 'string' && !stated) {
    let is_known = /\/|^UTC$/.test(value);
    try {
      new Intl.DateTimeFormat('en', {timeZone: value});
    } catch {
      is_known = false;
    }
    add('time zone', is_known, `${name} ${value}`);
  }
  if (kCode.test(name) && !/postal|zip|post_?code|country/i.test(name) && typeof value === 'string' && value && !stated) add('codes without blanks', !/\s/.test(value), `${name} ${value}`);
}

function check_times(members, add) {
  for (const [early, late] of [['createdat', 'updatedat'], ['createdat', 'expiresat'], ['created', 'updated'], ['created', 'expires'], ['startdate', 'enddate'], ['starttime', 'endtime'], ['startat', 'endat']]) {
    const [one, two] = [members.get(early), members.get(late)];
    const is_said = one && two && one.value !== null && two.value !== null && typeof one.value === typeof two.value && !(one.stated || two.stated);
    if (is_said && typeof one.value !== 'object' && typeof one.value !== 'boolean') add('end after start', one.value <= two.value, `${early} ${one.value}, ${late} ${two.value}`);
  }
}

const currencies_in = (value, statements, found = new Set()) => {
  if (Array.isArray(value)) value.forEach((each) => currencies_in(each, statements, found));
  else if (is_object(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (/currency(_?code)?$/i.test(name) && typeof each === 'string' && !statements.has(each)) found.add(each);
      else currencies_in(each, statements, found);
    }
  }
  return found;
};

function check_body(value, statements, add) {
  if (Array.isArray(value)) return value.forEach((each) => check_body(each, statements, add));
  if (!is_object(value)) return undefined;
  const entries = Object.entries(value);
  const members = new Map(entries.map(([name, each]) => [plain(name), {value: each, stated: statements.has(each)}]));
  check_sums(members, add);
  check_people(members, add);
  check_place(members, add);
  check_times(members, add);
  for (const [name, each] of entries) check_member(name, {value: each, stated: statements.has(each)}, statements, add);
  const lists = entries.filter(([, each]) => Array.isArray(each) && is_object(each[0]));
  if (lists.length === 1 && !('id' in value)) {
    for (const [name, each] of entries) {
      if (kCount.test(plain(name)) && Number.isInteger(each)) add('totals', each === lists[0][1].length || (each > lists[0][1].length && 'seeded' in value), `${name} ${each}, ${lists[0][1].length} rows`);
    }
  }
  if ('id' in value || 'currency' in value) {
    const found = currencies_in(value, statements);
    if (found.size > 0) add('one currency', found.size === 1, [...found].join());
  }
  entries.forEach(([, each]) => check_body(each, statements, add));
  return undefined;
}

const rows_of = (body) => (Array.isArray(body) ? body : is_object(body) ? Object.values(body).find((each) => Array.isArray(each) && is_object(each[0])) ?? [] : []);

class Reader {
  constructor(url, document, add) {
    this.url = url;
    this.document = document;
    this.statements = new Statements(document);
    this.add = add;
    this.ids = new Map();  // of the records of collections, by their last segment in the singular
  }

  async get(at) {
    const response = await fetch(this.url + at, {headers: {Authorization: 'Bearer t', Accept: 'application/json'}, signal: AbortSignal.timeout(15_000)}).catch(() => undefined);
    if (!response || response.status !== 200 || !/json/.test(response.headers.get('content-type') ?? '')) return undefined;
    return response.json().catch(() => undefined);
  }

  async read(end) {
    const paths = Object.entries(this.document.paths).filter(([, item]) => item.get).map(([at]) => at);
    const bodies = [];
    for (const at of paths.filter((each) => !each.includes('{'))) {
      if (Date.now() > end) break;
      const body = await this.get(at);
      if (body === undefined) continue;
      bodies.push(body);
      check_body(body, this.statements, this.add);
      await this.read_records(at, paths, rows_of(body));
    }
    for (const at of paths.filter((each) => each.includes('{'))) {
      if (Date.now() > end) break;
      check_body(await this.get(at.replace(/\{[^}]*\}/g, '1')), this.statements, this.add);
    }
    bodies.forEach((body) => this.check_references(rows_of(body)));
  }

  async read_records(at, paths, rows) {
    const record_path = paths.find((each) => each.startsWith(`${at}/{`) && /^\/\{[^/{}]+\}$/.test(each.slice(at.length)));
    const parameter = record_path?.slice(at.length + 2, -1);
    const singular = plain(at.split('/').pop()).replace(/ies$/, 'y').replace(/s$/, '');
    const key_of = (row) => [plain(parameter ?? 'id'), 'id', `${singular}id`].map((key) => Object.entries(row).find(([name]) => plain(name) === key)?.[1])
      .find((key) => key !== undefined);
    this.ids.set(singular, [...(this.ids.get(singular) ?? []), ...rows.map(key_of).filter((key) => key !== undefined)]);
    for (const row of record_path ? rows.slice(0, 3) : []) {
      const key = key_of(row);
      if (key === undefined || typeof key === 'object') continue;
      const body = await this.get(`${at}/${encodeURIComponent(key)}`);
      if (!is_object(body)) continue;
      const record = key_of(body) !== undefined ? body : Object.values(body).find((each) => is_object(each) && key_of(each) !== undefined) ?? body;
      const is_plain = (value) => value === null || typeof value !== 'object';  // not where the two are described as different kinds
      const shared = Object.keys(row).filter((name) => name in record && is_plain(row[name]) && is_plain(record[name]));
      if (shared.length > 1) {
        const different = shared.filter((name) => row[name] !== record[name]);
        this.add('record equals list item', different.length === 0, `${at}/${key}: ${different}`);
      }
    }
  }

  check_references(rows) {
    for (const [name, value] of rows.flatMap((row) => (is_object(row) ? Object.entries(row) : []))) {
      const other = plain(name).match(/^(.+?)ids?$/)?.[1];
      const ids = this.ids.get(other);
      if (!ids?.length || value === null || (typeof value === 'object' && !Array.isArray(value))) continue;
      for (const each of [value].flat().filter((one) => !this.statements.has(one))) this.add('references', ids.some((id) => String(id) === String(each)), `${name} ${each}`);
    }
  }
}

async function read_description(file, flags, count) {
  const name = path.basename(file).replace(/\.(yaml|json)$/, '');
  const mock = await start_mock('--contract', file, '--tolerate', ...flags);
  try {
    const document = await (await fetch(`${mock.url}/_mock/spec`)).json();
    await new Reader(mock.url, document, (rule, is_right, what) => count.add(rule, is_right, `${name}: ${what}`, name)).read(Date.now() + kMaxSeconds * 1000);
  } finally {
    await mock.stop();
  }
}

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {'descriptions': {type: 'string'}, 'every': {type: 'string', default: '3'}, 'limit': {type: 'string', default: '25'}, 'only': {type: 'string', default: ''},
            'verbose': {type: 'boolean', default: false}, 'at-least': {type: 'string', multiple: true, default: []}},
});
const files = descriptions({folder: values.descriptions, only: values.only, every: values.only ? 1 : Number(values.every)});
if (!files) process.exit(kSkipped);
const count = new Count();
for (const file of files.slice(0, Number(values.limit))) {
  await read_description(file, positionals, count).catch((error) => console.log(`${path.basename(file)}: ${error.message}`));
}
for (const [rule, {right, of, wrong}] of Object.entries(count.rules)) {
  console.log(`${rule.padEnd(28)} ${String(right).padStart(5)} of ${String(of).padStart(5)}  ${of ? ((100 * right) / of).toFixed(1) : '-'} %`);
  for (const line of values.verbose ? wrong : []) console.log(`    ${line.slice(0, 160)}`);
}
for (const [rule, percent] of values['at-least'].map((each) => each.split('='))) {
  const {right, of} = count.rules[rule] ?? {};
  if (of === undefined || (of > 0 && (100 * right) / of < Number(percent))) {
    console.log(`${rule}: less than ${percent} %`);
    process.exitCode = 1;
  }
}
