// A record as a form, by the schema of its collection. The JSON text beside it is what is saved; the form changes it.

const MAX_FORM_FIELDS = 300;
const MAX_CHOICES = 500;

// The value of a JSON text; numbers that JavaScript would round stay as they are written, where the browser can.
function exact_value(text) {
  return JSON.parse(text, (key, value, context) => typeof value === 'number' && context?.source !== undefined && JSON.rawJSON && String(value) !== context.source ? JSON.rawJSON(context.source) : value);
}

const is_exact_number = (value) => typeof value === 'number' || JSON.isRawJSON?.(value) === true;
const is_members = (value) => value !== null && typeof value === 'object' && !Array.isArray(value) && !is_exact_number(value);
const pointer_of = (path) => path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

// The schema of a collection's records: of the response that shows one, else of the list's elements.
function schema_of_collection(name) {
  const of = app.operations.filter(({played}) => played.collection === name);
  const success = ({method, path}) => {
    const {responses = {}} = contract.operation({method, path}).operation;
    const status = Object.keys(responses).find((one) => /^2/.test(one));
    const content = contract.resolved(responses[status])?.content ?? {};
    return content[Object.keys(content).find(is_json_type)]?.schema;
  };
  const one = of.find(({method, played}) => method === 'GET' && played.behaviour === 'read') ?? of.find(({played}) => ['update', 'replace', 'create'].includes(played.behaviour));
  if (one) return success(one);
  const list = of.find(({played}) => played.behaviour === 'list');
  const shape = list ? shape_of(success(list)) : {};
  return shape.items ?? Object.values(shape.properties ?? {}).map((member) => shape_of(member)).find(({type, items}) => type === 'array' && items)?.items;
}

class RecordForm {
  // `text` is the field of the JSON; `collection` is left out of the choices of references.
  constructor(collection, text) {
    this.collection = collection;
    this.text = text;
    this.schema = schema_of_collection(collection);
    this.element = make('div', {class: 'record-form', role: 'group', 'aria-label': 'The record as a form'});
    this.notes = new Map();
    text.addEventListener('input', () => this.is_own || this.draw_soon());
    this.draw();
  }

