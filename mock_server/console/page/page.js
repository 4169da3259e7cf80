// The frame: views, the session, the state of the connection, keys.

const VIEWS = {start: start_view, requests: requests_view, operations: operations_view, records: records_view, scenarios: scenarios_view,
               clock: clock_view, sessions: sessions_view, coverage: coverage_view};
const RECORDED_PATHS = {requests: '/_mock/requests', operations: '/_mock/operations', records: '/_mock/records', scenarios: '/_mock/scenarios', coverage: '/_mock/coverage'};
const LOOK_AT_SESSION_MS = 10000;

const app = {last: {}, view: null, view_name: '', session: OWN_SESSION, ended: false, feed: null, operations: [], collections: [], index: null, clock: null};

const views_shown = () => Object.keys(VIEWS).filter((name) => is_live || RECORDED[RECORDED_PATHS[name]] !== undefined);

function draw_frame() {
  by_id('views').replaceChildren(make('ul', {class: 'tabs'}, views_shown().map((name) => make('li', {},
    make('a', {href: name === app.view_name ? address([name]) : app.last[name] ?? address([name]), 'aria-current': name === app.view_name ? 'page' : null}, VIEWS[name].title)))));
  by_id('views').querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'nearest'});  // on a phone
}

async function go() {
  const route = read_route();
  app.view_name = VIEWS[route.view] ? route.view : 'requests';
  const named = VIEWS[app.view_name];
  const view = is_live && named.of_one_session && route.session === '*' ? choice_view : named;
  const is_other_session = route.session !== app.session;
  app.session = route.session;
  if (is_other_session) enter_session();
  app.last[app.view_name] = location.hash;  // the tab leads back to it
  if (view !== app.view || is_other_session) open_view(view);
  draw_frame();
  document.title = `${named.title}${route.parts[0] ? ` ${route.parts.at(-1)}` : ''} \u00b7 Counterpart`;
  try {
    await view.go(route);
  } catch (problem) {
    show_problem(problem);
  }
}

function open_view(view) {
  const had_view = app.view !== null;
  app.view?.close?.();
  const main = by_id('main');
  main.replaceChildren();
  main.className = '';
  app.view = view;
  view.open(main);
  if (had_view) by_id('view-title')?.focus({preventScroll: true});
}

// The first question with the session's header creates it.
async function enter_session() {
  const {session} = app;
  app.ended = false;
  app.clock = null;
  app.last = {};
  unnotice('ended');
  app.feed?.stop();
  journal.clear();
  await draw_session();
  if (session === app.session) restart_feed();
}

// The sessions and the clock in the header.
async function draw_session() {
  if (!is_live) return;
  try {
    show_sessions((await call('GET', '/_mock/sessions')).sessions);
    app.clock = app.session === '*' ? null : await call('GET', '/_mock/clock', {session: app.session});
    show_clock();
  } catch (problem) {
    if (problem.status !== 0) show_problem(problem);
  }
}

// With all sessions shown there may be many changes, and the list of sessions may be long.
function draw_session_soon() {
  draw_session_soon.asked ??= setTimeout(async () => {
    draw_session_soon.asked = null;
    if (await session_exists()) draw_session();
  }, app.session === '*' ? 5000 : 200);
}

function show_state(kind, words) {
  const state = by_id('connection');
  if (state.textContent !== words) state.textContent = words;
  state.className = `chip ${{live: 'good', asking: 'unsure', away: 'bad'}[kind]}`;
  if (kind === 'away') notice('away', `${words[0].toUpperCase()}${words.slice(1)}. What is shown is from before; trying again.`, 'bad');
  else unnotice('away');
}

// Entries come in bursts: the view is drawn once for each frame of the screen.
function take_entries(entries) {
  journal.add(entries);
  take_entries.fresh = (take_entries.fresh ?? []).concat(entries).slice(-MAX_ENTRIES);  // a hidden page draws nothing
  take_entries.asked ??= requestAnimationFrame(() => {
    const {fresh} = take_entries;
    take_entries.fresh = [];
    take_entries.asked = null;
    app.view?.entries?.(fresh);
  });
}

function restart_feed(limit = FIRST_ENTRIES) {
  app.feed?.stop();
  if (!is_live) return;
  journal.clear();
  const feed = new Feed(app.session, {
    state: show_state,
    loaded(requests, window) {
      journal.clear();
      journal.add(requests);
      journal.window = {...window, loaded: requests.length};
      app.view?.loaded?.();
    },
    entries: take_entries,
    change: (what) => follow_change(what),
    missing: () => session_exists(),
    lost(count) {
      journal.lost += count;
    },
    reloaded() {
      notice('reloaded', 'The mock has read its contract and fixtures again.', 'idle');
      load_what_is_served().then(go).catch(show_problem);
    },
    restarted(is_sure) {
      notice('restarted', is_sure ? 'The mock was restarted: its journal, and what was changed, begin again.' : 'The mock responds again; everything was read anew.', 'warning');
      requests_view.detail?.removeAttribute('data-found');
      load_what_is_served().then(() => {
        enter_session();
        go();
      }).catch(show_problem);
    }
  });
  app.feed = feed;
  feed.start(limit).catch((problem) => {
    if (feed.stopped) return;
    show_state('away', problem.message);
    setTimeout(() => feed === app.feed && restart_feed(limit), ASK_AGAIN_MS);
  });
}

