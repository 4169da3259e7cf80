// The service of library.yaml: right in all that it does, but for what `faults` replaces.
import {randomUUID} from 'node:crypto';
import http from 'node:http';

class Rejected extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    Object.assign(this, {status, headers});
  }
}

const text = (max) => (value) =>
    typeof value === 'string' && value.length > 0 && [...value].length <= max && !/\p{Surrogate}/u.test(value);
const whole = (min, max) => (value) => Number.isInteger(value) && value >= min && value <= max;
const or_null = (is_valid) => (value) => value === null || is_valid(value);
const shelf = (value) => value === '' || text(20)(value);

const FORMS = {
  authors: {name: text(80)},
  books: {title: text(60), isbn: text(40), author_id: whole(1, 2 ** 53), pages: whole(1, 10_000), shelf: or_null(shelf)},
  jobs: {name: text(40)},
  items: {sku: text(40), quantity: whole(1, 99)},
  marks: {note: text(60)},
  orders: {written_by: whole(1, 2 ** 53), words: text(60)},
};
const OPTIONAL = new Set(['pages', 'shelf']);

function body_of(request, bytes, kind, {change = false} = {}) {
  const wanted = change ? /^application\/merge-patch\+json *(;|$)/i : /^application\/json *(;|$)/i;
  if (!wanted.test(request.headers['content-type'] ?? '')) {
    throw new Rejected(415, 'another media type');
  }
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
  } catch {
    throw new Rejected(400, 'the body must be JSON');
  }
  const form = FORMS[kind];
  const is_object = body !== null && typeof body === 'object' && !Array.isArray(body);
  const valid = is_object &&
      Object.entries(form).every(([name, is_valid]) => (Object.hasOwn(body, name) ? is_valid(body[name]) : change || OPTIONAL.has(name))) &&
      (!change || Object.keys(body).length > 0) && !(change && Object.hasOwn(body, 'author_id'));
  if (!valid) {
    throw new Rejected(400, `the body must be of ${kind}`);
  }
  return Object.fromEntries(Object.keys(form).filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]));
}

// The file of a multipart body: {name, type, bytes}.
function file_of(request, bytes) {
  const boundary = /^multipart\/form-data *;.*boundary="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) {
    throw new Rejected(415, 'a form with a file is wanted');
  }
  for (const part of bytes.toString('latin1').split(`--${boundary}`)) {
    const [head, ...rest] = part.split('\r\n\r\n');
    if (rest.length > 0 && /name="file"/i.test(head)) {
      return {
        name: /filename="([^"]*)"/i.exec(head)?.[1], type: /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? 'application/octet-stream',
        bytes: Buffer.from(rest.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1'),
      };
    }
  }
  throw new Rejected(400, 'the file is missing');
}

const at_first = () => ({
  authors: new Map([[3, {id: 3, name: 'Amara'}], [8, {id: 8, name: 'Bo'}]]),
  books: new Map([
    [11, {id: 11, title: 'Northern orchard', isbn: 'n-1', author_id: 3, pages: 70, revision: 1}],
    [12, {id: 12, title: 'Fog', isbn: 'n-2', author_id: 8, pages: 9, shelf: 'B', revision: 4}],
  ]),
  jobs: new Map(), carts: new Map(), marks: new Map([['first', {note: 'keep'}]]), scans: new Map(),
  receipts: new Map(),
});

class Library {
  // `faults`: methods of this class that are replaced; `super_` is the service's own.
  constructor(faults = {}) {
    Object.assign(this, {...at_first(), next: 40, asked: []});
    for (const [name, make] of Object.entries(faults)) {
      const right = this[name].bind(this);
      this[name] = (...given) => make.call(this, right, ...given);
    }
    this.server = http.createServer(async (request, response) => {
      const bytes = Buffer.concat(await request.toArray());
      this.asked.push(`${request.method} ${request.url}`);
      const {status, body, headers = {}} = this.take(request, bytes);
      const content = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      response.writeHead(status, {...(content && {'Content-Type': 'application/json', 'Content-Length': content.length}), ...headers});
      response.end(request.method === 'HEAD' ? undefined : content);
    });
  }

