// The first screen, for somebody who opened the address without knowing what this is; and what is switched on in the
// session, on every page.

const start_view = {
  title: 'Start',

  open(main) {
    this.main = main;
  },

  go() {
    const session = app.session === '*' ? '' : app.session;
    const base = location.origin + (session ? `/_s/${session}` : '');
    const tokens = app.index?.tokens;
    const title = app.index?.contract?.title ?? 'a service';
    const first = this.reading_operation();
    this.main.replaceChildren(
      make('h2', {id: 'view-title', tabindex: '-1'}, 'This is a mock'),
      make('p', {class: 'lead'}, `It plays ${title}, as its contract says, so that an application can be built and tested without the real service. `,
        'Every call is checked against the contract, and this page says why it got its response. What you change here lasts until it is reset, and belongs to your session alone.'),
      make('div', {class: 'given'}, this.given('Base URL', base), tokens === 'any' ? this.given('Token', 'any', 'any text is accepted') : accepted_token() ? this.given('Token', accepted_token()) : null),
      make('h3', {}, 'Try it'),
      make('ol', {class: 'cards steps', role: 'list', 'aria-label': 'Try it'},
        this.step('Get a record', first ? `${first.method} ${first.path}` : 'A call of the first operation', () => this.get(first)),
        this.step('Make it 429', 'The next call of the same operation gets 429, once', async () => {
          await operations_view.arm_once(first.id, 429);
          await this.get(first);
        }),
        this.step('Freeze the clock', 'Dates, expiry and limits stand still until you let them run', async () => {
          await call('PUT', '/_mock/clock', {value: {frozen: true}, session});
          say('The clock is frozen');
        }),
        this.step('See why', 'The newest call, what chose its response, and the lines of the contract', () => { open_route(address(['requests'])); })),
      make('p', {}, 'Or ', link(['operations'], 'choose an operation'), ' and send what you like.'));
  },

  given(label, value, note) {
    return make('div', {class: 'card'}, soft(label), ' ', code(value), note ? [' ', soft(note)] : null, ' ', button('Copy', () => copy(value, label), {'aria-label': `Copy ${label}`}));
  },

  step(words, note, act) {
    return make('li', {class: 'card'}, button(words, act, {class: 'main'}), make('p', {class: 'soft'}, note));
  },

  // A GET that finds a record, else any that can be called.
  reading_operation() {
    const can_read = app.operations.filter(({method}) => method === 'GET');
    return can_read.find(({played}) => played.behaviour === 'read') ?? can_read[0] ?? app.operations[0];
  },

  async get({id, method}) {
    const session = app.session === '*' ? '' : app.session;
    const known = app.index?.operations?.find((one) => one.id === id);
    await contract.load();
    const form = new TryForm(app.operations.find((one) => one.id === id));
    form.view();
    const request = form.request();
    const before = await newest_entry(session);
    const result = await send_request({...request, target: known?.url?.replace(/^\/_s\/[^/]+/, '') ?? request.target}, session, undefined, () => {});
    const exchange = await explanation_of({...request, target: known?.url?.replace(/^\/_s\/[^/]+/, '') ?? request.target}, session, before).catch(() => null);
    say(`${method} got ${result.status}`);
    open_route(exchange ? address(['requests', String(exchange.id)], {}, session) : address(['requests']));
  }
};

// What is not as usual in the session that is shown: scenarios, faults, a clock that stands or was moved.
async function show_banner() {
  const banner = by_id('banner');
  if (!is_live || app.session === '*') return banner.replaceChildren();
  const {session} = app;
  const scenarios = (await call('GET', '/_mock/scenarios', {session})).scenarios.filter(({armed, over, rules}) => armed && !(over ?? rules.every(({step}) => step === null)));
  if (session !== app.session) return undefined;
  const {clock} = app;
  const off = (words, name, act) => button(words, async () => {
    await act();
    await draw_session();
    await app.view?.changed?.(['scenarios', 'clock']);
  }, {'aria-label': `${words}: ${name}`});
  const parts = scenarios.slice(0, 4).map(({name, description}) => make('span', {class: 'on'}, link(['scenarios'], name === 'faults' ? 'Faults' : name, {}, {title: description}), ' ',
    off('Turn off', name, () => name === 'faults' ? call('DELETE', '/_mock/faults', {session}) : call('POST', `/_mock/scenarios/${encodeURIComponent(name)}/reset`, {session}))));
  if (scenarios.length > 4) parts.push(soft(`and ${scenarios.length - 4} more`));
  if (clock?.frozen || clock?.moved) parts.push(make('span', {class: 'on'}, link(['clock'], clock.frozen ? 'Clock frozen' : 'Clock moved'), ' ', off('Reset clock', 'the clock of the session', () => call('DELETE', '/_mock/clock', {session}))));
  return redraw_live(banner, parts.length ? [make('strong', {}, 'On now:'), ...parts] : []);
}

// Like redraw, for elements with handlers: the same words are not drawn again.
function redraw_live(element, children) {
  const words = children.map((child) => child.textContent).join('|');
  if (element.dataset.words === words) return;
  element.dataset.words = words;
  element.replaceChildren(...children);
}
