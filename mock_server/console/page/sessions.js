// Sessions: switch, fork, reset, delete; snapshots of the one that is shown.

const MAX_SHOWN_SESSIONS = 200;
const SESSION_NAME = '[A-Za-z0-9._\\-]{1,64}';

const sessions_view = {
  title: 'Sessions',

  open(main) {
    this.search = kept('search of sessions', make('input', {type: 'search', placeholder: 'Name', oninput: () => this.draw(), 'aria-keyshortcuts': '/'}));
    this.rows = make('tbody', {});
    this.note = make('p', {class: 'soft'});
    this.current = make('section', {'aria-label': 'The session that is shown'});
    main.append(make('h2', {id: 'view-title', tabindex: '-1'}, 'Sessions'), this.current,
      make('h3', {}, 'All sessions'), make('div', {class: 'filters'}, field('Search', this.search), this.bulk = make('span', {})),
      make('div', {class: 'table'}, make('table', {},
        make('thead', {}, make('tr', {}, ['Session', 'Changes', 'Requests', 'Last used', 'Actions'].map((words) => make('th', {scope: 'col'}, words)))), this.rows)), this.note);
  },

  async go() {
    const {sessions, limits} = await call('GET', '/_mock/sessions');
    this.sessions = sessions;
    this.limits = limits;
    show_sessions(sessions);
    this.draw();
    await this.draw_current();
  },

  draw() {
    if (!this.sessions) return;  // they are on their way
    const wanted = this.search.value.trim().toLowerCase().replace(/\*$/, '');
    const found = this.sessions.filter(({name}) => (name || 'default').toLowerCase().includes(wanted));
    redraw(this.rows, found.slice(0, MAX_SHOWN_SESSIONS).map((session) => this.row(session)));
    this.offer_bulk(wanted, found.filter(({name}) => name !== ''));
    const more = found.length - MAX_SHOWN_SESSIONS;
    this.note.textContent = `${more > 0 ? `And ${many(more, 'more session')}. ` : ''}A session without a request for ${many(this.limits.idle_seconds, 'second')} is deleted.`;
  },

  // All that begin with the text of the search, at once: "test-" of a run that ended.
  offer_bulk(wanted, found) {
    const start = wanted;
    const all = start ? this.sessions.filter(({name}) => name.toLowerCase().startsWith(start)) : [];
    redraw_live(this.bulk, all.length && found.length ? [button(`Delete all ${start}* (${all.length})`, () => this.remove_all(start, all), {class: 'danger'})] : []);
  },

  async remove_all(start, all) {
    if (!(await confirmed(`Delete ${many(all.length, 'session')} that begin with ${start}?`, 'Their records, requests and snapshots are lost.', 'Delete'))) return;
    if (all.some(({name}) => name === app.session)) open_route(address(['sessions'], {}, ''));
    for (const {name} of all) await call('DELETE', `/_mock/sessions/${encodeURIComponent(name)}`);
    say(`Deleted: ${many(all.length, 'session')}`);
    await this.go();
  },

  row({name, changes, requests, last_used}) {
    const shown = name || 'default';
    return make('tr', {},
      make('th', {scope: 'row'}, make('a', {href: address(['requests'], {}, name), 'aria-current': name === app.session ? 'true' : null}, shown)),
      make('td', {}, String(changes)), make('td', {}, String(requests.kept)), make('td', {}, last_used ? ago(last_used) : ''),
      make('td', {},
        button('Reset', () => this.reset(name), {'aria-label': `Reset ${shown}`}), ' ',
        name ? button('Delete', () => this.remove(name), {'aria-label': `Delete ${shown}`, class: 'danger'}) : null));
  },

  async act(method, path, words, options = {}) {
    await call(method, path, options);
    unnotice('problem');
    say(words);
    await this.go();
    restart_feed();
  },

  // What the session holds, in words, for a question before it is lost.
  holdings(name) {
    const {changes, requests} = this.sessions.find((session) => session.name === name) ?? {changes: 0, requests: {kept: 0}};
    return `${many(changes, 'change')} of records and ${many(requests.kept, 'request')} of the journal`;
  },

  async reset(name) {
    const shown = name || 'default';
    if (!(await confirmed(`Reset the session ${shown}?`, `${this.holdings(name)} are lost, and what is set of its clock, scenarios and faults.`, 'Reset'))) return;
    await this.act('POST', '/_mock/reset', `${shown} was reset`, {session: name});
  },

  async remove(name) {
    if (!(await confirmed(`Delete the session ${name}?`, `${this.holdings(name)} are lost, and its snapshots.`, 'Delete'))) return;
    if (name === app.session) open_route(address(['sessions'], {}, ''));
    await this.act('DELETE', `/_mock/sessions/${encodeURIComponent(name)}`, `Deleted: ${name}`);
  },

  async restore_snapshot(name, session) {
    if (!(await confirmed(`Restore the snapshot ${name}?`, 'Changes of the session since then are lost.', 'Restore'))) return;
    await this.act('POST', `/_mock/snapshots/${encodeURIComponent(name)}/restore`, `Restored: ${name}`, {session});
  },

  async remove_snapshot(name, session) {
    if (!(await confirmed(`Delete the snapshot ${name}?`, 'It cannot be restored then.', 'Delete'))) return;
    await this.act('DELETE', `/_mock/snapshots/${encodeURIComponent(name)}`, `Deleted: ${name}`, {session});
  },

  form(label, words, act) {
    const place = `session ${label}`;
    const input = kept(place, make('input', {required: true, pattern: SESSION_NAME, maxlength: '64', size: '16', spellcheck: 'false', title: 'Letters, digits, ".", "_" and "-"'}));
    return make('form', {class: 'actions', onsubmit: (event) => {
      event.preventDefault();
      const name = input.value;
      clear_kept(place, input);
      act(name).catch(show_problem);
    }}, field(label, input), make('button', {}, words));
  },

  async draw_current() {
    if (app.session === '*') return this.current.replaceChildren();
    const {session} = app;
    const {snapshots} = await call('GET', '/_mock/snapshots', {session});
    const shown = JSON.stringify([session, snapshots]);
    if (this.current.dataset.shown === shown) return undefined;  // what is typed stays
    this.current.dataset.shown = shown;
    this.current.replaceChildren(
      make('h3', {}, `Session: ${session || 'default'}`),
      make('p', {class: 'soft'}, 'Your application is in it with ', session ? code(`X-Counterpart-Session: ${session}`) : 'no header', session ? [', or the address ', code(`${location.origin}/_s/${session}`)] : null),
      make('p', {class: 'actions'}, button('Reset', () => this.reset(session)),
        button('Save its changes to fixtures', () => save_to_fixtures({}, 'Save all that the session changed to the fixtures'))),
      make('div', {class: 'forms'}, this.form('Open or create', 'Open', async (name) => {
        open_route(address(['requests'], {}, name));
      }),
      this.form('Fork as', 'Fork', async (name) => {
        await this.act('POST', '/_mock/sessions', `Created: ${name}`, {value: {name, ...(session ? {from: session} : {})}, session});
        open_route(address(['sessions'], {}, name));
      }),
      this.form('Save session as scenario', 'Save', (name) => save_to_fixtures({as_scenario: name}, `Save what is armed as the scenario ${name}`)),
      this.form('Snapshot', 'Take', (name) => this.act('PUT', `/_mock/snapshots/${encodeURIComponent(name)}`, `Taken: ${name}`, {session}))),
      snapshots.length ? make('ul', {class: 'cards', role: 'list', 'aria-label': 'Snapshots'}, snapshots.map((name) => make('li', {class: 'card'}, make('div', {class: 'card-head'},
        make('strong', {}, name),
        button('Restore', () => this.restore_snapshot(name, session), {'aria-label': `Restore ${name}`}),
        button('Delete', () => this.remove_snapshot(name, session), {'aria-label': `Delete snapshot ${name}`}))))) : make('p', {class: 'soft'}, 'No snapshots.'));
    return undefined;
  },

  async changed(what) {
    if (['session', 'snapshots', 'asked'].some((one) => what.includes(one))) await this.go();
  },

  key(event) {
    if (event.key !== '/') return false;
    this.search.focus();
    return true;
  }
};

