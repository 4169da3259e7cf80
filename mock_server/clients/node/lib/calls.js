// Calls of the control API, `/_mock/`.
import {withoutSession} from './explain.js';

// A call that the mock rejected, or that did not reach it. `status` is undefined in the second case.
export class MockError extends Error {
  constructor(message, {status, code, problems = [], body, cause} = {}) {
    super(message, cause && {cause});
    this.name = 'MockError';
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.body = body;
  }
}

function queryOf(query = {}) {
  const pairs = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) if (value !== undefined) pairs.append(name, value);
  const text = pairs.toString();
  return text && `?${text}`;
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

// What is wrong with a response, each problem on a line.
function problemsIn(body, text) {
  if (!body?.code) return text.slice(0, 500);
  const near = (body.near_misses ?? []).map(
      (miss) => `${miss.method} ${withoutSession(miss.target)}: ${miss.differences.join('; ')}`);
  return [`${body.code}: ${body.message}`, ...(body.problems ?? []), ...near].join('\n  ');
}

export class Calls {
  // `whyEnded()` says why the mock does not run any more, or nothing.
  constructor(url, token, whyEnded = () => undefined) {
    this.url = url;
    this.token = token;
    this.whyEnded = whyEnded;
    this.warned = new Set();
  }

  // The body of the response: JSON, or the text if it is not JSON. Rejects with a MockError.
  async call(session, method, path, {query, body} = {}) {
    const what = `${method} /_mock/${path}${session ? ` in session ${session}` : ''}`;
    const response = await this.send(session, method, path + queryOf(query), body, what);
    const text = await response.text();
    const content = parsed(text);
    this.warn(`${method} /_mock/${path}`, response.headers.get('X-Counterpart-Warning'));
    if (response.ok) return content ?? text;
    throw new MockError(`${what}: ${response.status} ${problemsIn(content, text)}`,
                        {status: response.status, code: content?.code, problems: content?.problems, body: content});
  }

  // Shows a warning of the mock (a misspelt member, say), once for each call, in whatever session.
  warn(call, warning) {
    const line = `counterpart-mock: ${call}: ${warning}`;
    if (!warning || this.warned.has(line)) return;
    this.warned.add(line);
    console.warn(line);
  }

  async send(session, method, path, body, what) {
    const headers = {};
    if (session) headers['X-Counterpart-Session'] = session;
    if (this.token) headers['X-Counterpart-Control-Token'] = this.token;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    try {
      return await fetch(`${this.url}/_mock/${path}`, {method, headers, body: JSON.stringify(body)});
    } catch (error) {
      const reason = this.whyEnded() ?? error.cause?.message ?? error.message;
      throw new MockError(`${what}: cannot reach the mock at ${this.url}: ${reason}`, {cause: error});
    }
  }
}
