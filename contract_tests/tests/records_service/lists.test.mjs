// Records of the run's own, in lists and one by one: a correct service has no finding, however it
// lists its records, and a fault is found by the case that is about it.
import assert from 'node:assert/strict';
import http from 'node:http';
import {test} from 'node:test';

import {LocalService, run_suite} from './suite.mjs';

const film = (id) => ({id, title: `Film ${id}`, year: 1950 + id, colour: 'colour', published: true, changed: 0});

// The service of lists.yaml. A variant or a fault replaces some of its methods.
class Films extends LocalService {
  constructor(other) {
    super();
    this.films = new Map(Array.from({length: 7}, (_, index) => [index + 1, film(index + 1)]));
    this.next = 8;
    Object.assign(this, other);
    this.server = http.createServer((request, response) => {
      let text = '';
      request.on('data', (bytes) => {
        text += bytes;
      });
      request.on('end', () => {
        const [status, body] = this.respond(request, text);
        const json = body === undefined ? '' : JSON.stringify(body);
        response.writeHead(status, {...(json && {'Content-Type': 'application/json'})});
        response.end(request.method === 'HEAD' ? '' : json);
      });
    });
  }

  respond(request, text) {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const path = request.url.split('?')[0].replace(/%3(\d)/g, '$1');
    const [, kind, key, ...more] = path.split('/');
    if (kind !== 'films' || more.length > 0 || (key !== undefined && !/^\d+$/.test(key))) {
      return [404, {error: 'nothing here'}];
    }
    const id = Number(key);
    if (key !== undefined && !this.films.has(id)) {
      return [404, {error: 'no such film'}];
    }
    if (!(key === undefined ? ['GET', 'POST'] : ['GET', 'PATCH', 'DELETE']).includes(method)) {
      return [405, {error: 'not allowed here'}];
    }
    if (method === 'GET') {
      return [200, key === undefined ? this.list() : this.show(this.films.get(id))];
    }
    return method === 'DELETE' ? this.remove(id) : this.write(request, text, key === undefined ? undefined : id);
  }

  write(request, text, id) {
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      return [400, {error: 'no JSON'}];
    }
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
      return [415, {error: 'no JSON'}];
    }
    const valid = {
      title: (title) => typeof title === 'string' && title !== '' && [...title].length <= 60 && !/\p{Surrogate}/u.test(title),
      year: (year) => Number.isInteger(year) && year >= 1888 && year <= 2100,
      colour: (colour) => ['black_and_white', 'colour'].includes(colour),
    };
    const names = Object.keys(valid).filter((name) => body?.[name] !== undefined);
    if (body === null || typeof body !== 'object' || Array.isArray(body) || !names.every((name) => valid[name](body[name])) ||
        (id === undefined && !['title', 'year'].every((name) => names.includes(name)))) {
      return [422, {error: 'no film'}];
    }
    const given = Object.fromEntries(names.map((name) => [name, body[name]]));
    return id === undefined ? this.add(given) : this.change(id, given);
  }

  list() {
    return this.page([...this.films.values()]);
  }

  page(films) {
    return {films: films.map((one) => this.show(one)), total: films.length};
  }

  show(one) {
    return one;
  }

  add(given) {
    const added = {colour: 'colour', ...given, id: this.next++, published: false, changed: 0};
    this.films.set(added.id, added);
    return [201, this.show(added)];
  }

  change(id, given) {
    const old = this.films.get(id);
    this.films.set(id, {...old, ...given, changed: old.changed + 1});
    return [200, this.show(this.films.get(id))];
  }

  remove(id) {
    this.films.delete(id);
    return [204];
  }
}

async function run_with(other) {
  const service = new Films(other);
  const before = [...service.films.values()];
  const url = await service.start();
  try {
    return {...await run_suite('lists.yaml', url, ['--allow-writes']), before, after: [...service.films.values()]};
  } finally {
    await service.stop();
  }
}

const found_in = (report) => report.cases.flatMap((item) => item.findings.filter(({severity}) => severity !== 'note').map(
    ({rule}) => `${rule} ${item.operation_name}`));

