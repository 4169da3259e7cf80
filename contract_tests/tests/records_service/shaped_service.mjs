// Lists in the shapes of many makers. A row of `shapes` names parameters and members; the contract and the service
// are made of it, so both say the same. A fault replaces steps of the service for all of its lists.
import http from 'node:http';

import {LocalService} from './suite.mjs';

const WORDS = ['Otter', 'Heron', 'Adder', 'Vole', 'Newt', 'Crane', 'Stoat', 'Perch', 'Finch', 'Mole', 'Lynx', 'Bream', 'Eider'];
const PRICES = [30, 5, 12, 80, 120, 44, 9, 61, 27, 3, 18, 250, 7];
const STATES = ['open', 'held', 'closed'];
const USUAL = {id: 'id', name: 'name', price: 'price', state: 'state', made: 'created_at'};

export const record = (at) => ({
  id: `r${(at * 7) % 13 + 40}`, name: WORDS[at], price: PRICES[at], state: STATES[at % 3 === 2 ? at % 2 : at % 3 * 2],
  made: new Date(Date.UTC(2025, 2, (at * 5) % 13 + 1)).toISOString().replace('.000', ''),
});
const schemas = {
  id: {type: 'string'}, name: {type: 'string'}, price: {type: 'number'}, state: {type: 'string', enum: STATES},
  made: {type: 'string', format: 'date-time'},
};

const by_sign = {
  parameter: 'sort', description: 'Sorts by `name` or `price`; `-` before it is the reverse',
  values: {name: ['name'], '-name': ['name', true], price: ['price'], '-price': ['price', true]},
};
const with_direction = (parameter, direction, words) => ({
  parameter, direction, words, values: {name: ['name'], price: ['price']}, listed: true,
});

