// The service of crud.yaml, with more methods than its contract, which accepts bodies of any shape.
// Tests can read its records and its requests.
import http from 'node:http';

const at_first = () => ({
  todos: {1: {id: 1, title: 'Feed the cat', done: false}, 2: {id: 2, title: 'Water the plants', done: true}},
  users: {1: {name: 'Amara', password: 'secret'}},
  notes: {1: {title: 'Do not lose this', done: false}},
  mails: 0,
});

class Service {
  // `stamps`: each change is dated. `stubborn`: after so many changes, every further one is rejected.
  // `limit`: after so many requests, the next one gets 429 with a wait of a second.
  // `wrong`: a number is sent as a text.
  constructor({stamps = false, stubborn = Infinity, limit = Infinity, wrong = false} = {}) {
    Object.assign(this, {stamps, stubborn, limit, wrong, state: at_first(), asked: [], changes: 0});
    this.server = http.createServer((request, response) => this.take(request, response));
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
      const [status, body] = this.answer(request.method, request.url.split('?')[0], text);
      const json = body === undefined ? '' : JSON.stringify(body);
      response.writeHead(status, {...(json && {'Content-Type': 'application/json'})});
      response.end(request.method === 'HEAD' ? '' : json);
    });
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
    if (++this.changes > this.stubborn) {
      return [500];
    }
    return this.write(method, records, key, text);
  }

  read(records, key) {
    if (key === undefined) {
      return [200, Object.values(records)];
    }
    if (!Object.hasOwn(records, key)) {
      return [404];
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
