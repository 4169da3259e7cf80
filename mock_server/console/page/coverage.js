// How much of the contract was exercised since the start, by all sessions.

const COVERAGE_AGAIN_MS = 5000;

const coverage_view = {
  title: 'Coverage',

  open(main) {
    this.whole = make('p', {class: 'whole'});
    this.list = make('ul', {class: 'cards', role: 'list', 'aria-label': 'Operations'});
    main.append(make('h2', {id: 'view-title', tabindex: '-1'}, 'Coverage of the contract'), this.whole, this.list);
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
      this.draw(coverage);
      this.shown = text;
    } catch (problem) {
      if (problem.status === 0 && this.shown) return;  // the mock is away, which the header says
      this.whole.replaceChildren(problem.status === 404 ? 'Coverage is not known here.' : problem.message);
    }
  },

  draw({seen, points, operations}) {
    this.whole.replaceChildren(meter(seen, points, 'Coverage of the contract'), ` ${seen.toLocaleString('en')} of ${many(points, 'point')} of the contract were seen in requests and responses.`);
    this.list.replaceChildren(...operations.map((operation) => this.card(operation)));
  },

  card({id, seen, points, missing}) {
    const of = app.operations.find((operation) => operation.id === id);
    const details = make('details', {open: this.open_ones.has(id), ontoggle: (event) => this.open_ones[event.target.open ? 'add' : 'delete'](id)},
      make('summary', {}, `Not seen: ${missing.length}`), make('ul', {}, missing.map((sentence) => make('li', {}, sentence))));
    return make('li', {class: 'card'},
      make('div', {class: 'card-head'}, make('strong', {}, link(['operations', id], of ? `${of.method} ${of.path}` : id)), meter(seen, points, `Coverage of ${id}`), soft(`${seen} of ${points}`)),
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
  }
};
