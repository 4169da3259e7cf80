// For a server that calls the mock: passes on the session of the request that it works on; server.d.ts
// describes everything.
import {AsyncLocalStorage} from 'node:async_hooks';

const HEADER = 'x-counterpart-session';
const current = new AsyncLocalStorage();

// Of a node:http request, or of one with web standard headers.
export function sessionOf({headers}) {
  const value = typeof headers.get === 'function' ? headers.get(HEADER) : headers[HEADER];
  return value || undefined;
}

export function withSession(request, callback) {
  return current.run(sessionOf(request), callback);
}

export function forwardSession(request, response, next) {
  withSession(request, () => next());
}

export const currentSession = () => current.getStore();

function originOf(url) {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;  // the fetch says what is wrong with it
  }
}

export function sessionFetch(mockUrl, send = globalThis.fetch) {
  const {origin} = new URL(mockUrl);
  return (input, init) => {
    const session = currentSession();
    const url = input instanceof Request ? input.url : String(input);
    if (!session || originOf(url) !== origin) return send(input, init);
    const request = new Request(input, init);
    if (!request.headers.has(HEADER)) request.headers.set(HEADER, session);
    return send(request);
  };
}

export function patchFetch(mockUrl) {
  const before = globalThis.fetch;
  globalThis.fetch = sessionFetch(mockUrl, before);
  return () => {
    globalThis.fetch = before;
  };
}
