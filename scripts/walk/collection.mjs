// Walks one collection in a session of its own: what is created is read, listed, changed and deleted, as a client does
// that knows the description alone. Each step is true, false, or absent where the description does not show it.
import {plain, singular} from './description.mjs';

const kSizes = ['limit', 'pagesize', 'perpage', 'size', 'maxresults', 'count', 'top', 'pagelimit', 'take', 'itemsperpage'];
const kPages = ['page', 'pagenumber', 'pageindex', 'offset', 'skip', 'start', 'startat', 'after', 'startingafter'];
const kKeys = ['id', 'uuid', 'gid', 'key', 'slug', 'name', 'code', 'identifier'];
export const kNoRequest = 'no valid request could be made';
export const kNoKey = 'its contract shows no key of what it creates';
const is_scalar = (value) => value !== null && ['string', 'number', 'boolean'].includes(typeof value);

// Objects of a body, the outermost first, with their places.
function* objects_in(body, depth = 3) {
  let level = [[[], body]];
  for (let i = 0; i <= depth && level.length > 0; i += 1) {
    const inner = [];
    for (const [place, value] of level) {
      if (value === null || typeof value !== 'object') continue;
      if (!Array.isArray(value)) yield [place, value];
      for (const [name, one] of Object.entries(value)) inner.push([[...place, Array.isArray(value) ? Number(name) : name], one]);
    }
    level = inner;
  }
}

const names_key = (value, key) => is_scalar(value) && String(value) === key;

// The object that has the key, with its place; null if there is none.
function record_in(body, key) {
  for (const [place, value] of objects_in(body)) {
    if (Object.values(value).some((one) => names_key(one, key))) return {place, value};
  }
  return null;
}

// Arrays of a body that may be its list.
function arrays_in(body) {
  const found = Array.isArray(body) ? [body] : [];
  for (const [, value] of objects_in(body, 2)) found.push(...Object.values(value).filter(Array.isArray));
  return found;
}

const holds_key = (element, key) => names_key(element, key) ||
    (element !== null && typeof element === 'object' && record_in(element, key) !== null);

// True for an element that has the texts that were sent, and at least one. They may be in the only member of what was
// sent.
function holds_texts(element, sent) {
  const own = element !== null && typeof element === 'object' ? [...objects_in(element, 1)] : [];
  const members = Object.values(sent ?? {});
  const texts = members.length === 1 && members[0] !== null && typeof members[0] === 'object' ? members[0] : sent ?? {};
  return own.some(([, value]) => {
    const shared = Object.entries(texts).filter(([name, text]) => typeof text === 'string' && typeof value[name] === 'string');
    return shared.length > 0 && shared.every(([name, text]) => value[name] === text);
  });
}

export class CollectionWalk {
  constructor(url, description, collection, session) {
    this.url = url;
    this.description = description;
    this.collection = collection;
    this.session = session;
    this.steps = {};
    this.why = [];
    this.parents = {};
    this.calls = 0;
  }

  note(step, is_right, why) {
    this.steps[step] = (this.steps[step] ?? true) && is_right;
    if (!is_right) this.why.push(`${step}: ${why}`);
    return is_right;
  }

