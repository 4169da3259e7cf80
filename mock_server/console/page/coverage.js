// How much of the contract was exercised since the start, by all sessions.

const COVERAGE_AGAIN_MS = 5000;

const coverage_view = {
  title: 'Coverage',

  open(main) {
    this.whole = make('p', {class: 'whole'});
    this.search = kept('search of coverage', make('input', {type: 'search', placeholder: 'Method, path, id or what is missing', oninput: () => this.draw(), 'aria-keyshortcuts': '/'}));
    this.list = make('ul', {class: 'cards', role: 'list', 'aria-label': 'Operations'});
    main.append(make('h2', {id: 'view-title', tabindex: '-1'}, 'Coverage of the contract'), this.whole, make('div', {class: 'filters'}, field('Search', this.search)), this.list);
    this.open_ones = new Set();
    this.shown = '';
    // The entries of other sessions do not come here.
    this.again = is_live ? setInterval(() => this.look(), COVERAGE_AGAIN_MS) : null;
  },

  look() {
    if (document.visibilityState === 'visible' && !app.feed?.was_away) this.go();
  },

  async go() {
    try {
      const coverage = await call('GET', '/_mock/coverage');
      const text = JSON.stringify(coverage);
      if (text === this.shown) return;
      this.coverage = coverage;
      this.shown = text;
      this.draw();
    } catch (problem) {
      if (problem.status === 0 && this.shown) return;  // the mock is away, which the header says
      this.whole.replaceChildren(problem.status === 404 ? 'Coverage is not known here.' : problem.message);
    }
  },

  draw() {
    if (!this.shown) return;  // it is on its way
    const {seen, points, operations} = this.coverage;
    const wanted = this.search.value.trim().toLowerCase();
    this.whole.replaceChildren(meter(seen, points, 'Coverage of the contract'), ` ${seen.toLocaleString('en')} of ${many(points, 'point')} of the contract were seen in requests and responses.`);
    this.list.replaceChildren(...operations.map((operation) => ({...operation, title: this.title_of(operation)}))
      .filter(({id, title, missing}) => `${id} ${title} ${missing.join(' ')}`.toLowerCase().includes(wanted)).map((operation) => this.card(operation)));
  },

  title_of({id}) {
    const of = app.operations.find((operation) => operation.id === id);
    return of ? `${of.method} ${of.path}` : id;
  },

  card({id, title, seen, points, missing}) {
    const details = make('details', {open: this.open_ones.has(id), ontoggle: (event) => this.open_ones[event.target.open ? 'add' : 'delete'](id)},
      make('summary', {}, `Not seen: ${missing.length}`), make('ul', {}, missing.map((sentence) => make('li', {}, sentence))));
    return make('li', {class: 'card'},
      make('strong', {}, link(['operations', id], title)), make('p', {class: 'card-head'}, meter(seen, points, `Coverage of ${id}`), soft(`${seen} of ${points}`)),
      missing.length ? details : null);
  },

  loaded() {
    this.entries();
  },

  entries() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.go(), 1000);
  },

  close() {
    clearTimeout(this.timer);
    clearInterval(this.again);
  },

  key(event) {
    if (event.key !== '/') return false;
    this.search.focus();
    return true;
  }
};
