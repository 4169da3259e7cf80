// Calls of the control API. A page that was written as a file has the responses inside and asks no server.

const RECORDED = (() => {
  const element = by_id('recorded');
  return element ? JSON.parse(element.textContent) : null;
})();
const is_live = RECORDED === null;
const TOKEN_KEY = 'counterpart-control-token';

class Problem extends Error {
  constructor(status, message, problems = [], more = {}) {
    super(message);
    this.status = status;
    this.problems = problems;
    this.more = more;  // the whole body
  }
}

const token = {
  get() {
    try {
      return sessionStorage.getItem(TOKEN_KEY) ?? token.own;
    } catch {
      return token.own;
    }
  },
  set(value) {
    token.own = value;
    try {
      sessionStorage.setItem(TOKEN_KEY, value);
    } catch {
      // The browser stores nothing: the token is asked for again by the next page.
    }
  },
  own: null
};

// Asks for the control token; all calls that need it wait for the same question.
function ask_token(message) {
  ask_token.asked ??= new Promise((resolve) => {
    const input = make('input', {type: 'password', autocomplete: 'off', required: true, id: 'token'});
    const dialog = make('dialog', {class: 'ask', 'aria-labelledby': 'token-title'},
      make('form', {method: 'dialog'},
        make('h2', {id: 'token-title'}, 'Control token'),
        make('p', {}, 'This mock was started with --control-token. The token is stored for this tab.'),
        make('p', {class: 'soft'}, message),
        field('Token', input),
        make('p', {class: 'actions'}, make('button', {class: 'main', value: 'given'}, 'Continue'))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      ask_token.asked = null;
      resolve(dialog.returnValue === 'given' ? input.value : '');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return ask_token.asked;
}

function headers_of({session, body, accept}) {
  const headers = {Accept: accept ?? 'application/json'};
  if (session) headers['X-Counterpart-Session'] = session;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token.get()) headers['X-Counterpart-Control-Token'] = token.get();
  return headers;
}

async function fetch_once(method, path, options) {
  try {
    return await fetch(path, {method, headers: headers_of(options), body: options.body, signal: options.signal,
                              cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer'});
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, 'the mock does not respond');
  }
}

// The response, once the mock accepts the token. A token that was asked for meanwhile is tried first.
async function fetch_allowed(method, path, options) {
  for (;;) {
    const sent = token.get();
    const response = await fetch_once(method, path, options);
    if (response.status !== 401) return response;
    const {message = 'the token is not accepted'} = await response.json().catch(() => ({}));
    if (token.get() !== sent) continue;
    const given = ask_token.declined ? '' : await ask_token(message);
    if (given) {
      token.set(given);
      continue;
    }
    ask_token.declined = true;
    notice('token', 'Without the control token the mock shows nothing.', 'bad', [button('Enter the token', () => location.reload())]);
    throw new Problem(401, message);
  }
}

function recorded(path) {
  const value = RECORDED[path] ?? RECORDED[path.split('?')[0]];
  if (value === undefined) throw new Problem(404, 'this file does not hold it');
  return value;
}

// Asks when the last question with this key has its response, so that an older response is never drawn over a newer.
async function in_turn(key, ask) {
  const response = (in_turn.last.get(key) ?? Promise.resolve()).then(ask);
  const settled = response.then(() => {}, () => {});
  in_turn.last.set(key, settled);
  try {
    return await response;
  } finally {
    if (in_turn.last.get(key) === settled) in_turn.last.delete(key);
  }
}
in_turn.last = new Map();

// The text of a response of the control API; throws a Problem for an error response. `warned` gets what the
// mock warns of.
async function call_text(method, path, options = {}) {
  if (!is_live) return JSON.stringify(recorded(path));
  return method === 'GET' ? in_turn(`${options.session ?? ''} ${path}`, () => call_mock(method, path, options)) : call_mock(method, path, options);
}

async function call_mock(method, path, options) {
  if (options.session === '*') throw new Problem(422, 'this is of one session: choose a session');
  const response = await fetch_allowed(method, path, options);
  const text = await response.text();
  options.warned?.(response.headers.get('X-Counterpart-Warning') ?? '');
  if (response.ok) return text;
  let said = {};
  try {
    said = JSON.parse(text);
  } catch {
    // Not from the control API.
  }
  throw new Problem(response.status, said.message ?? `status ${response.status}`, said.problems, said);
}

// call('PUT', '/_mock/clock', {value: {frozen: true}, session: 'w1'}); `body` is JSON text instead.
async function call(method, path, options = {}) {
  const body = options.value === undefined ? options.body : JSON.stringify(options.value);
  const text = await call_text(method, path, {...options, body});
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(0, `${path} is not JSON`);
  }
}

function show_problem(problem) {
  if (problem.name === 'AbortError') return;
  const more = (problem.problems ?? []).length ? `: ${problem.problems.join('; ')}` : '';
  notice('problem', `${problem.message}${more}`, 'bad');
}
