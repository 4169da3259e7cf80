// The form of one operation, from the contract: parameters, credentials and body; what was sent, and beside it what
// came and why. What was typed is kept in the tab. The mock alone says what is wrong, and it is shown at the field.

const FILE_TYPE = 'a file';

const FORM_TYPE = 'application/x-www-form-urlencoded';  // a whole query that is encoded already

class TryForm {
  constructor(operation) {
    this.operation = operation;
    this.fields = new Map();  // "query/page_size" -> {input, note}
    this.place = `try ${operation.id ?? `${operation.method} ${operation.path}`}`;
    this.answer = make('section', {class: 'answer', 'aria-label': 'The response'});
  }

  // The elements of form and response. Needs the contract.
  view() {
    const {operation, parameters, body, security} = contract.operation(this.operation);
    this.parameters = parameters;
    this.stop_button = button('Stop', () => this.stopping?.abort(), {hidden: true});
    const at_once = this.path_values();
    const form = make('form', {class: 'try', 'aria-label': 'Try it', onsubmit: (event) => {
      event.preventDefault();
      this.send().catch(show_problem);
    }},
      this.credentials(security),
      parameters.length ? make('fieldset', {}, make('legend', {}, 'Parameters'), parameters.map((parameter) => this.parameter(parameter, at_once))) : null,
      body?.content ? this.body_fields(body) : null,
      this.stream_fields(operation),
      make('details', {class: 'more'}, make('summary', {}, 'More header fields'), this.field('more', 'Each in a line, "Name: value"; for example "Prefer: code=404"', this.keep('more', make('textarea', {rows: '2', spellcheck: 'false'})))),
      make('p', {class: 'actions'}, make('button', {class: 'main', 'aria-keyshortcuts': 'Control+Enter'}, 'Send'), this.stop_button, button('Clear', () => this.clear()), soft(`in the session ${app.session || 'default'}`)));
    form.addEventListener('keydown', (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') form.requestSubmit();
    });
    return [form, this.answer];
  }

  keep(name, input, value) {
    if (value !== undefined) input.value = value;
    return kept(`${this.place} ${name}`, input);
  }

  field(name, label, input) {
    field.count = (field.count ?? 0) + 1;
    input.id ||= `try-${field.count}`;
    const note = make('span', {class: 'field-note bad', id: `${input.id}-note`});
    input.setAttribute('aria-describedby', note.id);
    this.fields.set(name, {input, note});
    return make('div', {class: 'field'}, make('label', {for: input.id}, label), input, note);
  }

