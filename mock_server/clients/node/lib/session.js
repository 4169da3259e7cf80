// One session of a mock: its own records, clock, scenarios, limits and journal.
import {createHash} from 'node:crypto';

import {report} from './explain.js';

const SHOWN_EXCHANGES = 50;
const encoded = encodeURIComponent;

const SECONDS = {seconds: 1, minutes: 60, hours: 3600, days: 86_400};

// 90, or {minutes: 1, seconds: 30}, in seconds.
function secondsOf(time) {
  if (typeof time === 'number') return time;
  return Object.entries(time).reduce((sum, [unit, count]) => {
    if (!(unit in SECONDS)) throw new TypeError(`${unit} is no unit of time; known: ${Object.keys(SECONDS).join(', ')}`);
    return sum + count * SECONDS[unit];
  }, 0);
}

const instant = (time) => time instanceof Date ? time.toISOString() : time;

// A match, as verifications have it, as a query of the journal.
function queryOf({headers = {}, body = {}, ...rest}) {
  const fields = Object.entries(headers).map(([name, value]) => value === true ? name : `${name}: ${value}`);
  const members = Object.entries(body).map(([pointer, value]) => `${pointer}=${JSON.stringify(value)}`);
  return {...rest, header: fields, body: members};
}

// The name of the scenario for the next call of an operation.
function nextName(operation) {
  const name = `next_${operation}`;
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  return `next_${createHash('sha256').update(operation).digest('hex').slice(0, 16)}`;
}

// A status, or a step of a scenario, as a step that one call takes.
function nextStep(what) {
  return {times: 1, ...(typeof what === 'object' ? what : {force: {status: what}})};
}

export class Session {
  #call;

  constructor(calls, name) {
    this.name = name;
    this.url = `${calls.url}/_s/${name}`;
    this.console = `${calls.url}/_mock/#/requests?session=${name}`;
    this.headers = {'X-Counterpart-Session': name};
    this.#call = (method, path, more) => calls.call(name, method, path, more);
    this.clock = {
      now: () => this.#call('GET', 'clock'),
      set: (now, {frozen} = {}) => this.#call('PUT', 'clock', {body: {now: instant(now), frozen}}),
      freeze: (now) => this.#call('PUT', 'clock', {body: {now: instant(now), frozen: true}}),
      advance: (time) => this.#call('POST', 'clock/advance', {body: {seconds: secondsOf(time)}}),
      reset: () => this.#call('DELETE', 'clock'),
    };
  }

  // The headers of a request that violates the contract on purpose.
  expectInvalid() {
    return {...this.headers, Prefer: 'expect=invalid'};
  }

  // A request to the mock in this session.
  fetch(path, init) {
    return fetch(this.url + path, init);
  }

  arm(scenario) {
    return this.#call('POST', `scenarios/${encoded(scenario)}/arm`);
  }

  // Disarms one scenario, or all.
  disarm(scenario) {
    return scenario === undefined ? this.#call('DELETE', 'scenarios') : this.#call('POST', `scenarios/${encoded(scenario)}/reset`);
  }

  // Validates, stores and arms a scenario of the session's own.
  scenario(name, rules, description = name) {
    return this.#call('PUT', `scenarios/${encoded(name)}`, {body: {description, rules}});
  }

  scenarios() {
    return this.#call('GET', 'scenarios').then(({scenarios}) => scenarios);
  }

  // What the next valid call of the operation gets: a status, or a step of a scenario.
  next(operation, what) {
    const rule = {operations: [operation], steps: [nextStep(what)]};
    return this.scenario(nextName(operation), [rule], `The next call of ${operation}, and no later one.`);
  }

  // Breaks responses; replaces the faults that were set before. Without a name: none.
  fault(name, rule = {}) {
    if (name === undefined) return this.#call('DELETE', 'faults');
    return this.#call('PUT', 'faults', {body: {rules: [{...rule, fault: name}]}});
  }

  record(collection, key) {
    const path = `records/${encoded(collection)}/${encoded(key)}`;
    return {
      get: () => this.#call('GET', path),
      put: (record) => this.#call('PUT', path, {body: record}),
      patch: (changes) => this.#call('PATCH', path, {body: changes}),
      delete: () => this.#call('DELETE', path),
      reset: () => this.#call('POST', `${path}/reset`),
    };
  }

  // [{key, changed, record}]
  records(collection) {
    return this.#call('GET', `records/${encoded(collection)}`).then(({records}) => records);
  }

  // [{operation, media_type, opened}]
  streams() {
    return this.#call('GET', 'streams').then(({streams}) => streams);
  }

  // Sends an item, or several, to the open streams of the operation: {streams: how many}.
  push(operation, items) {
    return this.#call('POST', `streams/${encoded(operation)}`, {body: items});
  }

  endStreams(operation) {
    return this.#call('DELETE', `streams/${encoded(operation)}`);
  }

  // The journal's requests that match, oldest first, without bodies.
  requests(match = {}) {
    return this.#call('GET', 'requests', {query: queryOf(match)}).then(({requests}) => requests);
  }

  // One request and its response, with bodies, violations and what chose the response.
  exchange(id) {
    return this.#call('GET', `requests/${encoded(id)}`);
  }

  // The same of the newest requests, without what chose each response.
  async exchanges({limit = SHOWN_EXCHANGES, ...match} = {}) {
    const query = {format: 'jsonl', limit, ...queryOf(match)};
    const lines = await this.#call('GET', 'requests/export', {query});
    // A single line is JSON, and has been parsed.
    return typeof lines === 'string' ? lines.split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [lines];
  }

  // Rejects unless so many requests match: {exactly}, {at_least}, {at_most}; default: at least one.
  verify(match, demand = {at_least: 1}) {
    return this.#call('POST', 'requests/verify', {body: {match, ...demand}});
  }

  // The requests that match, as soon as there are `count`; rejects after `timeout` milliseconds.
  wait(match, {count = 1, timeout = 5000} = {}) {
    return this.verify(match, {at_least: count, timeout_ms: timeout}).then(({requests}) => requests);
  }

  // In words: what was called, and why each response that is an error, or each violation, came about.
  async explain(match = {}) {
    const requests = await this.requests({limit: SHOWN_EXCHANGES, ...match});
    const isPlain = ({status, request_violations, response_violations}) =>
        status > 0 && status < 400 && request_violations + response_violations === 0;
    const exchanges = await Promise.all(requests.map((request) => isPlain(request) ? request : this.exchange(request.id)));
    return report(this.name, exchanges);
  }

  seed(seed) {
    return this.#call('PUT', 'seed', {body: {seed}});
  }

  // Undoes all changes: records, clock, seed, scenarios, limits, journal. Snapshots stay.
  reset() {
    return this.#call('POST', 'reset');
  }

  snapshot(name) {
    return this.#call('PUT', `snapshots/${encoded(name)}`);
  }

  restore(name) {
    return this.#call('POST', `snapshots/${encoded(name)}/restore`);
  }

  // Deletes the session.
  end() {
    return this.#call('DELETE', `sessions/${encoded(this.name)}`);
  }
}
