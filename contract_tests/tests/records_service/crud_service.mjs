// The service of crud.yaml, with more methods than its contract, which accepts bodies of any shape.
// Tests can read its records and its requests.
import {randomUUID} from 'node:crypto';
import http from 'node:http';

const at_first = () => ({
  todos: {1: {id: 1, title: 'Feed the cat', done: false}, 2: {id: 2, title: 'Water the plants', done: true}},
  users: {1: {name: 'Amara', password: 'secret'}},
  books: {1: {id: 1, title: 'Things Fall Apart', pages: 209}, 2: {id: 2, title: 'Half of a Yellow Sun', pages: 433}},
  notes: {1: {title: 'Do not lose this', done: false}},
  mails: 0,
});

class Service {
  // `stamps`: each change is dated. `stubborn`: after so many changes, every further one is rejected.
  // `first`: how the first change ends, [500] or 'cut', and what is done to the todos before.
  // `limit`: after so many requests, the next one gets 429 with a wait of a second.
  // `wrong`: a number is sent as a text. `fault`: what is wrong with the books.
  constructor({stamps = false, stubborn = Infinity, limit = Infinity, wrong = false, fault = '', first = undefined} = {}) {
    Object.assign(this, {stamps, stubborn, limit, wrong, fault, first, state: at_first(), asked: [], changes: 0});
    this.server = http.createServer((request, response) => this.take(request, response));
    this.silent = new Set();  // connections that have sent nothing yet
    this.server.on('connection', (socket) => {
      this.silent.add(socket);
      socket.on('close', () => this.silent.delete(socket));
    });
  }

  async start() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.closeAllConnections?.();
    return new Promise((done) => this.server.close(done));
  }

  // Requests by methods that are not safe, as "PUT /todos/1".
  writes() {
    return this.asked.filter((line) => !/^(GET|HEAD|OPTIONS|TRACE) /.test(line));
  }

  take(request, response) {
    this.silent.delete(request.socket);
    let text = '';
    request.on('data', (bytes) => {
      text += bytes;
    });
    request.on('end', () => {
      this.asked.push(`${request.method} ${request.url}`);
      if (this.asked.length % (this.limit + 1) === 0) {
        response.writeHead(429, {'Retry-After': '1'}).end();
        return;
      }
      const result = this.answer(request.method, request.url.split('?')[0], text);
      if (result === 'cut') {
        request.socket.destroy();
        return;
      }
      const respond = ([status, body]) => {
        const json = body === undefined ? '' : JSON.stringify(body);
        response.writeHead(status, {...(json && {'Content-Type': 'application/json'})});
        response.end(request.method === 'HEAD' ? '' : json);
      };
      if (this.fault === 'reads are swapped' && request.method === 'GET' && request.url.startsWith('/books/')) {
        this.swap(respond, result);
      } else {
        setTimeout(respond, this.fault === 'creates slowly' && result[0] === 201 ? 2000 : 0, result);
      }
    });
  }

  // Responds with the result of another read, if one comes soon, which gets this one: for longer
  // while another connection is still to send its request.
  swap(respond, result) {
    const other = this.waiting;
    if (other) {
      this.waiting = undefined;
      clearInterval(other.timer);
      other.respond(result);
      respond(other.result);
      return;
    }
    let rounds = 0;
    const timer = setInterval(() => {
      rounds += 1;
      if (rounds < (this.silent.size > 0 ? 50 : 2)) return;
      clearInterval(timer);
      this.waiting = undefined;
      respond(result);
    }, 20);
    this.waiting = {respond, result, timer};
  }

  answer(method, path, text) {
    let [, kind, key, action] = path.split('/');
    try {
      key = key && decodeURIComponent(key);
    } catch {
      return [400];
    }
    const records = Object.hasOwn(this.state, kind) ? this.state[kind] : undefined;
    if (records === undefined || kind === 'mails') {
      return [404];
    }
    if (action === 'password-mail') {
      this.state.mails += method === 'POST' ? 1 : 0;
      return [202];
    }
    if (key === 'count') {
      const count = Object.keys(records).length;
      return [200, {count: this.wrong ? String(count) : count}];
    }
    if (method === 'GET' || method === 'HEAD') {
      return this.read(records, key);
    }
    if (method === 'OPTIONS' || method === 'TRACE') {
      return [405];
    }
    if (++this.changes === 1 && this.first) {
      this.first.does?.(this.state.todos);
      return this.first.ends;
    }
    if (this.changes > this.stubborn) {
      return [500];
    }
    return this.write(method, records, key, text);
  }

  read(records, key) {
    if (key === undefined) {
      return [200, Object.values(records)];
    }
    if (!Object.hasOwn(records, key)) {
      return records === this.state.books && this.fault === 'anything is found' ? [200, records[1]] : [404];
    }
    if (records === this.state.books && this.fault === 'another is found') {
      return [200, records[2]];
    }
    const {password, ...shown} = records[key];
    return [200, shown];
  }

  write(method, records, key, text) {
    let body = {};
    try {
      body = JSON.parse(text);
    } catch {
      // whatever was sent
    }
    if (records === this.state.books) {
      return this.write_book(method, records, key, body);
    }
    if (key === undefined) {
      return this.write_many(method, records, body);
    }
    if (!Object.hasOwn(records, key)) {
      return [404];
    }
    if (method === 'DELETE') {
      delete records[key];
    } else {
      records[key] = {...(method === 'PATCH' ? records[key] : {id: Number(key)}), ...body};
      if (this.stamps) {
        records[key].changed_at = String(this.changes);
      }
    }
    return [204];
  }

  // As a careful service does, but for the fault.
  write_book(method, books, key, body) {
    const valid = typeof body?.title === 'string' && body.title.length <= 40 && !Array.isArray(body) &&
                  (body.pages === undefined || (Number.isInteger(body.pages) && body.pages > 0));
    const shows_all = this.fault === 'all that is sent is shown';
    if ((method === 'POST' || method === 'PUT') && !valid && !shows_all) {
      return this.fault === 'breaks' ? [500] : [422];
    }
    if (method === 'POST' && key === undefined) {
      const same = this.fault === 'finds one' && 1;
      const texts = this.fault === 'texts name them';
      const id = same || (texts ? randomUUID() : Math.max(0, ...Object.keys(books)) + 1);
      if (this.fault !== 'none is created' && !same) {
        books[id] = {...body, id, ...(shows_all && {sent: body})};
      }
      return [same || texts ? 200 : 201, {...books[id], id}];
    }
    if (key === undefined || !['PUT', 'DELETE'].includes(method)) {
      return [405];
    }
    if (!Object.hasOwn(books, key)) {
      return [404];
    }
    if (method === 'DELETE' && this.fault === 'none may be removed') {
      return [403];
    }
    if (method === 'DELETE' && this.fault !== 'none is removed') {
      delete books[key];
    } else if (method === 'PUT' && this.fault !== 'no change is stored') {
      books[key] = {...body, id: books[key].id};
    }
    return [204];
  }

  write_many(method, records, body) {
    if (method === 'POST') {
      const id = Object.keys(records).length + 1;
      records[id] = {id, ...body};
    } else if (method === 'DELETE') {
      Object.keys(records).forEach((key) => delete records[key]);
    } else {
      Object.values(records).forEach((record) => Object.assign(record, body));
    }
    return [200, {count: Object.keys(records).length}];
  }
}

export {at_first, Service};