// `step` is the parameter that leads to other pages; `by`, its meaning; `back`, the parameter that leads back.
export const shapes = {
  plain: {
    articles: {
      step: 'page', by: 'page', size: 'per_page', usual: 5, list: '', shows: {total: 'X-Total-Count', next_url: 'Link'},
      filters: {state: ['state'], price_gte: ['price', 'min'], price_lte: ['price', 'max']},
      sort: {...by_sign, listed: true},
    },
    members: {
      step: 'p', by: 'page', size: 'size', list: '/results', shows: {total: '/meta/total', pages: '/meta/total_pages'},
      filters: {state: ['state'], minPrice: ['price', 'min']},
      sort: {parameter: 'sort', values: {name: ['name'], price: ['price'], 'name,asc': ['name'], 'name,desc': ['name', true], 'price,asc': ['price'], 'price,desc': ['price', true]},
             description: 'A member and a direction, as `price,desc`'},
    },
    tickets: {
      step: 'offset', by: 'offset', size: 'limit', usual: 5, list: '/data',
      shows: {total: '/pagination/total', more: '/pagination/has_more'}, filters: {status: ['state'], created_after: ['made', 'min']},
      names: {state: 'status'}, sort: with_direction('sort_by', 'sort_order', ['ascending', 'descending']),
    },
    bills: {
      step: 'start', by: 'offset', size: 'count', list: '/bills', shows: {total: '/total'}, filters: {state: ['state'], maximum_price: ['price', 'max']},
      sort: {...with_direction('order_by', 'direction', ['asc', 'desc'])},
    },
    hotels: {
      step: 'page', by: 'page', first: 0, size: 'size', usual: 4, list: '/content',
      shows: {total: '/totalElements', pages: '/totalPages', last: '/last'}, filters: {state: ['state'], 'price[lt]': ['price', 'below']},
      sort: {parameter: 'sort', values: {cheapest: ['price'], newest: ['made', true], oldest: ['made']}, listed: true},
    },
    cars: {
      step: 'page', by: 'page', size: 'page_size', usual: 5, list: '/results', shows: {total: '/count', next_url: '/next', previous_url: '/previous'},
      filters: {state: ['state'], name: ['name']},
      sort: {parameter: 'ordering', values: by_sign.values, description: 'Which field to use when ordering, for example `-price`'},
    },
    loans: {
      step: 'pageNumber', by: 'page', size: 'pageSize', list: '/items', shows: {total: '/totalCount', pages: '/totalPages', more: '/hasNextPage'},
      filters: {state: ['state'], 'filter[name]': ['name']}, names: {made: 'createdAt'},
      sort: {parameter: 'sort', values: {created_asc: ['made'], created_desc: ['made', true], price_asc: ['price'], price_desc: ['price', true]}, listed: true},
    },
  },
  cursors: {
    events: {
      step: 'cursor', by: 'token', size: 'limit', usual: 5, list: '/events', shows: {next: '/next_cursor', more: '/has_more'},
      filters: {state: ['state'], min_price: ['price', 'min']}, sort: {...by_sign, listed: true},
    },
    logs: {
      step: 'after', by: 'token', size: 'first', list: '/items', shows: {next: '/page_info/end_cursor', more: '/page_info/has_next_page', total: '/total_count'},
      filters: {state: ['state']}, sort: with_direction('order_by', 'order', ['asc', 'desc']),
    },
    files: {
      step: 'page_token', by: 'token', size: 'max_results', list: '/files', shows: {next: '/next_page_token', total: '/total_size'},
      filters: {state: ['state'], name: ['name']},
    },
    charges: {
      step: 'starting_after', back: 'ending_before', by: 'id', size: 'limit', usual: 5, list: '/data', shows: {more: '/has_more'},
      filters: {state: ['state'], 'created_at[gte]': ['made', 'min']},
    },
    notes: {
      step: 'after', back: 'before', by: 'id', size: 'limit', usual: 5, list: '', shows: {},
      filters: {state: ['state']}, sort: null,
    },
    jobs: {
      step: 'next_token', by: 'token', size: 'page_size', usual: 6, list: '/jobs', shows: {next: '/next_token', total: '/total'},
      filters: {state: ['state']},
    },
    scans: {step: 'after', back: 'before', by: 'token', size: 'limit', usual: 5, list: '/data', filters: {state: ['state']},
            shows: {next: '/paging/cursors/after', previous: '/paging/cursors/before', more: '/paging/has_next'}},
  },
  links: {
    rooms: {
      step: 'page', by: 'page', first: 0, size: 'size', usual: 5, list: '/_embedded/rooms',
      shows: {total: '/page/totalElements', pages: '/page/totalPages', next_url: '/_links/next/href', previous_url: '/_links/prev/href'},
      filters: {state: ['state']}, sort: {parameter: 'sort', values: {'price,asc': ['price'], 'price,desc': ['price', true]}, listed: true},
    },
    books: {
      step: 'page[number]', by: 'page', size: 'page[size]', usual: 5, list: '/data', within: 'attributes', media_type: 'application/vnd.api+json',
      shows: {total: '/meta/total', next_url: '/links/next', previous_url: '/links/prev'},
      filters: {'filter[state]': ['state'], 'filter[name]': ['name']}, sort: {...by_sign, listed: true},
    },
    songs: {
      step: 'page[cursor]', by: 'token', size: 'page[size]', usual: 5, list: '/data', within: 'attributes', media_type: 'application/vnd.api+json',
      shows: {next_url: '/links/next'}, filters: {'filter[state]': ['state']}, sort: by_sign,
    },
    plays: {
      step: 'page[offset]', by: 'offset', size: 'page[limit]', usual: 5, list: '/data', within: 'attributes',
      shows: {next_url: '/links/next', total: '/meta/page/total'}, filters: {'filter[price][gte]': ['price', 'min']}, sort: by_sign,
    },
    people: {
      step: '$skip', by: 'offset', size: '$top', list: '/value', shows: {total: '/@odata.count', next_url: '/@odata.nextLink'}, filters: {},
    },
    parts: {
      by: 'link', step: 'marker', size: 'limit', usual: 5, list: '', shows: {next_url: 'Link'}, filters: {state: ['state']}, sort: by_sign,
    },
  },
};
for (const service of Object.values(shapes)) {
  for (const shape of Object.values(service)) {
    Object.assign(shape, {usual: shape.usual ?? 20, first: shape.first ?? 1, names: {...USUAL, ...shape.names}, filters: shape.filters ?? {}});
  }
}

