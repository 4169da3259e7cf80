// The records of each collection: listed, edited as JSON, validated by the mock while they are typed.

const MAX_SHOWN_RECORDS = 300;
const VALIDATE_AFTER_MS = 300;
const CHANGED_MEANWHILE = 'The record was changed meanwhile; saving replaces it.';

const record_path = (collection, key) => `/_mock/records/${encodeURIComponent(collection)}/${encodeURIComponent(key)}`;

// What tells a record from others, in a few words.
function outline(record) {
  const words = ['name', 'title', 'email', 'status', 'description'].map((name) => record?.[name])
    .filter((value) => typeof value === 'string' && value !== '');
  return words.slice(0, 2).join(', ').slice(0, 120);
}

const records_view = {
  title: 'Records',
  of_one_session: true,

  open(main) {
    main.classList.add('split');
    this.nav = make('div', {class: 'collections'});
    this.list = make('ul', {class: 'plain-list', role: 'list', 'aria-label': 'Records'});
    this.search = kept('search of records', make('input', {type: 'search', placeholder: 'Key or text', oninput: () => this.draw_list(), 'aria-keyshortcuts': '/'}));
    this.actions = is_live ? make('p', {class: 'actions'}) : null;
    this.bar = make('div', {class: 'filters', hidden: true}, field('Search', this.search), this.actions);
    this.detail = make('section', {class: 'detail', 'aria-label': 'One record', tabindex: '-1'});
    main.append(make('section', {class: 'list', 'aria-labelledby': 'view-title'},
      make('h2', {id: 'view-title', tabindex: '-1'}, 'Records'), this.nav, this.bar, make('div', {class: 'scroller'}, this.list)), this.detail);
  },

  async go(route) {
    const [collection = '', key] = route.parts;
    this.collection = collection;
    this.key = key;
    this.is_new = route.query.new === '1';
    if (this.warned?.of !== `${collection}/${key}`) this.warned = null;
    by_id('main').classList.toggle('one', key !== undefined || this.is_new);
    if (is_live) await contract.load().catch(() => null);
    await this.draw();
    await this.open_record();
  },

  async draw() {
    const {collections} = await call('GET', '/_mock/records', {session: app.session});
    this.collections = collections;
    redraw(this.nav, collections.length ? make('ul', {class: 'tabs', 'aria-label': 'Collections'}, collections.map(({name, records, changes}) => make('li', {},
      link(['records', name], [`${name} `, soft(String(records)), changes ? [' ', chip(`${changes} changed`, 'unsure')] : null], {}, {'aria-current': name === this.collection ? 'true' : null})))) :
      make('p', {class: 'empty soft'}, 'This mock has no collections: its responses are the contract\u2019s examples, or generated.'));
    this.nav.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
    if (!this.collection && collections.length) {
      replace_route(address(['records', collections[0].name]));
      return;
    }
    if (!this.collection) return;
    const {records} = await call('GET', `/_mock/records/${encodeURIComponent(this.collection)}`, {session: app.session});
    this.records = records;
    this.bar.hidden = false;
    if (is_live) redraw(this.actions, link(['records', this.collection], 'New record', {new: '1'}, {class: 'button'}),
      button('Save collection to fixtures', () => save_to_fixtures({collection: this.collection}, `Save the changes of ${this.collection} to the fixtures`)),
      button('Reset collection', () => this.reset_collection(this.collections.find(({name}) => name === this.collection))));
    this.draw_list();
  },

  draw_list() {
    const wanted = this.search.value.trim().toLowerCase();
    const found = (this.records ?? []).filter(({key, record}) => !wanted || `${key} ${JSON.stringify(record)}`.toLowerCase().includes(wanted));
    const shown = found.slice(0, MAX_SHOWN_RECORDS);
    redraw(this.list,
      shown.map(({key, changed, record}) => make('li', {},
        link(['records', this.collection, key], [make('span', {class: 'target'}, key), ' ', soft(outline(record)), changed ? [' ', chip('changed', 'unsure')] : null, drafts.get(this.place(key)) ? [' ', chip('not saved', 'idle')] : null],
          {}, {class: 'row', 'aria-current': key === this.key ? 'true' : null}))),
      found.length > shown.length ? make('li', {class: 'soft'}, `and ${many(found.length - shown.length, 'more record')}; search for them`) : null);
  },

  // The place of the draft of a record; of a new one without a key.
  place(key) {
    return `record ${this.collection}/${key}`;
  },

  async reset_collection({name, changes}) {
    if (changes && !(await confirmed(`Reset the collection ${name}?`, `${many(changes, 'change')} of its records are lost.`, 'Reset'))) return;
    await this.change('POST', `/_mock/records/${encodeURIComponent(name)}/reset`, `${name} is as in the fixtures`);
  },

  // Carries out a change and shows what is there then.
  async change(method, path, words, options = {}) {
    const text = await call_text(method, path, {session: app.session, ...options});
    unnotice('problem');
    say(words);
    await this.draw();
    return text;
  },

  async open_record() {
    const {collection, key} = this;
    if (this.is_new) return this.edit('', '{}');
    if (key === undefined) return this.detail.replaceChildren(make('p', {class: 'empty soft'}, 'Choose a record.'));
    try {
      const text = is_live ? await call_text('GET', record_path(collection, key), {session: app.session}) :
        JSON.stringify(this.records.find((line) => line.key === key)?.record ?? null);
      if (collection === this.collection && key === this.key) this.edit(key, indent_json(text));
    } catch (problem) {
      this.detail.replaceChildren(this.back(), make('p', {class: 'empty'}, problem.message));
    }
    return undefined;
  },

  back() {
    return make('a', {class: 'back', href: address(['records', this.collection])}, `\u2190 All ${this.collection}`);
  },

  edit(key, text) {
    this.stored = text;
    const draft = drafts.get(this.place(key));
    const typed = () => {
      const is_new_text = this.text.value !== this.stored || this.key_input.value !== key;
      drafts.set(this.place(key), is_new_text ? {text: this.text.value, key: this.key_input.value, stored: draft?.stored ?? text} : undefined);
      this.validate_soon();
    };
    this.text = make('textarea', {id: 'record', spellcheck: 'false', rows: String(Math.min(34, text.split('\n').length + 3)),
                                  'aria-describedby': 'verdict problems warning', readonly: !is_live, oninput: typed});
    this.text.value = draft?.text ?? text;
    this.key_input = make('input', {value: draft?.key ?? key, spellcheck: 'false', required: true, oninput: typed});
    this.verdict = make('p', {id: 'verdict', class: 'verdict soft', role: 'status'}, is_live ? 'As stored' : '');
    this.meanwhile = make('p', {class: 'unsure', role: 'status'}, draft && draft.stored !== text ? CHANGED_MEANWHILE : '');
    this.problems = make('ul', {id: 'problems', class: 'problems'});
    this.warning = make('p', {id: 'warning', class: 'unsure', role: 'status'}, this.warned?.text ?? '');
    const known = key !== '';
    this.save_button = button('Save', () => this.save(), {class: 'main', 'aria-keyshortcuts': 'Control+S'});
    this.detail.replaceChildren(this.back(),
      make('h2', {}, known ? code(key) : `New record of ${this.collection}`),
      known ? '' : field('Key', this.key_input),
      make('div', {class: 'record-sides'}, this.form_of(), make('div', {}, make('label', {class: 'soft', for: 'record'}, 'The record as JSON'), this.text)),
      this.meanwhile, this.verdict, this.problems, this.warning,
      is_live ? make('p', {class: 'actions'}, this.save_button,
        button('Undo typing', () => this.forget(key)),
        known ? button('Duplicate', () => this.duplicate()) : null,
        known ? button('Save to fixtures', () => this.keep()) : null,
        known ? button('Reset to fixture', () => this.restore()) : null,
        known ? button('Delete', () => this.remove(), {class: 'danger'}) : null) : '');
    if (!known) this.key_input.focus();
    if (draft) this.validate_soon();
  },

  // Not in a page of recorded data; without a schema there are the members that the record has.
  form_of() {
    this.form = is_live ? new RecordForm(this.collection, this.text) : null;
    return this.form?.element ?? null;
  },

  // A new record with what is shown, but for the key.
  duplicate() {
    const {collection, key} = this;
    const copied = exact_value(this.text.value);
    for (const [name, value] of Object.entries(copied)) if (value === key) delete copied[name];
    drafts.set(this.place(''), {text: JSON.stringify(copied, null, 2), key: '', stored: '{}'});
    open_route(address(['records', collection], {new: '1'}));
  },

  forget(key) {
    drafts.set(this.place(key), undefined);
    this.edit(key, this.stored);
    this.draw_list();
  },

  validate_soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.validate(), VALIDATE_AFTER_MS);
  },

  // Asks the mock, which stores nothing then.
  async validate() {
    const text = this.text.value;
    const key = this.key_input.value;
    if (key === '') return this.show_verdict('A record needs a key', 'soft', []);
    let shown = ['Valid, not saved', 'good', []];
    let warning = '';
    try {
      await call_text('PUT', `${record_path(this.collection, key)}?dry_run=true`, {session: app.session, body: text, warned: (words) => { warning = words; }});
    } catch (problem) {
      shown = [problem.status === 0 ? problem.message : 'Invalid', 'bad', problem.problems?.length ? problem.problems : [problem.message]];
    }
    if (text !== this.text.value) return undefined;
    this.warning.textContent = warning;
    return this.show_verdict(...(text === this.stored && shown[1] === 'good' ? ['As stored', 'soft', []] : shown));
  },

  show_verdict(words, kind, problems) {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.textContent = words;
    this.text.setAttribute('aria-invalid', String(kind === 'bad'));
    this.form?.mark(problems);
    this.problems.replaceChildren(...problems.map((problem) => make('li', {}, problem)));
  },

  async save() {
    const key = this.key_input.value;
    clearTimeout(this.timer);
    const warned = {of: `${this.collection}/${key}`, text: ''};  // the editor is drawn again, and shows it then
    try {
      const text = await this.change('PUT', record_path(this.collection, key), `Saved: ${key}`, {body: this.text.value, warned: (words) => { warned.text = words; }});
      this.warned = warned;
      this.stored = indent_json(text);
      drafts.set(this.place(this.is_new ? '' : key), undefined);
      this.draw_list();
      if (this.is_new) replace_route(address(['records', this.collection, key]));
      else this.edit(key, this.stored);
    } catch (problem) {
      this.show_verdict('Not saved', 'bad', problem.problems?.length ? problem.problems : [problem.message]);
    }
  },

  // What is typed is saved first: the fixtures get what is shown.
  async keep() {
    if (this.text.value !== this.stored) await this.save();
    if (this.text.value === this.stored) await save_to_fixtures({collection: this.collection, key: this.key}, `Save ${this.key} to the fixtures`);
  },

  async restore() {
    const {collection, key} = this;
    const undo = await this.undo_of(collection, key);
    await this.change('POST', `${record_path(collection, key)}/reset`, 'The record is as in the fixtures');
    drafts.set(this.place(key), undefined);
    this.warned = null;
    this.offer_undo(`The record ${key} is as in the fixtures.`, undo);
    await this.open_record();
  },

  async remove() {
    const {collection, key} = this;
    const undo = await this.undo_of(collection, key);
    await this.change('DELETE', record_path(collection, key), `Deleted: ${key}`);
    drafts.set(this.place(key), undefined);
    this.offer_undo(`The record ${key} of ${collection} was deleted.`, undo);
    replace_route(address(['records', collection]));
  },

  // A function that makes the record what it is now: as in the fixtures, or with this text.
  async undo_of(collection, key) {
    const {session} = app;
    // Not the list that is shown: it may be older than the record.
    const {records} = await call('GET', `/_mock/records/${encodeURIComponent(collection)}`, {session});
    const is_changed = records.find((line) => line.key === key)?.changed ?? true;
    const body = await call_text('GET', record_path(collection, key), {session});
    return async () => {
      if (is_changed) await call_text('PUT', record_path(collection, key), {session, body});
      else await call_text('POST', `${record_path(collection, key)}/reset`, {session});
      unnotice('undo');
      say(`Undone: ${key}`);
      if (session !== app.session) return;
      if (app.view === this) await this.draw();
      open_route(address(['records', collection, key]));
    };
  },

  offer_undo(words, undo) {
    notice('undo', words, 'idle', [button('Undo', undo)]);
  },

  // Records were changed by others. What was typed stays.
  async changed(what) {
    if (!what.includes('records') && !what.includes('session') && !what.includes('asked')) return;
    await this.draw();
    if (!this.text?.isConnected || this.is_new) return;
    const now = await call_text('GET', record_path(this.collection, this.key), {session: app.session}).catch(() => null);
    if (now === null || indent_json(now) === this.stored) return;
    if (this.text.value === this.stored) {
      this.warned = null;
      this.edit(this.key, indent_json(now));
    } else this.meanwhile.textContent = CHANGED_MEANWHILE;
  },

  key_down(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === 's' && this.text?.isConnected && is_live) {
      event.preventDefault();
      this.save();
    }
  },

  key(event) {
    if (event.key !== '/') return false;
    this.search.focus();
    return true;
  }
};
