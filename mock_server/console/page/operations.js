// The operations of the contract: an address to try, what chooses their responses, and what the next
// response shall be.

const MAX_SHOWN_OPERATIONS = 200;
const USUAL_STATUSES = ['200', '400', '401', '403', '404', '409', '422', '429', '500', '502', '503', '504'];

const operations_view = {
  title: 'Operations',

  open(main) {
    this.search = kept('search of operations', make('input', {type: 'search', placeholder: 'Method, path or id', oninput: () => this.draw(), 'aria-keyshortcuts': '/'}));
    this.list = make('ul', {class: 'cards', role: 'list', 'aria-label': 'Operations'});
    this.tokens = make('p', {class: 'soft'});
    this.next = new Map();
    main.append(make('h2', {id: 'view-title', tabindex: '-1'}, 'Operations'), this.tokens, make('div', {class: 'filters'}, field('Search', this.search)), this.list);
  },

  async go(route) {
    const [id] = route.parts;
    if (id !== this.id && id !== undefined) this.search.value = id;
    this.id = id;
    const tokens = app.index?.tokens;
    this.tokens.textContent = !tokens ? '' : tokens === 'any' ? 'Any credentials are accepted.' : `Credentials that are accepted: ${tokens.join(', ')}`;
    await this.load();
    this.draw();
  },

  async load() {
    const asked = this.asked = {};
    const {scenarios} = is_live && app.session !== '*' ? await call('GET', '/_mock/scenarios', {session: app.session}) : {scenarios: []};
    if (this.asked !== asked) return;  // a later question has the newer response
    this.next = new Map(scenarios.filter(({name, armed, over, rules}) => armed && name.startsWith('next_') && !(over ?? rules.every(({step}) => step === null)))
      .map((scenario) => [scenario.rules[0]?.operations[0], scenario]));
  },

  draw() {
    const wanted = this.search.value.trim().toLowerCase();
    this.armed = [];
    const found = app.operations.filter(({id, method, path, summary}) => `${id} ${method} ${path} ${summary}`.toLowerCase().includes(wanted));
    const cards = found.slice(0, MAX_SHOWN_OPERATIONS).map((operation) => this.card(operation));
    const more = found.length - cards.length;
    this.list.replaceChildren(...cards, ...(more > 0 ? [make('li', {class: 'soft'}, `and ${many(more, 'more operation')}; search for them`)] : []));
    this.show_armed();
  },

  // What is armed, within the cards that are there: what is typed or pressed meanwhile stays.
  show_armed() {
    for (const {operation: {id, method, path}, holder} of this.armed) {
      const armed = this.next.get(id);
      const words = armed?.description ?? '';
      if (holder.dataset.shown === words) continue;
      holder.dataset.shown = words;
      holder.replaceChildren(...(armed ? [chip(words, 'unsure'), ' ', button('Take back', () => this.disarm(armed.name), {'aria-label': `Take back the next response of ${method} ${path}`})] : []));
    }
  },

  card(operation) {
    const {id, method, path, summary, played} = operation;
    const known = app.index?.operations?.find((one) => one.id === id && one.method === method);
    const prefix = app.session && app.session !== '*' ? `/_s/${app.session}` : '';
    const url = known?.url ? prefix + known.url : null;
    return make('li', {class: 'card', 'data-operation': id},
      make('div', {class: 'card-head'}, make('strong', {}, make('span', {class: 'method'}, method), ' ', code(path)), soft(summary), operation.needs_credentials ? chip('needs credentials', 'idle') : null),
      facts([
        ['Address', url && (method === 'GET' ? make('a', {href: url, target: '_blank', rel: 'noreferrer'}, url) : code(url))],
        ['Contract', [place_text(operation), ' ', soft(id)]],
        ['Responses', [played.behaviour ?? played.by, ' ', soft(played.collection ? `of ${played.collection} ` : '', place_text(played))]],
        ['Rate limit', operation.rate_limit && this.limit_words(operation.rate_limit)]
      ]),
      make('p', {class: 'actions'}, link(['requests'], 'Its requests', {operation: id}), url ? button('Copy as curl', () => copy(this.curl(operation, url), 'curl')) : null),
      is_live && app.session !== '*' ? this.next_form(operation) : null);
  },

  curl({method, needs_credentials: needs}, url) {
    const note = ['POST', 'PUT', 'PATCH'].includes(method) ? '# for an operation with a body, add it: --json \'{...}\'\n' : '';
    const secret = needs ? ` -H ${in_shell(`Authorization: Bearer ${accepted_token() ?? 'token'}`)}` : '';
    const chosen = method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `;
    return `${note}curl -i ${chosen}${in_shell(location.origin + url)}${secret}`;
  },

  limit_words: ({requests, seconds, burst}) => `${many(requests, 'request')} in ${many(seconds, 'second')}${burst ? `, ${burst} at once` : ''}`,

  next_form(operation) {
    const {id, method, path, responses} = operation;
    const statuses = [...new Set([...responses.map(({status}) => status).filter((status) => /^[2-5][0-9]{2}$/.test(status)), ...USUAL_STATUSES])].sort();
    const status = kept(`next response of ${id}`, make('input', {list: `next-${id}`, size: '5', required: true, pattern: '[2-5][0-9]{2}', value: '429', title: 'A status, 200 to 599', 'aria-label': `Next response of ${method} ${path}`}));
    const holder = make('span', {});
    this.armed.push({operation, holder});
    return make('form', {class: 'actions', onsubmit: (event) => {
      event.preventDefault();
      this.arm(id, Number(status.value)).catch(show_problem);
    }},
      make('span', {class: 'soft'}, 'Next response'), status, make('datalist', {id: `next-${id}`}, statuses.map((value) => make('option', {value}))),
      make('button', {}, 'Arm'), holder);
  },

  async arm(id, status) {
    const value = {description: `The next response is ${status}.`, rules: [{operations: [id], times: 1, force: {status}}]};
    await call('PUT', `/_mock/scenarios/${encodeURIComponent(this.name_of(id))}`, {value, session: app.session});
    unnotice('problem');
    say(`The next response of ${id} is ${status}`);
    await this.load();
    this.show_armed();
  },

  // A name of a scenario has 64 characters of a few kinds.
  name_of: (id) => `next_${id.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 59)}`,

  async disarm(name) {
    await call('DELETE', `/_mock/scenarios/${encodeURIComponent(name)}`, {session: app.session});
    say('Taken back');
    await this.load();
    this.show_armed();
  },

  async changed(what) {
    if (!['scenarios', 'session', 'asked'].some((one) => what.includes(one))) return;
    await this.load();
    this.show_armed();
  },

  key(event) {
    if (event.key !== '/') return false;
    this.search.focus();
    return true;
  }
};