  // The path's values that work at once, from the index.
  path_values() {
    const {id, method, path} = this.operation;
    const url = app.index?.operations?.find((one) => one.id === id && one.method === method && one.path === path)?.url ?? '';
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    const pattern = path.split(/\{[^}]+\}/).map((part) => encodeURI(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^/?]*)');
    const found = new RegExp(`^${pattern}(?:\\?|$)`).exec(url) ?? [];
    const query = new URLSearchParams(url.split('?')[1] ?? '');
    return new Map([...names.map((name, at) => [`path/${name}`, decoded(found[at + 1] ?? '')]), ...[...query].map(([name, value]) => [`query/${name}`, value])]);
  }

  parameter(parameter, at_once) {
    const {name, in: where, required, description, schema} = parameter;
    const shape = shape_of(schema ?? contract.resolved(Object.values(parameter.content ?? {})[0])?.schema);
    const place = `${where}/${name}`;
    const given = at_once.get(place) || (required || where === 'path' ? text_of(parameter.example ?? (Object.values(parameter.examples ?? {})[0]?.value ?? example_of(schema))) : '');
    const choices = shape.type === 'boolean' ? ['true', 'false'] : shape.enum?.filter((one) => one !== null).map(String);
    const input = choices ? select([...(required ? [] : [['', '(not sent)']]), ...choices.map((one) => [one, one])], given) :
      make('input', {spellcheck: 'false', autocomplete: 'off', placeholder: required ? '' : hint_of(shape), inputmode: shape.type === 'integer' ? 'numeric' : null});
    return this.field(place, [name, ' ', soft(where, required ? '' : ', optional'), description ? make('span', {class: 'hint', title: description}, description) : null],
      this.keep(place, input, given));
  }

  credentials(security) {
    const tokens = Array.isArray(app.index?.tokens) ? app.index.tokens : [];
    const known = accepted_token() ?? (app.index?.tokens === 'any' ? 'any' : '');
    if (security.length === 0) return null;
    this.schemes = security;
    return make('fieldset', {}, make('legend', {}, lock(), 'Credentials'), security.map((scheme, at) => {
      const is_basic = scheme.scheme?.toLowerCase() === 'basic';
      const list = make('datalist', {id: `tokens-${field.count ?? 0}-${at}`}, tokens.map((value) => make('option', {value})));
      const label = scheme.type === 'apiKey' ? [scheme.name, ' ', soft(scheme.in)] : is_basic ? 'user:password' : 'Token';
      return [this.field(`security/${at}`, [label, ' ', soft('empty: none is sent')], this.keep(`security ${at}`, make('input', {list: list.id, spellcheck: 'false', autocomplete: 'off'}), is_basic ? `user:${known || 'password'}` : known)), list];
    }));
  }

  // How the mock sends the items of a stream.
  stream_fields({responses = {}}) {
    const types = Object.values(responses).flatMap((response) => Object.keys(contract.resolved(response)?.content ?? {}));
    if (!types.some(is_stream_type)) return null;
    const end = select([['', 'ends after its items'], ['open', 'stays open for what is pushed']], '');
    return make('fieldset', {}, make('legend', {}, 'Stream'),
      this.field('prefer/pace', ['pace ', soft('ms between items')], this.keep('pace', make('input', {inputmode: 'numeric', spellcheck: 'false', placeholder: 'as the mock has it'}))),
      this.field('prefer/end', 'The stream', this.keep('end', end)));
  }

  body_fields(body) {
    const types = Object.keys(body.content);
    this.type = this.keep('type', select(types.map((type) => [type, type]), types[0], {'aria-label': 'Media type of the body'}));
    const holder = make('div', {});
    const draw = () => holder.replaceChildren(...this.body_of(this.type.value, contract.resolved(body.content[this.type.value]) ?? {}));
    this.type.addEventListener('change', draw);
    draw();
    return make('fieldset', {}, make('legend', {}, 'Body'), types.length > 1 ? this.type : make('p', {class: 'soft'}, types[0]), holder);
  }

  body_of(type, media_type) {
    this.parts = null;
    this.file = null;
    this.text = null;
    if (/^multipart\/|^application\/x-www-form-urlencoded/i.test(type)) return this.part_fields(type, media_type);
    if (type.includes('*') || !is_text_type(type)) {
      this.file = make('input', {type: 'file'});
      return [this.field('body', 'File', this.file)];
    }
    const examples = examples_of(media_type);
    const written = (value) => typeof value === 'string' && !is_json_type(type) ? value : JSON.stringify(value, null, 2);
    const first = written(examples[0][1]) ?? '';
    this.text = make('textarea', {spellcheck: 'false', rows: String(Math.min(20, first.split('\n').length + 1))});
    const choice = examples.length > 1 ? select(examples.map(([name], at) => [String(at), name]), '0', {'aria-label': 'Example', onchange: (event) => {
      this.text.value = written(examples[Number(event.target.value)][1]);
      this.text.dispatchEvent(new Event('input'));
    }}) : null;
    return [choice, this.field('body', [make('span', {}, 'Body '), soft(shape_of(media_type.schema).type ?? '')], this.keep(`body ${type}`, this.text, first))].filter(Boolean);
  }

  part_fields(type, media_type) {
    const {properties = {}, required = []} = shape_of(media_type.schema);
    this.parts = Object.entries(properties).map(([name, schema]) => {
      const shape = shape_of(schema);
      const items = shape.type === 'array' ? shape_of(shape.items) : shape;
      const is_file = /^multipart/i.test(type) && (items.format === 'binary' || items.contentMediaType !== undefined || (items.type === undefined && !items.properties));
      const is_needed = required.includes(name);
      const input = is_file ? make('input', {type: 'file', multiple: shape.type === 'array'}) :
        this.keep(`part ${name}`, make('input', {spellcheck: 'false', placeholder: hint_of(shape)}), is_needed ? text_of(example_of(schema)) : '');
      return {name, input, is_file, row: this.field(`body/${name}`, [name, ' ', soft(is_file ? FILE_TYPE : shape.type ?? '', is_needed ? '' : ', optional')], input)};
    });
    return this.parts.map(({row}) => row);
  }

  // {payload, shown}: what is sent, and its text for copies.
  body() {
    if (this.text) return {payload: this.text.value, shown: this.text.value};
    if (this.file) return {payload: this.file.files[0], shown: ''};
    if (!this.parts) return {};
    const is_multipart = /^multipart/i.test(this.type.value);
    const payload = is_multipart ? new FormData() : new URLSearchParams();
    for (const {name, input, is_file} of this.parts) {
      if (is_file) [...input.files].forEach((file) => payload.append(name, file, file.name));
      else if (input.value !== '') payload.append(name, input.value);
    }
    return {payload, shown: is_multipart ? '' : String(payload)};
  }

  value_of(place) {
    return this.fields.get(place)?.input.value ?? '';
  }

  // The request that the fields make.
  request() {
    const {method, path} = this.operation;
    const headers = [];
    const query = [];
    const cookies = [];
    let target = path;
    for (const parameter of this.parameters) {
      const text = this.value_of(`${parameter.in}/${parameter.name}`);
      if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, () => encodeURIComponent(text));
      else if (text === '') continue;
      else if (parameter.in === 'query') query.push(...query_pairs(parameter, text));
      else if (parameter.in === 'querystring') target += `?${Object.keys(parameter.content ?? {}).includes(FORM_TYPE) ? text : encodeURIComponent(text)}`;
      else (parameter.in === 'cookie' ? cookies : headers).push([parameter.name, text]);
    }
    this.add_credentials(headers, query, cookies);
    const {payload, shown} = METHODS_WITHOUT_BODY.includes(method) ? {} : this.body();
    const has_own_type = payload instanceof FormData;
    if (payload !== undefined && payload !== '' && this.type && !has_own_type) headers.push(['Content-Type', this.type.value.includes('*') ? payload.type || 'application/octet-stream' : this.type.value]);
    const wishes = ['pace', 'end'].map((name) => [name, this.value_of(`prefer/${name}`).trim()]).filter(([, value]) => value !== '');
    if (wishes.length) headers.push(['Prefer', wishes.map(([name, value]) => `${name}=${value}`).join(', ')]);
    for (const line of this.value_of('more').split('\n').filter((one) => one.includes(':'))) headers.push([line.split(':')[0].trim(), line.slice(line.indexOf(':') + 1).trim()]);
    const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
    return {method, target: target + (text ? `${target.includes('?') ? '&' : '?'}${text}` : ''), headers, cookies, payload: payload === '' ? undefined : payload, shown: shown ?? ''};
  }

  add_credentials(headers, query, cookies) {
    (this.schemes ?? []).forEach((scheme, at) => {
      const value = this.value_of(`security/${at}`);
      if (value === '') return;
      if (scheme.type === 'apiKey') ({query, cookie: cookies}[scheme.in] ?? headers).push([scheme.name, value]);
      else if (scheme.scheme?.toLowerCase() === 'basic') headers.push(['Authorization', `Basic ${btoa(unescape(encodeURIComponent(value)))}`]);
      else headers.push(['Authorization', `Bearer ${value}`]);
    });
  }

  async send() {
    this.stopping?.abort();
    this.stopping = new AbortController();
    const {session} = app;
    const request = this.request();
    const turn = this.turn = {};
    this.mark([]);
    this.stop_button.hidden = false;
    const before = await newest_entry(session);
    const shown = new AnswerView(this.answer, request, session);
    const result = await send_request(request, session, this.stopping.signal, (part) => turn === this.turn && shown.show(part));
    if (turn !== this.turn) return;
    this.stop_button.hidden = true;
    say(result.status ? `${request.method} got ${result.status}` : result.problem);
    const exchange = await explanation_of(request, session, before).catch(() => null);
    if (turn !== this.turn) return;
    await shown.finish(result, exchange);
    if (exchange) this.mark(exchange.request_violations);
  }

  // What the mock says is wrong, at the fields that it names.
  mark(violations) {
    const notes = new Map();
    for (const {part, instance, message} of Array.isArray(violations) ? violations : []) {
      const [, first = ''] = instance.split('/').map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
      const place = [`${part}/${first}`, part, part === 'security' ? 'security/0' : ''].find((one) => this.fields.has(one));
      if (place) notes.set(place, [...(notes.get(place) ?? []), place === 'body' && instance ? `${instance}: ${message}` : message]);
    }
    for (const [place, {input, note}] of this.fields) {
      input.setAttribute('aria-invalid', String(notes.has(place)));
      note.textContent = plain((notes.get(place) ?? []).join('; '));
    }
  }

  clear() {
    for (const place of [...drafts.all.keys()].filter((key) => key.startsWith(drafts.key(`${this.place} `)))) drafts.all.delete(place);
    drafts.set(this.place, undefined);
    operations_view.show_one();
  }

  // Fills the form of the request's operation with what was sent.
  static async fill(exchange) {
    await contract.load();
    const operation = app.operations.find(({id}) => id === exchange.operation);
    const shown = app.session;
    app.session = exchange.session;  // what is typed is kept by session
    const form = new TryForm(operation);
    form.view();
    const set = (place, value) => {
      const {input} = form.fields.get(place) ?? {};
      if (!input || input.type === 'file') return;
      input.value = value;
      input.dispatchEvent(new Event('input'));
    };
    const [path, query = ''] = exchange.target.replace(/^\/_s\/[^/]+/, '').split(/\?(.*)/s);
    operation.path.split('/').forEach((part, at) => {
      const [, name] = /^\{([^}]+)\}$/.exec(part) ?? [];
      if (name) set(`path/${name}`, decoded(path.split('/')[at] ?? ''));
    });
    const values = new URLSearchParams(query);
    for (const name of new Set(values.keys())) set(`query/${name}`, values.getAll(name).join(','));
    for (const {name, in: where} of form.parameters) if (where === 'header') set(`header/${name}`, field_of(exchange.request, name.toLowerCase()));
    if (form.text && exchange.request.body) set('body', readable(exchange.request.body));
    const prefer = field_of(exchange.request, 'prefer');
    if (prefer) set('more', `Prefer: ${prefer}`);
    app.session = shown;
    open_route(address(['operations', operation.id], {}, exchange.session));
  }
}

