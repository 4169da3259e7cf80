/** A request of node:http, or one with web standard headers. */
export interface Incoming {
  headers: Headers | Record<string, string | string[] | undefined>;
}

/** The session that a request names. */
export function sessionOf(request: Incoming): string | undefined;

/** Runs the callback, and all that it starts, in the session of the request. */
export function withSession<Result>(request: Incoming, callback: () => Result): Result;

/** The same as a middleware of Express, Connect and Vite. */
export function forwardSession(request: Incoming, response: unknown, next: () => void): void;

/** The session that the code runs in. */
export function currentSession(): string | undefined;

/** A `fetch` that names the session in requests to the mock; all others are left as they are. */
export function sessionFetch(mockUrl: string, send?: typeof fetch): typeof fetch;

/** Makes that the global `fetch`. Returns a function that undoes it. */
export function patchFetch(mockUrl: string): () => void;
