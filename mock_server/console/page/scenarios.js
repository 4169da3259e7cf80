// Scenarios and faults as switches. With all sessions shown a scenario is switched for all of them, and for
// those made later.

const scenarios_view = {
  title: 'Scenarios',

  open(main) {
    this.order = null;
    this.search = kept('search of scenarios', make('input', {type: 'search', placeholder: 'Name or description', oninput: () => this.draw(), 'aria-keyshortcuts': '/'}));
    this.list = make('ul', {class: 'cards', role: 'list', 'aria-label': 'Scenarios'});
    this.faults = make('div', {});
    main.append(make('h2', {id: 'view-title', tabindex: '-1'}, 'Scenarios and faults'),
      make('div', {class: 'filters'}, field('Search', this.search),
        is_live ? button('Disarm all', () => this.act('DELETE', this.path(), 'No scenario is armed')) : null),
      this.list, this.rule_form(), is_live ? make('section', {'aria-labelledby': 'faults-title'}, make('h3', {id: 'faults-title'}, 'Faults'), this.faults) : '');
  },

  async go() {
    const {scenarios} = await call('GET', '/_mock/scenarios', {session: this.session()});
    this.scenarios = this.is_for_all() ? scenarios.filter(({own}) => !own) : scenarios;
    this.draw();
    if (!is_live) return;
    if (this.is_for_all()) this.faults.replaceChildren(make('p', {class: 'soft'}, 'Choose a session: faults belong to one.'));
    else this.draw_faults(await call('GET', '/_mock/faults', {session: app.session}));
  },

  // A scenario of one rule, from fields.
  rule_form() {
    if (!is_live) return '';
    const name = kept('rule name', make('input', {required: true, pattern: SESSION_NAME, maxlength: '64', size: '14', spellcheck: 'false', placeholder: 'slow_customers'}));
    const operation = kept('rule operation', select([['', 'Every operation'], ...app.operations.map(({id, method, path}) => [id, `${method} ${path}`])], ''));
    const place = kept('rule place', make('input', {size: '16', spellcheck: 'false', placeholder: '/query/page_size'}));
    const value = kept('rule value', make('input', {size: '10', spellcheck: 'false', placeholder: '500'}));
    const status = kept('rule status', make('input', {required: true, pattern: '[2-5][0-9]{2}', size: '4', value: '503', title: 'A status, 200 to 599'}));
    const times = kept('rule times', make('input', {type: 'number', min: '1', max: '1000000', size: '4', placeholder: 'always'}));
    const rule = () => ({...(operation.value ? {operations: [operation.value]} : {}), ...(place.value ? {when: [value.value === '' ? {at: place.value, exists: true} : {at: place.value, equals: is_json(value.value) ? JSON.parse(value.value) : value.value}]} : {}),
                         steps: [{...(times.value ? {times: Number(times.value)} : {}), force: {status: Number(status.value)}}]});
    return make('section', {'aria-labelledby': 'rule-title'}, make('h3', {id: 'rule-title'}, 'New rule'), make('form', {class: 'filters', onsubmit: (event) => {
      event.preventDefault();
      this.act('PUT', `/_mock/scenarios/${encodeURIComponent(name.value)}`, `${name.value} is armed`, {value: {description: `${operation.value || 'Every operation'} gets ${status.value}.`, rules: [rule()]}}).catch(show_problem);
    }}, field('Name', name), field('Of the operation', operation), field('When (a place)', place), field('equals', value), field('Response', status), field('Times', times), make('button', {}, 'Arm rule')));
  },

  is_for_all: () => is_live && app.session === '*',

  session() {
    return this.is_for_all() ? '' : app.session;
  },

  path(...parts) {
    return ['/_mock/scenarios', ...parts].join('/') + (this.is_for_all() ? '?session=*' : '');
  },

  // The list keeps its elements, so that a switch keeps the focus.
  draw() {
    if (!this.scenarios) return;  // they are on their way
    const wanted = this.search.value.trim().toLowerCase();
    this.order ??= new Map([...this.scenarios].sort((a, b) => Number(b.armed || b.for_all) - Number(a.armed || a.for_all)).map(({name}, at) => [name, at]));
    const place = ({name}) => this.order.get(name) ?? -1;  // a new one comes first; what is switched stays where it is
    const found = [...this.scenarios].sort((a, b) => place(a) - place(b)).filter(({name, description}) => `${name} ${description}`.toLowerCase().includes(wanted));
    const focused = document.activeElement?.dataset?.scenario;
    redraw(this.list, found.map((scenario) => this.card(scenario)));
    if (focused) [...this.list.querySelectorAll('[data-scenario]')].find(({dataset}) => dataset.scenario === focused)?.focus();
  },

  card(scenario) {
    const {name, description, own, file, rules} = scenario;
    const all = this.is_for_all();
    const armed = all ? scenario.for_all : scenario.armed;
    const is_over = !all && (scenario.over ?? (armed && rules.every(({step}) => step === null)));
    const path = (what) => this.path(encodeURIComponent(name), what);
    return make('li', {class: `card${armed ? ' armed' : ''}`},
      make('div', {class: 'card-head'},
        is_live ? make('button', {type: 'button', role: 'switch', class: 'switch', 'aria-checked': String(armed), 'aria-label': name, 'data-scenario': name,
          onclick: () => this.act('POST', path(armed ? 'reset' : 'arm'), `${name} is ${armed ? 'disarmed' : 'armed'}${all ? ' for every session' : ''}`).catch(show_problem)}) : null,
        make('strong', {}, name), armed ? chip(is_over ? 'over' : 'armed', is_over ? 'idle' : 'unsure') : null, own ? chip('of this session', 'idle') : null,
        scenario.for_all ? chip('every session', 'idle') : null),
      make('p', {}, description), own ? null : make('p', {class: 'file'}, file), armed && !all ? make('ul', {class: 'soft'}, rules.map((rule) => make('li', {}, this.progress(rule)))) : null,
      is_live && armed ? make('p', {class: 'actions'},
        button('From the start', () => this.act('POST', path('arm'), `${name} begins again`)),
        all ? null : button('Next step', () => this.act('POST', path('advance'), `${name}: next step`)),
        own && !all ? button('Save to fixtures', () => save_to_fixtures({scenario: name}, `Save the scenario ${name} to the fixtures`)) : null,
        own ? button('Delete', () => this.remove(name), {class: 'danger'}) : null) : null);
  },

  async remove(name) {
    if (!(await confirmed(`Delete the scenario ${name}?`, 'It was made in this session and is stored nowhere else.', 'Delete'))) return;
    await this.act('DELETE', this.path(encodeURIComponent(name)), `Deleted: ${name}`);
  },

  progress({name, operations, steps, calls, step}) {
    const where = step === null || step === undefined ? 'no step left' : `step ${step + 1} of ${steps}`;
    return [name ? `${name}: ` : '', `${where}, ${many(calls ?? 0, 'call')}`, operations.length ? `, ${operations.slice(0, 5).join(', ')}` : ''].join('');
  },

  async act(method, path, words, options = {}) {
    await call(method, path, {...options, session: this.session()});
    unnotice('problem');
    say(words);
    await this.go();
  },

  // Only when the rules are others: what is typed stays.
  draw_faults({names, rules}) {
    const shown = JSON.stringify(rules);
    if (this.faults.dataset.rules === shown) return;
    this.faults.dataset.rules = shown;
    const operation = kept('fault operation', select([['', 'Every operation'], ...app.operations.map(({id, method, path}) => [id, `${method} ${path}`])], ''));
    const fault = kept('fault', select(names.map((name) => [name, name]), names[0]));
    const probability = kept('fault probability', make('input', {type: 'number', min: '0', max: '1', step: 'any', value: '1', size: '5'}));
    const put = (all, words) => this.act('PUT', '/_mock/faults', words, {value: {rules: all}});
    const forget = () => ['fault operation', 'fault', 'fault probability'].forEach((place) => drafts.set(place, undefined));
    const add = () => put([...rules, {...(operation.value ? {operations: [operation.value]} : {}), probability: Number(probability.value), fault: fault.value}], `${fault.value} is on`);
    const remove = (at) => rules.length === 1 ? this.act('DELETE', '/_mock/faults', 'No faults') : put(rules.filter((_, index) => index !== at), 'The fault is off');
    this.faults.replaceChildren(
      rules.length ? make('ul', {class: 'cards', role: 'list', 'aria-label': 'Fault rules'}, rules.map((rule, at) => make('li', {class: 'card armed'},
        make('div', {class: 'card-head'}, make('strong', {}, rule.fault ?? 'rule'), soft(`${rule.operations?.join(', ') || 'every operation'}, ${Math.round((rule.probability ?? 1) * 100)} %`),
          button('Remove', () => remove(at), {'aria-label': `Remove fault ${rule.fault ?? at + 1}`}))))) : make('p', {class: 'soft'}, 'No call is broken on purpose.'),
      make('form', {class: 'filters', onsubmit: (event) => {
        event.preventDefault();
        forget();
        add().catch(show_problem);
      }}, field('Fault', fault), field('Operation', operation), field('Probability', probability), make('button', {}, 'Add fault')));
  },

  async changed(what) {
    if (!['scenarios', 'session', 'asked'].some((one) => what.includes(one))) return;
    if (this.faults.contains(document.activeElement)) return;
    await this.go();
  },

  key(event) {
    if (event.key !== '/') return false;
    this.search.focus();
    return true;
  }
};