  async send(operation, {key, body, query = []} = {}) {
    const {headers, query: keys} = this.description.credentials(operation);
    const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]);
    let target = operation.path;
    for (const name of names) {
      const is_own = key !== undefined && operation.path.replace(/(\.json|\/)$/, '').endsWith(`{${name}}`);
      target = target.replace(`{${name}}`, encodeURIComponent(is_own ? key : this.parents[name] ?? this.made(operation, name)));
    }
    const sent = [...keys, ...query];
    for (const one of operation.parameters) {
      if (!one.required || sent.some(([name]) => name === one.name)) continue;
      if (one.in === 'query') sent.push([one.name, [this.value_of(one)].flat().join(',')]);
      if (one.in === 'header') headers[one.name] = String(this.value_of(one));
    }
    const search = sent.length > 0 ? `?${new URLSearchParams(sent)}` : '';
    const content = body === undefined ? {} : this.content(operation, body);
    this.calls += 1;
    const response = await fetch(`${this.url}${target}${search}`, {
      method: operation.method.toUpperCase(), redirect: 'manual', signal: AbortSignal.timeout(20_000),
      headers: {...headers, ...content.headers, 'X-Counterpart-Session': this.session}, body: content.body
    });
    const text = await response.text();
    let json;
    try {
      json = JSON.parse(text);
    } catch {}
    return {status: response.status, is_done: response.status >= 200 && response.status < 400, json, text,
            location: response.headers.get('location'), warning: response.headers.get('x-counterpart-warning') ?? ''};
  }

  content({type}, body) {
    if (/form-urlencoded/.test(type)) {
      const fields = [];
      const add = (name, value) => {
        if (value !== null && typeof value === 'object') {
          for (const [inner, one] of Object.entries(value)) add(`${name}[${inner}]`, one);
        } else fields.push([name, String(value)]);
      };
      for (const [name, value] of Object.entries(body)) add(name, value);
      return {body: new URLSearchParams(fields), headers: {}};
    }
    if (/multipart/.test(type)) {
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) form.append(name, is_scalar(value) ? String(value) : JSON.stringify(value));
      return {body: form, headers: {}};
    }
    return {body: JSON.stringify(body), headers: {'Content-Type': /json/.test(type ?? '') ? type : 'application/json'}};
  }

  value_of(parameter, n = 1) {
    const schema = parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema ?? {};
    const given = parameter.example ?? Object.values(parameter.examples ?? {})[0]?.value;
    return is_scalar(given) ? given : this.description.samples.of(schema, {name: parameter.name, n});
  }

  made(operation, name) {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter ? this.value_of(parameter) : `${name}-1`;
  }

  // Creates what the path goes through, or takes one that is there.
  async make_parents() {
    const segments = this.collection.path.split('/');
    for (let i = 2; i < segments.length; i += 1) {
      const name = /^\{([^{}]+)\}$/.exec(segments[i])?.[1];
      if (!name) continue;
      const stem = segments.slice(0, i).join('/');
      const path = [stem, `${stem}.json`].find((one) => this.description.at('get', one) ?? this.description.at('post', one)) ?? stem;
      const create = this.description.at('post', path);
      const parent = {path, name: segments[i - 1], item: `${stem}/{${name}}`, create, list: this.description.at('get', path),
                      read: this.description.at('get', `${stem}/{${name}}`) ?? this.description.at('get', `${stem}/{${name}}.json`)};
      if (create?.body) {
        const made = await this.create_in(parent, 1);
        const key = made?.response.is_done ? await this.key_of(parent, made) : undefined;
        if (key !== undefined) this.parents[name] = key;
      }
      if (this.parents[name] === undefined && parent.list) {
        const listed = await this.send(parent.list);
        const key = this.candidates(parent, listed.json, {})[0];
        if (key !== undefined) this.parents[name] = key;
      }
    }
  }

  // Sends a body until the mock takes it: without the optional members that it rejects.
  async send_valid(operation, {key, n, set}) {
    const without = new Set();
    for (let tries = 0; tries < 6; tries += 1) {
      const body = this.description.samples.of(operation.body ?? {}, {n, without});
      if (set && body && typeof body === 'object') set(body);
      const response = await this.send(operation, {key, body});
      const member = /body\/([^/: ]+)/.exec(response.text)?.[1];
      if (![400, 422].includes(response.status) || !member || without.has(member)) return {body, response};
      without.add(member);
    }
    return null;
  }

  async create_in(collection, n) {
    return this.send_valid(collection.create, {n});
  }

  // The plain names of members that may hold the key, the likeliest first.
  key_names(collection) {
    const parameter = plain(/\{([^{}]+)\}(?:\.json|\/)?$/.exec(collection.item ?? '')?.[1] ?? 'id');
    const one = plain(singular(collection.name));
    const names = [parameter, `${one}id`, parameter.replace(one, ''), ...kKeys, one + parameter, `${one}name`, `${one}key`];
    return new Set(names.filter((name) => name !== ''));
  }

  // True if the creation's response, or what is sent, is described with a member for the key, or an address.
  may_show_key(collection) {
    const {create} = collection;
    const names = this.key_names(collection);
    const shown = this.description.member_names(create.response);
    const members = [...shown, ...this.description.member_names(create.body)];
    return create.shows_address || shown.some((name) => /id$/i.test(name)) || members.some((name) => names.has(plain(name)));
  }

  // The keys that a body may name, the likeliest first.
  candidates(collection, body, sent) {
    const found = [];
    for (const name of this.key_names(collection)) {
      for (const [, value] of [...objects_in(body), ...objects_in(sent, 1)]) {
        for (const [member, own] of Object.entries(value)) {
          const key = Array.isArray(own) && own.length === 1 ? own[0] : own;  // of several that were created
          if (plain(member) === name && is_scalar(key) && key !== '') found.push(String(key));
        }
      }
    }
    const others = Object.entries(body !== null && typeof body === 'object' ? body : {});
    found.push(...others.filter(([member, key]) => /id$/i.test(member) && is_scalar(key)).map(([, key]) => String(key)));
    if (is_scalar(body)) found.push(String(body).replace(/\/$/, '').split('/').pop());
    return [...new Set(found)];
  }

  // The key of what was created: the one that reads it, else the likeliest; undefined if nothing names one.
  async key_of(collection, {body, response}) {
    const located = response.location ?? '';
    const keys = this.candidates(collection, response.json, body);
    const last = decodeURIComponent(located.replace(/[?#].*/, '').replace(/\/$/, '').split('/').pop() ?? '');
    if (last) keys.unshift(last);
    if (!collection.read?.response) return keys[0];
    for (const key of keys.slice(0, 4)) {
      if ((await this.send(collection.read, {key})).status === 200) return key;
    }
    return keys[0];
  }

  // What was sent and the response declares, and is not there.
  lost(sent, body, key, schema) {
    const found = record_in(body, key) ?? {place: [], value: body};
    const declared = this.description.samples.properties(this.description.schema_at(schema, found.place) ?? {});
    const inner = Object.values(sent).filter((one) => one && typeof one === 'object' && !Array.isArray(one));
    const members = Object.keys(sent).some((name) => declared[name]) || inner.length !== 1 ? sent : inner[0];
    return Object.entries(members).filter(([name, value]) => {
      const own = declared[name] && this.description.samples.whole(declared[name]);
      if (!own || !is_scalar(value) || own.writeOnly) return false;
      const type = this.description.samples.type_of(own);
      const is_shown = [own.type].flat().includes(undefined) || type === typeof value || (type === 'integer' && Number.isInteger(value));
      if (!is_shown || (own.enum && !own.enum.includes(value))) return false;
      const shown = found.value?.[name];
      return shown !== value && Date.parse(shown) !== Date.parse(value);
    }).map(([name, value]) => `${name} was ${JSON.stringify(value)}, is ${JSON.stringify(found.value?.[name])}`);
  }

  list_schema() {
    return this.collection.list?.response;
  }

  async listed(query = []) {
    return this.collection.list?.response ? this.send(this.collection.list, {query}) : null;
  }

  async see(key) {
    const {read} = this.collection;
    return read?.response ? this.send(read, {key}) : null;
  }

  async walk() {
    const {collection} = this;
    await this.make_parents();
    const first = await this.create_in(collection, 1);
    if (!first || [400, 415, 422].includes(first.response.status)) return kNoRequest;
    const shows_key = !collection.item || this.may_show_key(collection);
    if (!first.response.is_done && !shows_key) return kNoKey;
    if (!this.note('create', first.response.is_done, `${first.response.status} ${first.response.text.slice(0, 160)}`)) return null;
    const key = await this.key_of(collection, first);
    if (key === undefined && !shows_key) return kNoKey;
    if (collection.item || key !== undefined) {
      if (!this.note('id found', key !== undefined, first.response.text.slice(0, 160) || 'no body, no Location')) return null;
    } else {
      await this.walk_list(key, first.body);
      return null;
    }
    const seen = await this.see(key);
    if (seen) {
      const warned = first.response.warning && `; created with ${first.response.warning}`;
      const is_read = this.note('read', seen.status === 200, `${key}: ${seen.status} ${seen.text.slice(0, 160)}${warned}`);
      const lost = is_read ? this.lost(first.body, seen.json, key, collection.read.response) : [];
      if (is_read) this.note('values kept', lost.length === 0, `${lost.slice(0, 3).join('; ')}${warned}`);
    }
    const second = await this.create_in(collection, 2);
    const sibling = second?.response.is_done ? await this.key_of(collection, second) : undefined;
    await this.walk_list(key, first.body);
    const before = sibling !== undefined && sibling !== key ? await this.see(sibling) : null;
    await this.walk_change(key);
    await this.walk_removal(key);
    if (before?.status === 200) {
      const after = await this.see(sibling);
      this.note('siblings untouched', after.text === before.text, `${before.text.slice(0, 80)} -> ${after.text.slice(0, 80)}`);
    }
    return null;
  }

  // The array in which what was created is shown.
  list_of(lists, key, sent) {
    return lists.find((one) => one.some((element) => holds_key(element, key) || holds_texts(element, sent)));
  }

  async walk_list(key, sent) {
    const all = this.description.elements_of(this.collection.list?.response, sent).length > 0 ? await this.listed() : null;
    if (!all) return;
    const lists = arrays_in(all.json);
    const list = this.list_of(lists, key, sent);
    this.list_index = lists.indexOf(list);
    this.note('list has created', list !== undefined, `${key}: ${all.status} ${all.text.slice(0, 200)}; ${all.warning}`);
    const parameters = this.collection.list.parameters.filter((one) => one.in === 'query');
    const named = (names) => parameters.find((one) => names.includes(plain(one.name)));
    const size = named(kSizes);
    const smallest = Math.max(this.description.samples.whole(size?.schema ?? {}).minimum ?? 1, 1);
    if (!size || !list || list.length < 2 || list.length <= smallest) return;
    const page = await this.listed([[size.name, String(smallest)]]);
    const index = lists.indexOf(list);
    const shown = arrays_in(page.json)[index] ?? [];
    const is_short = this.note('page', shown.length === smallest, `${size.name}=${smallest}: ${shown.length} of ${list.length}`);
    const number = named(kPages);
    const turned = number && ['integer', 'number'].includes(this.description.samples.whole(number.schema ?? {}).type);
    if (!is_short || !turned) return;
    const is_offset = /offset|skip|start/.test(plain(number.name));
    const first = this.description.samples.whole(number.schema).minimum === 0 || number.schema.default === 0 ? 0 : 1;
    const next = await this.listed([[size.name, String(smallest)], [number.name, String(is_offset ? smallest : first + 1)]]);
    const others = arrays_in(next.json)[index] ?? [];
    this.note('page', others.length > 0 && JSON.stringify(others) !== JSON.stringify(shown), `${number.name}: ${next.text.slice(0, 160)}`);
  }

  async walk_change(key) {
    const {change, read} = this.collection;
    if (!change?.body || !read?.response) return;
    const parameter = plain(/\{([^{}]+)\}(?:\.json|\/)?$/.exec(change.path)[1]);
    const set = (body) => {
      for (const name of Object.keys(body)) {
        const is_key = plain(name) === parameter || plain(name) === 'id' || plain(name) === `${plain(singular(this.collection.name))}${parameter}`;
        if (is_key && is_scalar(body[name])) body[name] = typeof body[name] === 'number' && key !== '' ? Number(key) : key;
      }
    };
    const changed = await this.send_valid(change, {key, n: 3, set});
    if (!changed || [400, 415, 422].includes(changed.response.status)) return;
    const seen = await this.see(key);
    const is_done = changed.response.is_done && seen.status === 200;
    const lost = is_done ? this.lost(changed.body, seen.json, key, read.response) : [];
    this.note('change seen', is_done && lost.length === 0,
              is_done ? `${lost.slice(0, 3).join('; ')}; ${changed.response.warning}` : `${changed.response.status} ${changed.response.text.slice(0, 120)}, then ${seen.status}`);
  }

  async walk_removal(key) {
    const {remove} = this.collection;
    if (!remove?.is_successful) return;
    const body = remove.body && !remove.path.includes('{') ? this.description.samples.of(remove.body) : undefined;
    const removed = await this.send(remove, {key, body});
    if ([400, 415, 422].includes(removed.status)) return;
    const seen = await this.see(key);
    const listed = await this.listed();
    // Where the list was found, in that alone: the key may be one of other things in others.
    const lists = arrays_in(listed?.json);
    const shown = this.list_index >= 0 ? lists[this.list_index] ?? [] : lists.flat();
    const names = this.key_names(this.collection);
    const is_it = (value) => Object.entries(value).some(([name, own]) => names.has(plain(name)) && names_key(own, key));
    const is_gone = seen ? [404, 410].includes(seen.status) : !shown.some((one) => names_key(one, key) || [...objects_in(one, 1)].some(([, value]) => is_it(value)));
    this.note('gone', removed.is_done && is_gone, `${removed.status}, then ${seen?.status ?? 'listed'} ${(seen ?? removed).text.slice(0, 120)}`);
  }
}
