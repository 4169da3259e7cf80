// A correct service of records: books.openapi.yaml.
import http from 'node:http';

const WORDS = ['title', 'pages', 'rating', 'labels', 'shelves', 'notes'];
const book = (number) => ({
  id: `b${number}`, title: `Book ${number}`, pages: 100 + number, labels: [{id: number % 3 === 0 ? 'blue' : 'red'}],
});

class Rejected extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    Object.assign(this, {status, headers});
  }
}

function whole(query, name, min, max, usual) {
  const values = query.getAll(name);
  if (values.length === 0) {
    return usual;
  }
  if (values.length > 1 || !/^-?\d+$/.test(values[0]) || Number(values[0]) < min || Number(values[0]) > max) {
    throw new Rejected(400, `${name} must be a whole number from ${min} to ${max}`);
  }
  return Number(values[0]);
}

function body_of(request, text, needed) {
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Rejected(415, 'the body must be application/json');
  }
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(text));
  } catch {
    throw new Rejected(400, 'the body must be JSON');
  }
  const valid = body !== null && typeof body === 'object' && !Array.isArray(body) &&
                needed.every((name) => body[name] !== undefined) &&
                WORDS.every((name) => body[name] === undefined || is_valid(name, body[name]));
  if (!valid) {
    throw new Rejected(400, 'the body must be a book');
  }
  return Object.fromEntries(WORDS.filter((name) => body[name] !== undefined).map(
      (name) => [name, name === 'labels' ? body.labels.map(({id}) => ({id})) : body[name]]));
}

function is_valid(name, value) {
  const is_text = (text, max) =>
      typeof text === 'string' && text.length > 0 && [...text].length <= max && !/\p{Surrogate}/u.test(text);
  if (name === 'title') {
    return is_text(value, 60);
  }
  if (name === 'pages') {
    return Number.isInteger(value) && value >= 1 && value <= 10_000;
  }
  if (name === 'rating') {
    return typeof value === 'number' && value >= 0 && value <= 5 && Number.isInteger(2 * value);
  }
  if (name === 'shelves') {
    return Array.isArray(value) && value.length <= 5 && value.every((shelf) => is_text(shelf, 20)) &&
           new Set(value).size === value.length;
  }
  if (name === 'notes') {
    return value !== null && typeof value === 'object' && !Array.isArray(value) &&
           Object.entries(value).every(([key, note]) => /^[a-z]+$/.test(key) && (note === '' || is_text(note, 20)));
  }
  return Array.isArray(value) && value.length <= 5 &&
         value.every((label) => label !== null && typeof label === 'object' && is_text(label.id, 20));
}

class Books {
  constructor() {
    this.records = new Map(Array.from({length: 13}, (_, index) => [`b${index + 1}`, book(index + 1)]));
    this.next = 14;
    this.server = http.createServer((request, response) => {
      const chunks = [];
      request.on('data', (bytes) => chunks.push(bytes));
      request.on('end', () => this.take(request, response, Buffer.concat(chunks)));
    });
  }

  take(request, response, text) {
    let [status, body, headers] = [200, undefined, {}];
    try {
      [status, body] = this.answer(request, text);
    } catch (error) {
      if (!(error instanceof Rejected)) {
        throw error;
      }
      [status, body, headers] = [error.status, {error: error.message}, error.headers];
    }
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    response.writeHead(status, {
      ...headers, ...(bytes && {'Content-Type': 'application/json', 'Content-Length': bytes.length}),
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  answer(request, text) {
    const [path, query = ''] = request.url.split(/\?(.*)/s);
    const [, collection, key, rest] = path.split('/');
    if (collection !== 'books' || rest !== undefined) {
      throw new Rejected(404, 'there is nothing here');
    }
    const handlers = key === undefined
        ? {GET: () => this.list(new URLSearchParams(query)), POST: () => this.add(request, text)}
        : this.one(request, key, text);
    const handler = handlers[request.method === 'HEAD' ? 'GET' : request.method];
    if (handler === undefined) {
      throw new Rejected(405, 'not allowed here', {Allow: ['HEAD', ...Object.keys(handlers)].join(', ')});
    }
    return handler();
  }

  list(query) {
    const size = whole(query, 'page_size', 1, 20, 5);
    const number = whole(query, 'page_number', 0, 2 ** 31 - 1, 0);
    const label = query.get('label');
    const items = [...this.records.values()].filter(
        ({labels}) => label === null || labels.some(({id}) => id === label));
    return [200, {items: items.slice(size * number, size * (number + 1))}];
  }

  add(request, text) {
    const id = `b${this.next}`;
    const record = {id, labels: [], ...body_of(request, text, ['title', 'pages'])};
    this.next += 1;
    this.records.set(id, record);
    return [201, record];
  }

  one(request, key, text) {
    const known = () => {
      let id;
      try {
        id = decodeURIComponent(key);
      } catch {
        throw new Rejected(400, 'the path must be percent-encoded UTF-8');
      }
      if (!this.records.has(id)) {
        throw new Rejected(404, 'there is no such book');
      }
      return this.records.get(id);
    };
    const change = (old, needed) => {
      const record = {...old, ...body_of(request, text, needed)};
      this.records.set(record.id, record);
      return [200, record];
    };
    return {
      GET: () => [200, known()],
      PUT: () => change({id: known().id, labels: []}, ['title', 'pages']),
      PATCH: () => change(known(), []),
      DELETE: () => [204, void this.records.delete(known().id)],
    };
  }
}

export {Books};