const NULLABLE = ['next', 'previous', 'next_url', 'previous_url'];
const shown_schemas = {
  total: {type: 'integer'}, pages: {type: 'integer'}, more: {type: 'boolean'}, last: {type: 'boolean'}, next: {type: ['string', 'null']},
  previous: {type: ['string', 'null']}, next_url: {type: ['string', 'null'], format: 'uri-reference'}, previous_url: {type: ['string', 'null'], format: 'uri-reference'},
};

function put(target, pointer, value) {
  const names = pointer.split('/').slice(1);
  const last = names.pop();
  names.reduce((at, name) => (at[name] ??= {}), target)[last] = value;
}
const schema_of = (value) => (typeof value.type === 'string' || Array.isArray(value.type) ? value : {type: 'object', properties: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schema_of(inner)]))});

function shown_record(shape, {id, ...members}) {
  const others = Object.fromEntries(Object.entries(members).map(([name, value]) => [shape.names[name], value]));
  return {[shape.names.id]: id, ...(shape.within ? {type: 'thing', [shape.within]: others} : others)};
}

function record_schema(shape) {
  const members = shown_record(shape, schemas);
  const inner = shape.within && schema_of(members[shape.within]);
  const properties = shape.within ? {...members, type: {type: 'string'}, [shape.within]: {...inner, required: Object.keys(inner.properties)}} : members;
  return {type: 'object', required: Object.keys(properties), properties};
}

function parameters_of(shape) {
  const query = (name, schema, description) => ({name, in: 'query', schema, ...(description && {description})});
  const number = {type: 'integer', minimum: shape.by === 'page' ? shape.first : 0};
  const filter = ([member, is]) => (is === undefined ? schemas[member] : {...schemas[member]});
  const {sort} = shape;
  return [
    ...(shape.by === 'link' ? [] : [query(shape.step, ['page', 'offset'].includes(shape.by) ? number : {type: 'string'})]),
    ...(shape.back ? [query(shape.back, {type: 'string'})] : []),
    query(shape.size, {type: 'integer', minimum: 1, maximum: 50, ...(shape.usual !== 20 && {default: shape.usual})}),
    ...Object.entries(shape.filters).map(([name, rule]) => query(name, filter(rule))),
    ...(sort ? [query(sort.parameter, {type: 'string', ...(sort.listed && {enum: Object.keys(sort.values)})}, sort.description)] : []),
    ...(sort?.direction ? [query(sort.direction, {type: 'string', enum: sort.words})] : []),
  ];
}

export function contract_of(name) {
  const error = {description: 'why not', content: {'application/json': {schema: {type: 'object', required: ['error'], properties: {error: {type: 'string'}}}}}};
  const paths = {};
  for (const [list, shape] of Object.entries(shapes[name])) {
    const type = shape.media_type ?? 'application/json';
    const items = {type: 'array', items: record_schema(shape)};
    const body = {};
    const headers = {};
    if (shape.list) put(body, shape.list, items);
    for (const [word, place] of Object.entries(shape.shows)) {
      if (place.startsWith('/')) put(body, place, shown_schemas[word]);
      else headers[place] = {schema: word === 'total' ? {type: 'integer'} : {type: 'string'}};
    }
    const schema = shape.list ? schema_of(body) : items;
    paths[`/${list}`] = {get: {operationId: `list_${list}`, parameters: parameters_of(shape), responses: {
      200: {description: 'some', headers, content: {[type]: {schema}}}, 400: error}}};
    paths[`/${list}/{id}`] = {get: {
      operationId: `get_${list}`, parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}], responses: {
        200: {description: 'one', content: {[type]: {schema: shape.within ? schema_of({data: record_schema(shape)}) : record_schema(shape)}}},
        400: error, 404: error}}};
  }
  return {openapi: '3.1.0', info: {title: name, version: '1'}, paths};
}

