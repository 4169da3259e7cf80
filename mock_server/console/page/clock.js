// The session's clock and seed.

const clock_view = {
  title: 'Clock',
  of_one_session: true,

  open(main) {
    this.now = make('p', {class: 'now', role: 'timer', 'aria-label': 'The time of the session'});
    this.state = make('p', {class: 'soft'});
    this.freeze = button('Freeze', () => this.put({frozen: !this.clock.frozen}));
    this.input = kept('clock', make('input', {placeholder: '2027-01-01T00:00:00Z', size: '24', spellcheck: 'false'}));
    this.seed = make('input', {inputmode: 'numeric', size: '12'});
    this.seed_state = soft('');
    const move = (words, seconds) => button(words, () => this.act('POST', '/_mock/clock/advance', {value: {seconds}}));
    main.append(make('h2', {id: 'view-title', tabindex: '-1'}, 'Clock'), this.now, this.state,
      make('p', {class: 'actions'}, this.freeze, move('+1 minute', 60), move('+1 hour', 3600), move('+1 day', 86400), move('+30 days', 30 * 86400), move('\u22121 hour', -3600),
        button('Reset', () => this.act('DELETE', '/_mock/clock'))),
      make('form', {class: 'actions', onsubmit: (event) => {
        event.preventDefault();
        this.put({now: this.input.value.trim()}).catch(show_problem);
      }}, field('Set to', this.input), make('button', {}, 'Set')),
      make('p', {class: 'soft'}, 'Dates of responses, expiry, rate limits and the steps of scenarios go by this clock.'),
      make('h3', {}, 'Seed'),
      make('form', {class: 'actions', onsubmit: (event) => {
        event.preventDefault();
        this.set_seed('PUT', {body: `{"seed": ${this.seed.value.trim() || '""'}}`}).catch(show_problem);
      }}, field('Seed of generated examples and of what happens at random', this.seed), make('button', {}, 'Set'),
        button('Reset', () => this.set_seed('DELETE')), this.seed_state));
    this.timer = setInterval(() => this.tick(), 250);
  },

  close() {
    clearInterval(this.timer);
  },

  async go() {
    this.show(await call('GET', '/_mock/clock', {session: app.session}));
    this.show_seed(await call('GET', '/_mock/seed', {session: app.session}));
  },

  show(clock) {
    this.clock = clock;
    this.ahead = Date.parse(clock.now) - Date.now();
    this.freeze.textContent = clock.frozen ? 'Let it run' : 'Freeze';
    this.state.textContent = clock.frozen ? 'Frozen' : clock.moved ? 'Moved; runs' : 'The time of the machine';
    app.clock = clock;
    show_clock();
    this.tick();
  },

  tick() {
    if (!this.clock) return;
    const now = this.clock.frozen ? this.clock.now : new Date(Date.now() + this.ahead).toISOString();
    this.now.textContent = now.replace(/\.[0-9]+Z$/, 'Z');
  },

  async act(method, path, options = {}) {
    this.show(await call(method, path, {...options, session: app.session}));
    unnotice('problem');
    say(`It is ${this.now.textContent}`);
  },

  put(value) {
    return this.act('PUT', '/_mock/clock', {value});
  },

  async set_seed(method, options = {}) {
    this.show_seed(await call(method, '/_mock/seed', {...options, session: app.session}));
    unnotice('problem');
    say('The seed is set');
  },

  show_seed({seed, is_own}) {
    this.seed.value = String(seed);
    this.seed_state.textContent = is_own ? 'the session\u2019s own' : 'that of the program';
  },

  async changed(what) {
    if (['clock', 'session', 'asked'].some((one) => what.includes(one))) this.show(await call('GET', '/_mock/clock', {session: app.session}));
  }
};

// In the header of the page: only what is not as usual.
function show_clock() {
  const {clock} = app;
  const words = !clock || (!clock.moved && !clock.frozen) ? '' : `${clock.frozen ? 'Clock frozen' : 'Clock moved'}: ${clock.now.slice(0, 16).replace('T', ' ')}`;
  show_banner().catch(() => {});
  by_id('clock').replaceChildren(words ? link(['clock'], words, {}, {class: 'chip unsure'}) : '');
}