const text_of = (value) => value === undefined || value === null ? '' : typeof value === 'object' ? (Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.join(',') : JSON.stringify(value)) : String(value);

function hint_of(shape) {
  const bounds = shape.minimum !== undefined && shape.maximum !== undefined ? `${shape.minimum} to ${shape.maximum}` : '';
  return [shape.format ?? shape.type ?? '', bounds, shape.type === 'array' ? 'a,b,c' : ''].filter(Boolean).join(', ');
}

const lock = () => make('span', {class: 'lock', role: 'img', 'aria-label': 'needs credentials', title: 'needs credentials'});

// What came back: drawn as it comes, and explained when the journal has it.
class AnswerView {
  constructor(holder, request, session) {
    Object.assign(this, {holder, request, session});
    this.head = make('p', {class: 'request-line'}, soft('Sent; waiting for the response'));
    this.body = make('div', {});
    this.events = make('ol', {class: 'events', role: 'log', 'aria-label': 'Events'});
    this.count = 0;
    holder.replaceChildren(make('h3', {}, 'Response'), this.head, this.body);
  }

  show(result) {
    const {status, type, bytes, problem, took_ms: took} = result;
    const known = [type, bytes ? size_text(bytes) : '', result.is_done ? duration_text(Math.round(took * 1000)) : 'receiving'].filter(Boolean).join(' \u00b7 ');
    this.head.replaceChildren(...[status || result.is_done ? status_chip(status) : null, ' ', soft(known), problem ? make('span', {class: 'bad'}, ` ${problem}`) : null].filter(Boolean));
    if (!result.events.length) return;
    if (!this.events.isConnected) this.body.replaceChildren(this.events);
    const fresh = result.events.filter((event) => event.after_ms > this.count);
    if (fresh.length) this.count = fresh.at(-1).after_ms;
    this.events.append(...fresh.map(({event, id, data}) => make('li', {}, [event && event !== 'message' ? chip(event, 'idle') : null, id ? soft(` ${id} `) : ' ', code(data)])));
    while (this.events.childElementCount > MAX_SHOWN_EVENTS) this.events.firstChild.remove();
  }