export class Rejected extends Error {
  constructor(message, status = 400) {
    super(message);
    this.status = status;
  }
}

function one_value(query, name) {
  const values = query.getAll(name);
  if (values.length > 1) {
    throw new Rejected(`${name} must be there once`);
  }
  return values[0];
}

function whole(query, name, min, max, usual) {
  const value = one_value(query, name);
  if (value !== undefined && (!/^-?\d+$/.test(value) || Number(value) < min || Number(value) > max)) {
    throw new Rejected(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value === undefined ? usual : Number(value);
}

const is_time = (value) => /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)) && new Date(`${value.slice(0, 10)}T00:00:00Z`).toJSON().startsWith(value.slice(0, 10));
const to_token = (at) => Buffer.from(`at:${at}`).toString('base64url');
function from_token(token) {
  const found = /^at:(\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (!found || to_token(found[1]) !== token) {
    throw new Rejected('the cursor must be one of a page');
  }
  return Number(found[1]);
}

// The steps of a list; a fault has some of them instead.
export const steps = {
  records: () => Array.from({length: 13}, (_, at) => record(at)),
  choose: (records, filters) => records.filter((one) => filters.every(({member, is, value}) => ({
    min: () => one[member] >= value, max: () => one[member] <= value, below: () => one[member] < value,
  }[is] ?? (() => one[member] === value))())),
  order: (records, sort) => (sort === undefined ? records : [...records].sort((one, other) =>
      (one[sort.member] < other[sort.member] ? -1 : one[sort.member] > other[sort.member] ? 1 : 0) * (sort.down ? -1 : 1))),
  // {start, size, given, sized}: where a page begins, its size, and if the request says so
  ask: (ask) => ask,
  rows: (records, {start, size}) => records.slice(start, start + size),
  // {total, pages, more, next, previous}: where the next page begins and this one, or null
  shown: (shown) => shown,
};

export class ShapedService extends LocalService {
  constructor(name, fault = {}) {
    super();
    this.shapes = shapes[name];
    this.steps = {...steps, ...fault};
    this.records = this.steps.records();
    this.asked = 0;
    this.server = http.createServer((request, response) => this.take(request, response));
  }

  take(request, response) {
    this.asked += 1;
    let answer;
    try {
      answer = this.answer(request);
    } catch (error) {
      if (!(error instanceof Rejected || error instanceof URIError)) {
        throw error;
      }
      answer = [error.status ?? 400, {error: error.message}];
    }
    const [status, body, headers = {}] = answer;
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, {'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers});
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  answer(request) {
    const [path, query = ''] = request.url.split(/\?(.*)/s);
    const [, list, key, rest] = path.split('/').map(decodeURIComponent);
    const shape = Object.hasOwn(this.shapes, list) ? this.shapes[list] : undefined;
    if (shape === undefined || rest !== undefined) {
      return [404, {error: 'there is nothing here'}];
    }
    if (!['GET', 'HEAD'].includes(request.method)) {
      return [405, {error: 'not allowed'}, {Allow: 'GET, HEAD'}];
    }
    const type = {'Content-Type': shape.media_type ?? 'application/json'};
    if (key === undefined) {
      const {body, headers} = this.list(path, shape, new URLSearchParams(query));
      return [200, body, {...type, ...headers}];
    }
    const found = this.records.find(({id}) => id === key);
    const shown = found && shown_record(shape, found);
    return found ? [200, shape.within ? {data: shown} : shown, type] : [404, {error: 'no such record'}];
  }

  filters(shape, query) {
    return Object.entries(shape.filters).flatMap(([name, [member, is]]) => {
      const value = one_value(query, name);
      if (value === undefined) {
        return [];
      }
      const valid = {price: /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value), state: STATES.includes(value),
                     made: is_time(value)}[member] ?? true;
      if (!valid) {
        throw new Rejected(`${name} must be valid`);
      }
      const made = () => new Date(value).toISOString().replace('.000', '');
      return [{name, member, is, value: member === 'price' ? Number(value) : member === 'made' ? made() : value}];
    });
  }

  sort({sort}, query) {
    const value = sort ? one_value(query, sort.parameter) : undefined;
    const direction = sort?.direction ? one_value(query, sort.direction) : undefined;
    if ((value !== undefined && !Object.hasOwn(sort.values, value)) || (direction !== undefined && !sort.words.includes(direction))) {
      throw new Rejected('the order must be a known one');
    }
    return value === undefined ? undefined
        : {member: sort.values[value][0], down: direction ? direction.startsWith('d') : Boolean(sort.values[value][1])};
  }

  // Where the page begins that the request asks for.
  start_of(shape, query, records, size) {
    const place = (name) => {
      const value = one_value(query, name);
      if (value === undefined || shape.by !== 'id') {
        return value === undefined ? undefined : from_token(value);
      }
      const at = records.findIndex(({id}) => id === value);
      if (at < 0) {
        throw new Rejected(`${name} must be a record`);
      }
      return at;
    };
    if (shape.by === 'page') {
      return (whole(query, shape.step, shape.first, Number.MAX_SAFE_INTEGER, shape.first) - shape.first) * size;
    }
    if (shape.by === 'offset') {
      return whole(query, shape.step, 0, Number.MAX_SAFE_INTEGER, 0);
    }
    const after = place(shape.step);
    const before = shape.back && place(shape.back);
    return before !== undefined ? {start: Math.max(0, before - size), size: Math.min(size, before), back: true}
        : after === undefined ? 0 : after + (shape.by === 'id' ? 1 : 0);
  }

  list(path, shape, query) {
    const {choose, order, ask, rows, shown} = this.steps;
    const filters = this.filters(shape, query);
    const sort = this.sort(shape, query);
    const records = order(choose(this.records, filters), sort);
    const size = whole(query, shape.size, 1, 50, shape.usual);
    const start = this.start_of(shape, query, records, size);
    const asked = ask({start, size, given: query.has(shape.step), sized: query.has(shape.size), ...(typeof start === 'object' && start)},
                      {shape, records});
    const page = rows(records, asked, {filters, sort, all: this.records});
    const end = asked.start + asked.size;
    const is = shown({
      total: records.length, pages: Math.ceil(records.length / asked.size), more: end < records.length, next: end < records.length ? end : null,
      previous: asked.start > 0 ? asked.start : null,
    }, {...asked, page, filters, sort, all: this.records});
    return this.wrapped(path, shape, query, page, {...is, size: asked.size});
  }

  wrapped(path, shape, query, page, is) {
    const url = (start) => {
      const other = new URLSearchParams(query);
      other.set(shape.step, {page: Math.floor(start / is.size) + shape.first, offset: start}[shape.by] ?? to_token(start));
      return start === null ? null : `${path}?${other}`;
    };
    const token = (start) => (start === null ? null : to_token(start));
    const values = {...is, last: !is.more, next: token(is.next), previous: token(is.previous), next_url: url(is.next),
                    previous_url: is.previous === null ? null : url(Math.max(0, is.previous - is.size))};
    const items = page.map((one) => shown_record(shape, one));
    const body = {};
    const headers = {};
    if (shape.list) put(body, shape.list, items);
    for (const [word, place] of Object.entries(shape.shows)) {
      if (place === 'Link') {
        if (is.next !== null) headers.Link = `<${values.next_url}>; rel="next"`;
      } else if (!place.startsWith('/')) {
        headers[place] = values[word];
      } else if (!place.startsWith('/_links') || values[word] !== null) {
        put(body, place, values[word]);
      }
    }
    return {body: shape.list ? body : items, headers};
  }
}
