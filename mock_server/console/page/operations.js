// The operations of the contract by tag, and of one of them: what chooses its responses, what the next response shall
// be, and a form that sends it.

const FOLD_ABOVE = 30;
const USUAL_STATUSES = ['200', '400', '401', '403', '404', '409', '422', '429', '500', '502', '503', '504'];

const operations_view = {
  title: 'Operations',

  open(main) {
    main.classList.add('split');
    this.search = kept('search of operations', make('input', {type: 'search', placeholder: 'Method, path, tag or id', oninput: () => this.draw(), 'aria-keyshortcuts': '/'}));
    this.list = make('div', {class: 'scroller', role: 'group', 'aria-label': 'Operations'});
    this.count = make('p', {class: 'count soft'});
    this.detail = make('section', {class: 'detail', 'aria-label': 'One operation', tabindex: '-1'});
    this.next = new Map();
    this.closed = new Map();
    this.shown = null;
    this.holder = null;
    main.append(make('section', {class: 'list', 'aria-labelledby': 'view-title'}, make('h2', {id: 'view-title', tabindex: '-1'}, 'Operations'),
      make('div', {class: 'filters'}, field('Search', this.search)), make('div', {class: 'under'}, this.count), this.list), this.detail);
  },

  async go(route) {
    const [id] = route.parts;
    by_id('main').classList.toggle('one', id !== undefined);
    await contract.load().catch(() => null);
    await this.load();
    this.id = id;
    this.draw();
    if (this.shown !== id || !this.detail.firstChild) this.show_one();
    this.list.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
  },

  async load() {
    const asked = this.asked = {};
    const {scenarios} = is_live && app.session !== '*' ? await call('GET', '/_mock/scenarios', {session: app.session}) : {scenarios: []};
    if (this.asked !== asked) return;  // a later question has the newer response
    this.next = new Map(scenarios.filter(({name, armed, over, rules}) => armed && name.startsWith('next_') && !(over ?? rules.every(({step}) => step === null)))
      .map((scenario) => [scenario.rules[0]?.operations[0], scenario]));
  },

  // Those that the search finds, by tag.
  groups() {
    const words = this.search.value.trim().toLowerCase().split(/\s+/);
    const groups = new Map();
    for (const operation of app.operations) {
      const tag = contract.tags(operation);
      const {id, method, path, summary} = operation;
      const text = `${id} ${method} ${path} ${summary} ${tag}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      groups.set(tag, [...(groups.get(tag) ?? []), operation]);
    }
    return groups;
  },

  draw() {
    const groups = this.groups();
    const found = [...groups.values()].reduce((sum, all) => sum + all.length, 0);
    const is_searched = this.search.value.trim() !== '';
    const folded = app.operations.length > FOLD_ABOVE && !is_searched;
    this.count.textContent = is_searched ? `${found} of ${many(app.operations.length, 'operation')}` : many(found, 'operation');
    const list = (operations) => make('ul', {class: 'plain-list', role: 'list'}, operations.map((operation) => this.row(operation)));
    redraw(this.list, groups.size === 1 && [...groups.keys()][0] === '' ? list([...groups.values()][0]) : [...groups].map(([tag, operations]) => this.group(tag, operations, list, folded)));
    this.watch_groups();
    this.show_armed();
  },

  group(tag, operations, list, folded) {
    const has_shown = operations.some(({id}) => id === this.id);
    const is_open = this.search.value.trim() !== '' || has_shown || !(this.closed.get(tag) ?? folded);
    return make('details', {class: 'group', open: is_open, 'data-tag': tag},
      make('summary', {}, tag || 'Others', ' ', soft(String(operations.length))), list(operations));
  },

  watch_groups() {
    for (const group of this.list.querySelectorAll('details')) group.ontoggle = () => this.closed.set(group.dataset.tag, !group.open);
  },

  row(operation) {
    const {id, method, path, summary} = operation;
    const next = this.next.get(id)?.description;
    return make('li', {'data-operation': id}, make('a', {class: 'row operation', href: address(['operations', id]), 'aria-current': id === this.id ? 'true' : null, title: summary},
      method_of(method), make('span', {class: 'target'}, path), make('span', {class: 'marks'}, next ? chip(next, 'unsure') : null, operation.needs_credentials ? lock() : null)));
  },

  show_one() {
    const {id} = this;
    this.shown = id;
    const operation = app.operations.find((one) => one.id === id);
    if (id === undefined) return this.detail.replaceChildren(make('p', {class: 'empty soft'}, 'Choose an operation to try it, or to choose its next response.'), make('p', {class: 'soft'}, this.token_words()));
    if (!operation) return this.detail.replaceChildren(this.back(), make('p', {class: 'empty'}, `The contract has no operation ${id}.`));
    const {method, path, summary, played, rate_limit: limit} = operation;
    this.detail.scrollTop = 0;
    return this.detail.replaceChildren(...[this.back(),
      make('h2', {class: 'request-line'}, method_of(method), ' ', code(path), ' ', operation.needs_credentials ? lock() : null), summary ? make('p', {}, summary) : null,
      facts([
        ['Address', this.address_of(operation)],
        ['Contract', [place_text(operation), ' ', soft(id)]],
        ['Responses', [played.behaviour ?? played.by, ' ', played.collection && app.collections.includes(played.collection) ? ['of ', link(['records', played.collection], played.collection), ' '] : null, soft(place_text(played))]],
        ['Rate limit', limit && this.limit_words(limit)],
        ['Journal', link(['requests'], 'Its requests', {operation: id})]
      ]),
      is_live && app.session !== '*' ? this.next_form(operation) : null,
      !is_live ? null : app.session === '*' ? make('p', {class: 'soft'}, 'Choose a session to try it.') : contract.document ? new TryForm(operation).view() : make('p', {class: 'soft'}, 'The contract could not be read, so there is no form.')].flat().filter(Boolean));
  },

  // A path that works at once; a link to it where a browser can follow one.
  address_of({id, method, path}) {
    const known = app.index?.operations?.find((one) => one.id === id && one.method === method && one.path === path)?.url;
    if (!known) return null;
    const url = (app.session && app.session !== '*' ? `/_s/${app.session}` : '') + known.replace(/^\/_s\/[^/]+/, '');
    return method === 'GET' ? make('a', {href: url, target: '_blank', rel: 'noreferrer'}, url) : code(url);
  },

  back() {
    return make('a', {class: 'back', href: address(['operations'])}, '\u2190 All operations');
  },

  token_words() {
    const tokens = app.index?.tokens;
    return !tokens ? '' : tokens === 'any' ? 'Any credentials are accepted.' : `Credentials that are accepted: ${tokens.join(', ')}`;
  },

  // What is armed for the operation that is shown; what is typed meanwhile stays.
  show_armed() {
    const {operation: {id, method, path} = {}, holder} = this.holder ?? {};
    if (!holder) return;
    const armed = this.next.get(id);
    const words = armed?.description ?? '';
    if (holder.dataset.shown === words) return;
    holder.dataset.shown = words;
    holder.replaceChildren(...(armed ? [chip(words, 'unsure'), ' ', button('Take back', () => this.disarm(armed.name), {'aria-label': `Take back the next response of ${method} ${path}`})] : []));
  },

  limit_words: ({requests, seconds, burst}) => `${many(requests, 'request')} in ${many(seconds, 'second')}${burst ? `, ${burst} at once` : ''}`,

  next_form(operation) {
    const {id, method, path, responses} = operation;
    const statuses = [...new Set([...responses.map(({status}) => status).filter((status) => /^[2-5][0-9]{2}$/.test(status)), ...USUAL_STATUSES])].sort();
    const status = kept(`next response of ${id}`, make('input', {list: `next-${id}`, size: '5', required: true, pattern: '[2-5][0-9]{2}', value: '429', title: 'A status, 200 to 599', 'aria-label': `Next response of ${method} ${path}`}));
    const holder = make('span', {});
    this.holder = {operation, holder};
    queueMicrotask(() => this.show_armed());
    return make('form', {class: 'actions', onsubmit: (event) => {
      event.preventDefault();
      this.arm(id, Number(status.value)).catch(show_problem);
    }},
      make('span', {class: 'soft'}, 'Next response'), status, make('datalist', {id: `next-${id}`}, statuses.map((value) => make('option', {value}))),
      make('button', {}, 'Arm'), holder);
  },

  async arm_once(id, status) {
    const value = {description: `The next response is ${status}.`, rules: [{operations: [id], times: 1, force: {status}}]};
    await call('PUT', `/_mock/scenarios/${encodeURIComponent(this.name_of(id))}`, {value, session: app.session});
  },

  async arm(id, status) {
    await this.arm_once(id, status);
    unnotice('problem');
    say(`The next response of ${id} is ${status}`);
    await this.load();
    this.draw();
  },

  // A name of a scenario has 64 characters of a few kinds.
  name_of: (id) => `next_${id.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 59)}`,

  async disarm(name) {
    await call('DELETE', `/_mock/scenarios/${encodeURIComponent(name)}`, {session: app.session});
    say('Taken back');
    await this.load();
    this.draw();
  },

  async changed(what) {
    if (!['scenarios', 'session', 'asked'].some((one) => what.includes(one))) return;
    await this.load();
    this.draw();
  },

  key(event) {
    if (event.key !== '/') return false;
    this.search.focus();
    return true;
  }
};