  // All records, but for those of the run.
  state() {
    return JSON.stringify(Object.keys(at_first()).map((kind) => [...this[kind]]));
  }

  take(request, bytes) {
    try {
      return this.answer(request, bytes);
    } catch (error) {
      if (!(error instanceof Rejected)) {
        throw error;
      }
      return {status: error.status, body: {message: error.message}, headers: error.headers};
    }
  }

  answer(request, bytes) {
    const [path] = request.url.split('?');
    let parts;
    try {
      parts = path.split('/').slice(1).map(decodeURIComponent);
    } catch {
      throw new Rejected(400, 'the path must be percent-encoded UTF-8');
    }
    const handlers = this.handlers(parts, request, bytes);
    if (handlers === undefined) {
      throw new Rejected(404, 'there is nothing here');
    }
    const handler = handlers[request.method === 'HEAD' ? 'GET' : request.method];
    if (handler === undefined) {
      const allowed = Object.keys(handlers);
      throw new Rejected(405, 'not allowed here', {Allow: [...(allowed.includes('GET') ? ['HEAD'] : []), ...allowed].join(', ')});
    }
    return handler();
  }

  handlers([kind, key, inner, item, ...rest], request, bytes) {
    const send = (body) => ({status: 200, body});
    const made = (body, headers) => ({status: 201, body, headers});
    if (rest.length > 0 || (inner !== undefined && !['carts', 'scans'].includes(kind))) {
      return undefined;
    }
    if (kind === 'authors') {
      return key === undefined ? {
        GET: () => send([...this.authors.values()]),
        POST: () => made(this.create('authors', this.read(request, bytes, 'authors'))),
      } : {
        GET: () => send(this.find('authors', this.number(key))),
        DELETE: () => this.drop('authors', this.number(key)),
      };
    }
    if (kind === 'books') {
      return key === undefined ? {
        GET: () => send({data: [...this.books.values()], total: this.total()}),
        POST: () => made(this.create('books', this.book(this.read(request, bytes, 'books')))),
      } : {
        GET: () => send(this.find('books', this.number(key))),
        PUT: () => send(this.put(this.find('books', this.number(key)), this.read(request, bytes, 'books'))),
        PATCH: () => send(this.patch(this.find('books', this.number(key)), this.read(request, bytes, 'books', {change: true}))),
        DELETE: () => this.drop('books', this.number(key)),
      };
    }
    if (kind === 'jobs') {
      return key === undefined ? {
        POST: () => {
          const job = this.start(this.read(request, bytes, 'jobs'));
          return made({ticket: job.ticket, name: job.name}, {Location: `/jobs/${job.ticket}`});
        },
      } : {GET: () => send(this.find('jobs', key)), DELETE: () => this.drop('jobs', key)};
    }
    if (kind === 'orders' && key === undefined) {
      return {POST: () => made({receipt: {number: this.order(this.read(request, bytes, 'orders')).number}})};
    }
    if (kind === 'receipts' && key !== undefined) {
      return {GET: () => send(this.find('receipts', key)), DELETE: () => this.drop('receipts', key)};
    }
    if (kind === 'marks' && key !== undefined) {
      return {
        GET: () => send(this.find('marks', key)), DELETE: () => this.drop('marks', key),
        PUT: () => {
          if (!/^[a-z0-9-]{1,40}$/.test(key)) {
            throw new Rejected(400, 'not a key');
          }
          const mark = this.read(request, bytes, 'marks');
          const is_new = !this.marks.has(key);
          this.marks.set(key, mark);
          return {status: is_new ? 201 : 200, body: mark};
        },
      };
    }
    return kind === 'carts' ? this.cart_handlers(key, inner, item, request, bytes)
                            : kind === 'scans' ? this.scan_handlers(key, inner, item, request, bytes) : undefined;
  }

