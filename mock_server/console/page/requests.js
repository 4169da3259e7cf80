// The view of the journal: filters, the list, and beside it one request.

const requests_view = {
  title: 'Requests',

  open(main) {
    this.rows = new Rows('Requests', (entry) => this.row(entry));
    this.count = make('p', {class: 'count soft'});
    this.more = make('span', {});
    this.detail = make('section', {class: 'detail', 'aria-label': 'One request', tabindex: '-1'});
    const list = make('section', {class: 'list', 'aria-labelledby': 'view-title'},
      make('h2', {id: 'view-title', tabindex: '-1'}, 'Requests'),
      this.filter_bar(), make('div', {class: 'under'}, this.count, this.more), this.rows.element);
    main.classList.add('split');
    main.append(list, this.detail);
    this.filters = {};
    this.shown_id = null;
    this.newest_id = null;
  },

  close() {
    this.rows.watcher.disconnect();
  },

  filter_bar() {
    const operations = app.operations.map(({id, method, path}) => [id, `${method} ${path}`]);
    const set = () => replace_route(address(this.path(), this.read_filters()));
    this.inputs = {
      operation: select([['', 'Any'], ...operations, ['-', 'No operation']], '', {onchange: set}),
      status: make('input', {placeholder: '404, 4XX', size: '8', list: 'statuses', oninput: set, maxlength: '3', spellcheck: 'false'}),
      violations: select([['', 'Any'], ['yes', 'With violations'], ['request', 'In the request'], ['response', 'In the response'], ['no', 'Without violations']], '', {onchange: set}),
      bodies: select([['', 'Paths'], ['1', 'Bodies, too']], '', {onchange: set}),
      text: make('input', {type: 'search', placeholder: 'Path, operation, rule or record', oninput: set, 'aria-keyshortcuts': '/'})
    };
    return make('form', {class: 'filters', role: 'search', 'aria-label': 'Filter requests', onsubmit: (event) => event.preventDefault()},
      field('Search', this.inputs.text), field('Operation', this.inputs.operation),
      is_live ? field('Look in', this.inputs.bodies) : null, field('Status', this.inputs.status), field('Violations', this.inputs.violations),
      make('datalist', {id: 'statuses'}, ['2XX', '4XX', '5XX', '401', '404', '422', '429', '500'].map((value) => make('option', {value}))));
  },

  read_filters() {
    return Object.fromEntries(FILTERS.map((name) => [name, this.inputs[name].value.trim()]));
  },

  path() {
    return this.shown_id === null ? ['requests'] : ['requests', String(this.shown_id)];
  },

  go(route) {
    const filters = filters_of(route.query);
    for (const name of FILTERS) {
      if (this.inputs[name].value.trim() !== filters[name]) this.inputs[name].value = filters[name];
    }
    this.inputs.status.setAttribute('aria-invalid', String(filters.status !== '' && !STATUS_FILTER.test(filters.status)));
    const id = /^[0-9]+$/.test(route.parts[0] ?? '') ? Number(route.parts[0]) : null;
    const is_filtered_anew = JSON.stringify(filters) !== JSON.stringify(this.filters);
    this.filters = filters;
    by_id('main').classList.toggle('one', id !== null);
    if (id !== this.shown_id) this.select(id);
    if (is_filtered_anew || !this.found) this.draw();
    if (is_filtered_anew) this.search_bodies();
    if (is_filtered_anew && id === null) this.show_newest();
    const had_focus = this.rows.element.contains(document.activeElement);
    this.rows.refresh();
    if (had_focus) this.focus_row();
  },

  focus_row() {
    this.rows.shown.get(this.shown_id)?.querySelector('a').focus({preventScroll: true});
  },

  select(id) {
    this.shown_id = id;
    this.rows.show(id);
    if (id === null) this.show_newest();
    else show_exchange(this.detail, id);
  },

  // Where none is chosen the newest is shown, and follows; not where there is no place for it.
  show_newest() {
    const newest = (this.found ?? journal.all.filter((entry) => this.matches(entry))).at(-1)?.id ?? null;
    const has_place = this.detail.offsetParent !== null;
    this.newest_id = has_place ? newest : null;
    if (newest !== null && this.detail.dataset.found === String(newest) && this.detail.querySelector('.newest')) return;
    if (newest === null || has_place) show_exchange(this.detail, newest, true);
  },

  show_newest_soon() {
    this.asked_newest ??= setTimeout(() => {
      this.asked_newest = null;
      if (app.view === this && this.shown_id === null) this.show_newest();
    }, 300);
  },

  matches(entry) {
    return passes(entry, this.filters) || (this.hits?.has(entry.id) === true && passes(entry, {...this.filters, text: ''}));
  },

  // The mock has the bodies: those of the session are read once somebody searches in them, and again when more came.
  search_bodies() {
    clearTimeout(this.searching);
    const {bodies, text} = this.filters;
    if (!bodies || !text || !is_live || app.session === '*') {
      this.hits = null;
      return;
    }
    this.searching = setTimeout(async () => {
      const lines = (await call_text('GET', '/_mock/requests/export?format=jsonl', {session: app.session}).catch(() => '')).split('\n').filter(Boolean);
      if (app.view !== this || this.filters.text !== text) return;
      const has = (message) => (message.body ?? '').toLowerCase().includes(text.toLowerCase());
      this.hits = new Set(lines.map((line) => JSON.parse(line)).filter(({request, response}) => has(request) || has(response)).map(({id}) => id));
      this.draw();
    }, 300);
  },

  draw(grown = 0) {
    this.found = journal.all.filter((entry) => this.matches(entry));
    this.rows.set(this.found, grown);
    this.say_count();
  },

  say_count() {
    const {all, window, lost} = journal;
    const of = this.found.length === all.length ? '' : ` of ${all.length.toLocaleString('en')}`;
    const gone = lost + (window?.lost ?? 0);
    this.count.textContent = `${this.found.length.toLocaleString('en')}${of} ${all.length === 1 ? 'request' : 'requests'}` +
      (gone ? `, ${gone.toLocaleString('en')} older ones dropped` : '');
    const missing = window && is_live ? Math.min(window.matched, MAX_ENTRIES) - window.loaded : 0;
    const empty = all.length === 0 && is_live;
    this.more.replaceChildren(
      missing > 0 ? button(`Load all ${window.matched.toLocaleString('en')}`, () => restart_feed(MAX_ENTRIES), {class: 'plain'}) : '',
      empty ? soft('Send one: ', code(`curl ${location.origin}${this.example_path()}`)) : '',
      all.length && is_live && app.session !== '*' ? button('Clear', () => this.clear(), {class: 'plain', title: 'Delete these entries of the journal'}) : '');
  },

  example_path() {
    const prefix = app.session && app.session !== '*' ? `/_s/${app.session}` : '';
    return prefix + (app.index?.operations?.find(({method}) => method === 'GET')?.url ?? app.operations[0]?.path ?? '/');
  },

  async clear() {
    if (!(await confirmed('Clear the journal of the session?', 'What was called is forgotten, also for verifications.', 'Clear'))) return;
    await call('DELETE', '/_mock/requests', {session: app.session});
    journal.clear();
    this.draw();
    say('The journal is empty');
  },

  // New entries came, or the journal was loaded.
  entries(fresh) {
    const passing = fresh.filter((entry) => this.matches(entry));
    this.search_bodies();
    this.draw(passing.length);
    if (this.shown_id === null && passing.length) this.show_newest_soon();
    if (this.shown_id !== null && !this.detail.dataset.found) show_exchange(this.detail, this.shown_id);
  },

  // After a restart other requests have the same ids.
  loaded() {
    this.draw();
    this.rows.refresh();
    if (this.shown_id === null) this.show_newest();
    else {
      this.rows.show(this.shown_id);
      if (!this.detail.dataset.found) show_exchange(this.detail, this.shown_id);
    }
  },

  row(entry) {
    const wrong = count_of(entry.request_violations) + count_of(entry.response_violations);
    return make('li', {},
      make('a', {class: 'row', href: address(['requests', String(entry.id)], this.filters), 'aria-current': entry.id === this.shown_id ? 'true' : null},
        ago(entry.time),
        status_chip(entry.status),
        method_of(entry.method),
        make('span', {class: 'target', title: entry.target}, entry.target),
        make('span', {class: 'marks'},
          app.session === '*' || (!is_live && entry.session) ? chip(entry.session || 'default', 'idle') : null,
          entry.fault ? chip(entry.fault, 'bad') : null,
          entry.operation === null ? chip('no operation', 'unsure') : null,
          wrong ? chip(many(wrong, 'violation'), 'bad') : null)));
  },

  // j and k: the next older and the next newer one.
  move(step) {
    const found = this.found ?? [];
    const from = this.shown_id ?? this.newest_id;
    const at = found.findIndex(({id}) => id === from);
    const next = at < 0 ? found.length - 1 : Math.min(found.length - 1, Math.max(0, at - step));
    if (!found[next]) return;
    replace_route(address(['requests', String(found[next].id)], this.filters));
    this.focus_row();
  },

  key(event) {
    if (event.key === 'j' || event.key === 'ArrowDown') this.move(1);
    else if (event.key === 'k' || event.key === 'ArrowUp') this.move(-1);
    else if (event.key === '/') this.inputs.text.focus();
    else if (event.key === 'Escape' && this.shown_id !== null) replace_route(address(['requests'], this.filters));
    else return false;
    return true;
  },

  escape_field(input) {
    if (input.value === '') return;
    input.value = '';
    replace_route(address(this.path(), this.read_filters()));
  }
};