// In the place of a view that needs one session, while all are shown: the same view of each.
const choice_view = {
  of_one_session: true,

  open(main) {
    this.title = make('h2', {id: 'view-title', tabindex: '-1'});
    this.list = make('ul', {class: 'plain-list', role: 'list', 'aria-label': 'Sessions'});
    main.append(this.title, make('p', {}, 'Choose a session: what is here belongs to one.'), this.list);
  },

  async go(route) {
    this.title.textContent = VIEWS[route.view].title;
    const {sessions} = await call('GET', '/_mock/sessions');
    const names = ['', ...sessions.map(({name}) => name).filter((name) => name !== '').slice(-MAX_SHOWN_SESSIONS)];
    redraw(this.list, names.map((name) => make('li', {},
      make('a', {class: 'row', href: address([route.view, ...route.parts], {}, name)}, name || 'default'))));
  }
};

// The choice of session in the header; with very many, the newest.
function show_sessions(sessions) {
  const chosen = by_id('session');
  const names = sessions.map(({name}) => name).filter((name) => name !== '').slice(-MAX_SHOWN_SESSIONS);
  if (app.session && app.session !== '*' && !names.includes(app.session)) names.push(app.session);
  const options = [['', 'default'], ...names.map((name) => [name, name]), ['*', 'All sessions']];
  if (document.activeElement === chosen) return;
  chosen.replaceChildren(...options.map(([value, words]) => make('option', {value, selected: value === app.session}, words)));
}