  cart_handlers(key, inner, item, request, bytes) {
    if (key === undefined) {
      return {
        POST: () => {
          const cart = {cart_id: randomUUID(), items: new Map()};
          this.carts.set(cart.cart_id, cart);
          return {status: 201, headers: {Location: `/carts/${cart.cart_id}`}};
        },
      };
    }
    const cart = () => this.find('carts', key.toLowerCase());
    if (inner === undefined) {
      return {
        GET: () => ({status: 200, body: {cart_id: cart().cart_id, count: cart().items.size}}),
        DELETE: () => this.drop('carts', cart().cart_id),
      };
    }
    if (inner !== 'items') {
      return undefined;
    }
    const one = () => {
      const found = cart().items.get(this.number(item));
      if (found === undefined) {
        throw new Rejected(404, 'there is no such item');
      }
      return found;
    };
    return item === undefined ? {
      GET: () => ({status: 200, body: [...cart().items.values()]}),
      POST: () => {
        const {items} = cart();
        const made = {id: this.next++, ...this.read(request, bytes, 'items')};
        items.set(made.id, made);
        return {status: 201, body: made};
      },
    } : {GET: () => ({status: 200, body: one()}), DELETE: () => ({status: 204, body: void cart().items.delete(one().id)})};
  }

  scan_handlers(key, inner, item, request, bytes) {
    if (key === undefined) {
      return {
        POST: () => {
          const scan = {id: `s${this.next++}`, ...this.stored(file_of(request, bytes))};
          this.scans.set(scan.id, scan);
          return {status: 201, body: this.shown(scan)};
        },
      };
    }
    if (inner === undefined) {
      return {GET: () => ({status: 200, body: this.shown(this.find('scans', key))}), DELETE: () => this.drop('scans', key)};
    }
    return inner === 'content' && item === undefined ? {GET: () => this.content(this.find('scans', key))} : undefined;
  }

  stored(file) {
    return file;
  }

  shown({id, name, type, bytes}) {
    return {id, name, type, size: bytes.length};
  }

  content({name, type, bytes}) {
    const disposition = name === undefined ? {} : {'Content-Disposition': `attachment; filename="${name}"`};
    return {status: 200, body: bytes, headers: {'Content-Type': type, ...disposition}};
  }

  read(request, bytes, kind, options) {
    return body_of(request, bytes, kind, options);
  }

  number(key) {
    return /^[1-9]\d*$/.test(key) ? Number(key) : key;
  }

  find(kind, key) {
    const found = this[kind].get(key);
    if (found === undefined) {
      throw new Rejected(404, `there is no such record of ${kind}`);
    }
    return found;
  }

  // The author exists, and the text of no other book is the same.
  total() {
    return this.books.size;
  }

  book(sent, id) {
    if (sent.author_id !== undefined && !this.authors.has(sent.author_id)) {
      throw new Rejected(422, 'there is no such author');
    }
    if ([...this.books.values()].some((other) => other.id !== id && other.isbn === sent.isbn)) {
      throw new Rejected(409, 'there is a book of this isbn');
    }
    return {pages: 1, ...sent, revision: 1};
  }

  create(kind, sent) {
    const record = {id: this.next++, ...sent};
    this[kind].set(record.id, record);
    return record;
  }

  order(sent) {
    if (!this.authors.has(sent.written_by)) {
      throw new Rejected(422, 'there is no such author');
    }
    const receipt = {number: `r-${this.next++}`, ...sent};
    this.receipts.set(receipt.number, receipt);
    return receipt;
  }

  start(sent) {
    const job = {ticket: randomUUID(), ...sent};
    this.jobs.set(job.ticket, job);
    return job;
  }

  put(old, sent) {
    const record = {id: old.id, ...this.book(sent, old.id), revision: old.revision + 1};
    this.books.set(old.id, record);
    return record;
  }

  patch(old, sent) {
    const record = {...old, ...sent};
    for (const name of Object.keys(sent).filter((one) => sent[one] === null)) {
      delete record[name];
    }
    this.book(record, old.id);
    record.revision = old.revision + 1;
    this.books.set(old.id, record);
    return record;
  }

  drop(kind, key) {
    this.find(kind, key);
    if (kind === 'authors' && [...this.books.values()].some((book) => book.author_id === key)) {
      throw new Rejected(409, 'the author has books');
    }
    this[kind].delete(key);
    return {status: 204};
  }
}

export {Library, Rejected};