  draw_soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), 250);
  }

  draw() {
    try {
      this.value = exact_value(this.text.value);
    } catch {
      return this.element.classList.add('stale');  // the JSON is not whole yet: the form waits
    }
    this.element.classList.remove('stale');
    if (!is_members(this.value)) return this.element.replaceChildren(soft('Only an object has a form.'));
    this.count = 0;
    this.notes.clear();
    return this.element.replaceChildren(...this.members([], this.shape(), this.value));
  }

  // A list may be of parts of a record: a schema that has none of its members is that of something else.
  shape() {
    const shape = shape_of(this.schema);
    const names = Object.keys(this.value);
    return names.length && shape.properties && !names.some((name) => Object.hasOwn(shape.properties, name)) ? {} : shape;
  }

  members(path, shape, value) {
    const names = [...new Set([...Object.keys(shape.properties ?? {}), ...Object.keys(value ?? {})])];
    return names.map((name) => this.member([...path, name], shape.properties?.[name] ?? {}, value?.[name], (shape.required ?? []).includes(name)));
  }

  member(path, schema, value, is_needed) {
    this.count += 1;
    if (this.count > MAX_FORM_FIELDS || path.length > MAX_SHAPE_DEPTH) return this.count === MAX_FORM_FIELDS + 1 ? soft('The rest is in the JSON.') : '';
    const shape = shape_of(schema);
    const name = String(path.at(-1));
    if (is_members(value) || (value === undefined && shape.type === 'object')) return this.group(path, name, is_members(value) ? value : undefined, shape);
    if (Array.isArray(value) || (value === undefined && shape.type === 'array')) return this.list(path, name, value, shape);
    return this.scalar(path, name, value, shape, is_needed);
  }

  group(path, name, value, shape) {
    return make('fieldset', {}, make('legend', {}, name), value === undefined ? button(`Add ${name}`, () => this.set(path, {}, true)) : this.members(path, shape, value),
      value === undefined ? null : button('Remove', () => this.set(path, undefined, true), {class: 'plain', 'aria-label': `Remove ${name}`}));
  }

  list(path, name, value, shape) {
    const items = value ?? [];
    return make('fieldset', {}, make('legend', {}, `${name} (${items.length})`),
      items.map((item, at) => make('div', {class: 'item'}, this.member([...path, at], shape.items ?? {}, item, true),
        button('\u00d7', () => this.set(path, items.filter((_, index) => index !== at), true), {class: 'plain', 'aria-label': `Remove ${name} ${at + 1}`}))),
      button(`Add to ${name}`, () => this.set(path, [...items, shape.items ? example_of(shape.items, 1) : ''], true)));
  }

  scalar(path, name, value, shape, is_needed) {
    const kind = value === undefined || value === null ? shape.type : is_exact_number(value) ? 'number' : typeof value;
    const shown = value === undefined || value === null ? '' : is_exact_number(value) ? JSON.stringify(value) : String(value);
    const note = make('span', {class: 'field-note bad'});
    this.notes.set(pointer_of(path), note);
    const choices = kind === 'boolean' ? ['true', 'false'] : shape.enum?.filter((one) => one !== null).map(String);
    const with_own = choices && shown !== '' && !choices.includes(shown) ? [shown, ...choices] : choices;
    const input = with_own ? select([['', value === null ? 'null' : '(none)'], ...with_own.map((one) => [one, one])], shown) :
      make('input', {value: shown, spellcheck: 'false', placeholder: value === null ? 'null' : hint_of(shape), inputmode: kind === 'number' || kind === 'integer' ? 'decimal' : null});
    const take = () => this.set(path, this.read(input.value, kind, shape, value));
    input.addEventListener(with_own ? 'change' : 'input', take);
    const is_time = shape.format === 'date-time' || (kind === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(shown));
    return make('div', {class: 'form-field'}, field(`${name}${is_needed ? ' *' : ''}`, input), is_time ? this.picker(name, input, take) : null, this.choices_of(name, input), note);
  }

  // What was typed as a value of the member's kind; a text that is no number stays a text, which the mock rejects.
  read(text, kind, shape, before) {
    if (text === '') return before === null ? null : kind === 'string' && before === '' ? '' : undefined;
    if (kind === 'boolean') return text === 'true';
    if ((kind === 'number' || kind === 'integer') && is_json(text)) return exact_value(text);
    return text;
  }

  // A picker in local time beside the text in UTC.
  picker(name, input, take) {
    const local = (text) => {
      const at = new Date(text);
      return Number.isNaN(at.valueOf()) ? '' : new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
    };
    const pick = make('input', {type: 'datetime-local', step: '1', value: local(input.value), 'aria-label': `${name} in local time`, oninput: () => {
      if (!pick.value) return;
      input.value = new Date(pick.value).toISOString().replace('.000', '');
      take();
    }});
    input.addEventListener('input', () => { pick.value = local(input.value); });
    return pick;
  }

  // Of customer_id: the keys of customers.
  choices_of(name, input) {
    const stem = /^(.+)_id$/.exec(name)?.[1];
    const collection = stem && app.collections.find((one) => one !== this.collection && [stem, `${stem}s`, `${stem}es`, stem.replace(/y$/, 'ies')].includes(one));
    if (!collection || input.localName !== 'input') return null;
    const list = make('datalist', {id: `keys-${input.id || this.count}-${collection}`});
    input.setAttribute('list', list.id);
    call('GET', `/_mock/records/${encodeURIComponent(collection)}`, {session: app.session}).then(({records}) => {
      list.replaceChildren(...records.slice(0, MAX_CHOICES).map(({key, record}) => make('option', {value: key}, outline(record))));
    }).catch(() => {});
    return [list, link(['records', collection, input.value], collection, {}, {class: 'soft', 'aria-label': `The record of ${collection}`})];
  }

  // Changes the member at `path` in the text; with `anew` the fields are others then.
  set(path, value, anew = false) {
    let at = this.value;
    path.slice(0, -1).forEach((part) => { at = at[part]; });
    if (value === undefined) delete at[path.at(-1)];
    else at[path.at(-1)] = value;
    this.is_own = true;
    this.text.value = JSON.stringify(this.value, null, 2);
    this.text.dispatchEvent(new Event('input'));
    this.is_own = false;
    if (anew) this.draw();
  }

  // What the mock says, at the fields that it names.
  mark(problems) {
    for (const [pointer, note] of this.notes) {
      note.textContent = plain(problems.filter((problem) => problem.startsWith(`body${pointer}: `)).map((problem) => problem.slice(pointer.length + 6)).join('; '));
    }
  }
}
