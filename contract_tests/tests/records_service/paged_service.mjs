// The services of pages_by_number.yaml and pages_by_cursor.yaml. A fault replaces some of the functions
// that choose, order and page the records.
import http from 'node:http';

import {LocalService} from './suite.mjs';

const day = (number) => new Date(Date.UTC(2025, 0, 1) + number * 86_400_000).toISOString().replace('.000', '');
const NAMES = ['Otter', 'Heron', 'Adder', 'Vole', 'Newt', 'Crane', 'Stoat', 'Perch', 'Finch', 'Mole', 'Lynx', 'Bream'];
const many = (count, make) => Array.from({length: count}, (_, index) => make(index));

const products = () => many(11, (at) => ({
  id: at + 1, name: NAMES[at], price: [30, 5, 12.5, 80, 12.5, 44, 9, 61, 27, 3, 18][at],
  status: ['active', 'draft', 'active', 'archived', 'active'][at % 5], created_at: day((at * 7) % 11),
}));
const orders = () => many(10, (at) => ({
  id: `o${1_000_007 * (at + 1)}`, customer: ['Ada', 'Ben', 'Cleo'][at % 3], amount: [70, 20, 50, 90, 10, 30, 80, 40, 60, 25][at],
  paid: at % 2 === 0, placed: day((at * 3) % 10).slice(0, 10),
}));
const messages = () => many(12, (at) => ({
  id: `msg_${(at * 5) % 12 + 10}`, subject: `About the ${NAMES[at]}`, folder: ['inbox', 'sent', 'inbox', 'trash'][at % 4],
  unread: at % 3 === 0,
}));
const contacts = () => many(10, (at) => ({
  uid: `3f1c2b4a-0000-4000-8000-0000000000${at + 10}`, name: NAMES[(at * 3) % 10], age: [41, 22, 67, 35, 58, 19, 73, 30, 46, 62][at],
  city: ['Lund', 'Bergen', 'Turku'][at % 3],
}));

class Rejected extends Error {}

export function whole(query, name, min, max, usual) {
  const values = query.getAll(name).filter((value) => value !== '');
  if (values.length === 0) {
    return usual;
  }
  if (values.length > 1 || !/^-?\d+$/.test(values[0]) || Number(values[0]) < min || Number(values[0]) > max) {
    throw new Rejected(`${name} must be a whole number from ${min} to ${max}`);
  }
  return Number(values[0]);
}

function number(query, name) {
  const value = query.get(name);
  if (value === null || value === '') {
    return undefined;
  }
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) {
    throw new Rejected(`${name} must be a number`);
  }
  return Number(value);
}

function one_of(query, name, values) {
  const value = query.get(name);
  if (value === null) {
    return undefined;
  }
  if (!values.includes(value)) {
    throw new Rejected(`${name} must be one of ${values}`);
  }
  return value;
}

function date(query, name) {
  const value = query.get(name);
  const is_day = value === null || (/^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value));
  if (!is_day) {
    throw new Rejected(`${name} must be a date`);
  }
  return value ?? '';
}

const by = (member, down) => (one, other) =>
    (one[member] < other[member] ? -1 : one[member] > other[member] ? 1 : 0) * (down ? -1 : 1);
const has = (wanted, value) => wanted === undefined || wanted === value;
const slice_after = (records, key, value, size) => {
  const at = value ? records.findIndex((one) => one[key] === value) + 1 : 0;
  return records.slice(at, at + size);
};

// Each list: `choose` its records, `order` them, and make a `page` {rows, body, headers}.
export const lists = {
  products: {
    choose(query, all) {
      const status = one_of(query, 'status', ['draft', 'active', 'archived']);
      const [min, max] = [number(query, 'min_price'), number(query, 'max_price')];
      const words = query.get('q') ?? '';
      return all.filter((one) => has(status, one.status) && one.price >= (min ?? -Infinity) &&
                                 one.price <= (max ?? Infinity) && one.name.toLowerCase().includes(words.toLowerCase()));
    },
    order(query, records) {
      const sort = one_of(query, 'sort', ['name', '-name', 'price_asc', 'price_desc', 'newest']);
      const orders = {name: by('name'), '-name': by('name', true), price_asc: by('price'), price_desc: by('price', true),
                      newest: by('created_at', true)};
      return sort === undefined ? records : [...records].sort(orders[sort]);
    },
    page(query, records) {
      const size = whole(query, 'per_page', 1, 50, 10);
      const page = whole(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
      return {body: records.slice((page - 1) * size, page * size), headers: {'X-Total-Count': records.length}};
    },
  },
  orders: {
    choose(query, all) {
      const paid = one_of(query, 'paid', ['true', 'false']);
      const customer = query.get('customer') || undefined;
      const since = date(query, 'placed[gte]');
      return all.filter((one) => has(paid, String(one.paid)) && has(customer, one.customer) &&
                                 one.placed >= since);
    },
    order(query, records) {
      const down = one_of(query, 'direction', ['asc', 'desc']) === 'desc';
      const member = query.get('order_by');
      return ['placed', 'amount'].includes(member) ? [...records].sort(by(member, down)) : records;
    },
    page(query, records) {
      const size = whole(query, 'take', 1, 50, 20);
      const skip = whole(query, 'skip', 0, Number.MAX_SAFE_INTEGER, 0);
      return {body: {items: records.slice(skip, skip + size), total: records.length, pages: Math.ceil(records.length / size)}};
    },
  },
  messages: {
    choose(query, all) {
      const folder = one_of(query, 'folder', ['inbox', 'sent', 'trash', 'all']);
      const unread = one_of(query, 'unread', ['true', 'false']);
      return all.filter((one) => (folder === 'all' || has(folder, one.folder)) && has(unread, String(one.unread)));
    },
    order: (query, records) => records,
    page(query, records) {
      const size = whole(query, 'limit', 1, 100, 10);
      const after = query.get('starting_after');
      if (after && !records.some(({id}) => id === after)) {
        throw new Rejected('starting_after must be a message');
      }
      const rows = slice_after(records, 'id', after, size);
      return {body: {object: 'list', data: rows, has_more: rows.length > 0 && rows.at(-1) !== records.at(-1)}};
    },
  },
  contacts: {
    choose(query, all) {
      const city = query.get('filter[city]') || undefined;
      const age = whole(query, 'ageFrom', -Infinity, Infinity, 0);
      return all.filter((one) => has(city, one.city) && one.age >= age);
    },
    order(query, records) {
      const [, down, member] = /^(-?)(name|age)$/.exec(query.get('sort') ?? '') ?? [];
      return member === undefined ? records : [...records].sort(by(member, down === '-'));
    },
    page(query, records) {
      const size = whole(query, 'pageSize', 1, 20, 4);
      const token = query.get('pageToken');
      const start = token ? Number(/^at:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1] ?? NaN) : 0;
      if (Number.isNaN(start)) {
        throw new Rejected('pageToken must be one of a page');
      }
      const next = start + size < records.length ? Buffer.from(`at:${start + size}`).toString('base64url') : null;
      return {body: {contacts: records.slice(start, start + size), meta: {nextPageToken: next, totalCount: records.length}}};
    },
  },
};