  async finish(result, exchange) {
    if (!result.events.length && result.status) this.body.replaceChildren(await received_view(result));
    const sent = this.exchange(result, exchange);
    this.holder.append(make('details', {}, make('summary', {}, many(result.headers.length, 'header field')), make('dl', {class: 'facts fields'}, result.headers.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]))),
      copies_view(sent));
    if (!exchange) return this.holder.append(make('p', {class: 'soft'}, 'The journal has no entry for it.'));
    return this.holder.append(...[why_view(exchange), violations_view('Violations in the request', exchange.request_violations), violations_view('Violations in the response', exchange.response_violations),
      make('p', {}, link(['requests', String(exchange.id)], `Request ${exchange.id} in the journal`))].filter(Boolean));
  }

  // The exchange as copies need it: with what was typed, which the journal has without its secrets.
  exchange(result, exchange) {
    const {method, target, headers, shown, payload} = this.request;
    const given = exchange ?? {response: {headers: result.headers, body: undefined}, operation: null, id: 0};
    return {...given, method, target, session: this.session, status: result.status,
            request: {headers, body: shown, body_bytes: payload === undefined ? 0 : shown.length || 1, body_is_cut: false}};
  }
}

// The body of a response: text in parts, pictures and PDF shown by the browser, else the first bytes.
async function received_view(result) {
  const {type, bytes} = result;
  if (!bytes) return make('p', {class: 'soft'}, 'No body');
  const all = await bytes_received(result);
  if (/^application\/pdf\b/i.test(type) || /^image\//i.test(type)) return shown_by_browser(all, type.split(';')[0].trim());
  const text = (() => {
    try {
      return new TextDecoder('utf-8', {fatal: true}).decode(all);
    } catch {
      return null;
    }
  })();
  return text === null || text.includes('\0') ? block(dump(all.slice(0, FIRST_BYTES)), 'Body') : text_body(readable(text), 'Body');
}

function shown_by_browser(bytes, type) {
  URL.revokeObjectURL(shown_by_browser.last ?? '');
  const url = shown_by_browser.last = URL.createObjectURL(new Blob([bytes], {type}));
  const is_image = type.startsWith('image/');
  return make('div', {}, is_image ? make('img', {src: url, alt: 'The body of the response', class: 'picture'}) : make('iframe', {src: url, title: 'The body of the response', class: 'pdf'}),
    make('p', {class: 'actions'}, make('a', {href: url, target: '_blank', class: 'button'}, 'Open'), make('a', {href: url, download: `response.${is_image ? 'img' : 'pdf'}`, class: 'button'}, 'Save as a file')));
}
