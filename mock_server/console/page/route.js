// Every state of the page is a URL: #/VIEW/PART/PART?name=value. The session is part of it, or the prefix
// /_s/NAME of the page itself.

const OWN_SESSION = /^\/_s\/([A-Za-z0-9._-]{1,64})\//.exec(location.pathname)?.[1] ?? '';

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function read_route() {
  const hash = location.hash.startsWith('#/') ? location.hash.slice(2) : '';
  const [path, query = ''] = hash.split(/\?(.*)/s);
  const [view, ...parts] = path.split('/').map(decoded);
  const values = Object.fromEntries(new URLSearchParams(query));
  const session = /^(\*|[A-Za-z0-9._-]{0,64})$/.test(values.session ?? '') ? values.session : undefined;
  return {view: view || 'requests', parts: parts.filter((part) => part !== ''), query: values, session: session ?? OWN_SESSION};
}

// The address of a view in the session that is shown; `query` without empty values. Below a prefix the default
// session is named, too, with an empty value.
function address(parts, query = {}, session = read_route().session) {
  const given = Object.entries(query).filter(([name, value]) => name !== 'session' && value !== '' && value !== undefined && value !== null);
  if (session !== OWN_SESSION) given.push(['session', session]);
  const text = new URLSearchParams(given).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

// Opens the URL at once: a browser that follows a link, or a change of location.hash, says so later, and a key that
// is pressed between would be taken for the state before.
function open_route(hash) {
  if (hash === location.hash) return;
  history.pushState(null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

// A click that the browser would follow in this tab.
function follow_link(event) {
  const hash = event.target.closest?.('a[href^="#/"]')?.getAttribute('href');
  if (!hash || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open_route(hash);
}

// Changes the URL without an entry in the browser's history, for filters and for what is selected by keys.
function replace_route(hash) {
  history.replaceState(null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function link(parts, words, query = {}, attributes = {}) {
  return make('a', {href: address(parts, query), ...attributes}, words);
}