export class PagedService extends LocalService {
  // `faults`: functions instead of those of the lists, by name of the list; those of `orders` also for one.
  constructor(faults = {}) {
    super();
    this.records = {products: products(), orders: orders(), messages: messages(), contacts: contacts()};
    this.next = 100;
    this.asked = 0;
    this.lists = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, {...list, ...faults[name]}]));
    this.server = http.createServer((request, response) => {
      const chunks = [];
      request.on('data', (bytes) => chunks.push(bytes));
      request.on('end', () => this.take(request, response, Buffer.concat(chunks)));
    });
  }

  take(request, response, bytes) {
    this.asked += 1;
    let answer;
    try {
      answer = this.answer(request, bytes);
    } catch (error) {
      if (!(error instanceof Rejected)) {
        throw error;
      }
      answer = [400, {error: error.message}];
    }
    const [status, body, headers = {}] = answer;
    const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    response.writeHead(status, {...headers, ...(json && {'Content-Type': 'application/json', 'Content-Length': json.length})});
    response.end(request.method === 'HEAD' ? undefined : json);
  }

  answer(request, bytes) {
    const [path, query = ''] = request.url.split(/\?(.*)/s);
    const [, name, key, rest] = path.split('/').map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        throw new Rejected('the path must be percent-encoded UTF-8');
      }
    });
    const list = Object.hasOwn(this.lists, name) ? this.lists[name] : undefined;
    if (list === undefined || rest !== undefined || (key !== undefined && name !== 'orders')) {
      return [404, {error: 'there is nothing here'}];
    }
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (key !== undefined) {
      return this.one(request, method, key, bytes);
    }
    if (method === 'GET') {
      const values = new URLSearchParams(query);
      const {body, headers} = list.page.call(
          this, values, list.order.call(this, values, list.choose.call(this, values, this.records[name])));
      return [200, body, headers];
    }
    return name === 'orders' && method === 'POST' ? this.add(request, bytes) : [405, {error: 'not allowed'}, {Allow: 'GET'}];
  }

  body(request, bytes, needed) {
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
      return [415, {error: 'no JSON'}];
    }
    let body;
    try {
      body = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
    } catch {
      throw new Rejected('no JSON');
    }
    const valid = {
      customer: (text) => typeof text === 'string' && text !== '' && [...text].length <= 40 && !/\p{Surrogate}/u.test(text),
      amount: (amount) => Number.isInteger(amount) && amount >= 1 && amount <= 100_000,
    };
    const names = Object.keys(valid).filter((name) => body?.[name] !== undefined);
    if (body === null || typeof body !== 'object' || Array.isArray(body) || !names.every((name) => valid[name](body[name])) ||
        !needed.every((name) => names.includes(name))) {
      throw new Rejected('no order');
    }
    return Object.fromEntries(names.map((name) => [name, body[name]]));
  }

  add(request, bytes) {
    const given = this.body(request, bytes, ['customer', 'amount']);
    if (Array.isArray(given)) {
      return given;
    }
    const order = {id: `o${1_000_007 * this.next++}`, paid: false, placed: day(this.next).slice(0, 10), ...given};
    this.records.orders.push(order);
    return [201, order];
  }

  one(request, method, key, bytes) {
    const at = this.records.orders.findIndex(({id}) => id === key);
    if (!['GET', 'PATCH', 'DELETE'].includes(method)) {
      return [405, {error: 'not allowed'}, {Allow: 'GET, PATCH, DELETE'}];
    }
    if (!/^o\d+$/.test(key)) {
      throw new Rejected('no identifier');
    }
    if (at < 0) {
      return [404, {error: 'no such order'}];
    }
    if (method === 'GET') {
      return [200, this.records.orders[at]];
    }
    if (method === 'DELETE') {
      this.records.orders.splice(at, 1);
      return [204];
    }
    const given = this.body(request, bytes, []);
    if (Array.isArray(given)) {
      return given;
    }
    this.records.orders[at] = {...this.records.orders[at], ...given};
    return [200, this.records.orders[at]];
  }
}