// Something changed that the view may show. Without a stream the page asks each few seconds.
async function follow_change(what) {
  if (what.includes('asked')) {
    const now = performance.now();
    if (now - (follow_change.at ?? -Infinity) < 3000) return;
    follow_change.at = now;
  }
  if (what.includes('journal')) await app.feed.load(FIRST_ENTRIES).catch(() => {});
  if (!(await session_exists())) return;
  try {
    if (['scenarios', 'clock', 'session', 'asked'].some((one) => what.includes(one))) draw_session_soon();
    if (what.some((one) => one !== 'journal')) await app.view?.changed?.(what);
    if (what.includes('clock') || what.includes('session')) draw_session_soon();
  } catch {
    // The mock is away, or the record is gone: the view stays as it was.
  }
}

// A request with the session's header would make a session that ended again, so this asks without it.
async function session_exists() {
  const {session, feed} = app;
  if (app.ended || feed?.was_away || feed?.is_unsure) return false;
  if (!session || session === '*') return true;
  try {
    await call('GET', `/_mock/sessions/${encodeURIComponent(session)}`);
  } catch (problem) {
    if (problem.status !== 404 || session !== app.session) return problem.status !== 404;
    app.ended = true;
    app.feed?.stop();
    show_state('away', 'ended');
    unnotice('away');
    notice('ended', `The session ${session} has ended: it was deleted, or was idle for too long. What is shown is from before.`, 'warning', [
      make('a', {class: 'button', href: address(['requests'], {}, '')}, 'Default session'),
      button('Create it again', () => {
        enter_session();
        go();
      })]);
    return false;
  }
  return true;
}

async function load_what_is_served() {
  const known = (promise, otherwise) => promise.catch(() => otherwise);
  const [operations, health, index, records] = await Promise.all([
    call('GET', '/_mock/operations'), known(call('GET', '/_mock/health'), {}), known(call('GET', '/_mock/'), null), known(call('GET', '/_mock/records'), {collections: []})]);
  app.operations = operations.operations;
  contract.forget();
  app.index = index?.operations ? index : null;
  app.collections = records.collections.map(({name}) => name);
  const {title, version} = health.contract ?? index?.contract ?? {};
  by_id('contract').textContent = [title, version].filter(Boolean).join(' ');
}

function key_down(event) {
  app.view?.key_down?.(event);
  const {target} = event;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (target.matches('input, textarea, select')) {
    if (event.key !== 'Escape') return;
    app.view?.escape_field?.(target);
    target.blur();
    return;
  }
  if (event.key.startsWith('Arrow') && target.closest('pre, .tabs')) return;
  if (event.key === '?') show_keys();
  else if (!app.view?.key?.(event)) return;
  event.preventDefault();
}

function show_keys() {
  const keys = [['j, \u2193', 'next request'], ['k, \u2191', 'previous request'], ['/', 'search'], ['Esc', 'leave the field, or close the request'], ['Ctrl+S', 'save the record'], ['?', 'these keys']];
  const dialog = make('dialog', {class: 'ask', 'aria-labelledby': 'keys-title', onclose: () => dialog.remove()},
    make('form', {method: 'dialog'}, make('h2', {id: 'keys-title'}, 'Keys'),
      make('dl', {class: 'facts'}, keys.map(([key, words]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, words)])),
      make('p', {class: 'actions'}, make('button', {class: 'main'}, 'Close'))));
  document.body.append(dialog);
  dialog.showModal();
}

function draw_header() {
  const session = make('select', {id: 'session', onmouseenter: draw_session_soon, onchange: () => {
    open_route(address([read_route().view], {}, session.value));
  }});
  by_id('state').replaceChildren(...(is_live ? [make('span', {id: 'clock'}), field('Session', session), make('span', {id: 'connection', class: 'chip', role: 'status'}, 'connecting')] :
    [chip('recorded', 'idle'), make('span', {id: 'clock'})]),
    button('?', show_keys, {class: 'plain', 'aria-label': 'Keys'}));
}

async function start() {
  draw_header();
  addEventListener('keydown', key_down);
  addEventListener('click', follow_link);
  addEventListener('hashchange', go);
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    by_id('main').focus();
  });
  for (;;) {
    try {
      await load_what_is_served();
      break;
    } catch (problem) {
      show_problem(problem);
      if (problem.status !== 0) await new Promise((done) => addEventListener('focus', done, {once: true}));
      else await pause(ASK_AGAIN_MS);
    }
  }
  unnotice('problem');
  app.session = read_route().session;
  if (is_live) {
    if (location.hash === '' && await newest_entry(app.session).catch(() => 1) === 0) history.replaceState(null, '', address(['start']));
    enter_session();
    setInterval(session_exists, LOOK_AT_SESSION_MS);
  } else {
    const {requests, window} = RECORDED['/_mock/requests'] ?? {requests: []};
    journal.add(requests);
    journal.window = window ? {...window, loaded: requests.length} : null;
  }
  await go();
}

start();