// Each is right in its way.
const variants = {
  'that shows all': {},
  'that shows the newest first': {
    list() {
      return this.page([...this.films.values()].reverse());
    },
  },
  'that shows the first of several pages': {
    list() {
      return {...this.page([...this.films.values()].slice(0, 5)), total: this.films.size};
    },
  },
  'that shows a page and does not count': {
    list() {
      return {films: [...this.films.values()].slice(0, 5)};
    },
  },
  'that shows what is published': {
    list() {
      return this.page([...this.films.values()].filter(({published}) => published));
    },
  },
  'that shows what is published, and says so by a date': {
    show: ({published, ...one}) => ({...one, ...(published && {since: `2026-01-0${one.id}`})}),
    list() {
      return this.page([...this.films.values()].filter(({published}) => published));
    },
  },
  'that shows nothing': {
    list: () => ({films: [], total: 0}),
  },
  'that is behind its records': {
    seen: [],
    list() {
      const films = this.seen.shift();
      this.seen.push(this.page([...this.films.values()]));
      return films ?? {films: []};
    },
  },
  'that keeps what was removed, and marks it': {
    removed: [],
    remove(id) {
      this.removed.push({...this.films.get(id), removed: true});
      this.films.delete(id);
      return [204];
    },
    list() {
      return this.page([...this.films.values(), ...this.removed]);
    },
  },
  'that is no list': {
    list: () => ({films: 'by request'}),
    report: true,
  },
  'whose identifiers are texts': {
    list() {
      return {films: [...this.films.values()].map((one) => ({...one, id: String(one.id)})), total: this.films.size};
    },
  },
  'of a service whose identifiers are texts but for a creation': {
    show: (one) => ({...one, id: String(one.id)}),
    add(given) {
      return [201, {...Films.prototype.add.call(this, given)[1], id: this.next - 1}];
    },
  },
  'of a service that tidies what it stores': {
    add(given) {
      return Films.prototype.add.call(this, {...given, title: given.title.trim().toLowerCase()});
    },
  },
};

for (const [name, variant] of Object.entries(variants)) {
  test(`a list ${name} has no finding about the records of the run`, async () => {
    const {out, report, before, after} = await run_with(variant);

    assert.ok(report.counts.passed > 60, out);
    const found = found_in(report);
    assert.deepEqual(variant.report ? found.filter((one) => one.startsWith('record/')) : found, [], out);
    assert.deepEqual(after, before);
    assert.deepEqual(report.writes.not_put_back, []);
  });
}

const faults = {
  'a creation responds with another year': {
    add(given) {
      const [status, added] = Films.prototype.add.call(this, given);
      return [status, {...added, year: 1900}];
    },
    finds: ['record/as-sent POST /films'],
  },
  'a creation stores another year': {
    add(given) {
      const [status, added] = Films.prototype.add.call(this, given);
      this.films.set(added.id, {...added, year: 1900});
      return [status, added];
    },
    finds: ['record/as-sent POST /films'],
    says: /as it was sent and as POST showed it, but is 1900/,
  },
  'a creation makes two': {
    add(given) {
      Films.prototype.add.call(this, given);
      return Films.prototype.add.call(this, given);
    },
    finds: ['record/once POST /films'],
  },
  'a list lacks what was created': {
    list() {
      return this.page([...this.films.values()].filter(({id}) => id < 8));
    },
    show: ({published, ...one}) => one,
    finds: ['record/listed POST /films'],
  },
  'a list keeps what was removed': {
    removed: [],
    remove(id) {
      this.removed.push(this.films.get(id));
      this.films.delete(id);
      return [204];
    },
    list() {
      return this.page([...this.films.values(), ...this.removed]);
    },
    finds: ['record/delisted DELETE /films/{id}'],
  },
  'a change sets the others back': {
    change(id, given) {
      this.films.set(id, {...this.films.get(id), year: 1888, ...given});
      return [200, this.films.get(id)];
    },
    finds: ['record/others PATCH /films/{id}'],
  },
};

for (const [name, {finds, says = /./, ...fault}] of Object.entries(faults)) {
  test(`${name}: found, and nothing else`, async () => {
    const {out, report, before, after} = await run_with(fault);

    assert.deepEqual([...new Set(found_in(report))], finds, out);
    assert.match(out, says);
    assert.deepEqual(after, before, out);
  });
}
