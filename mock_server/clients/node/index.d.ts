/** Where the mock comes from: it is started, unless `url` names one that runs. */
export interface MockOptions {
  /** The address of a running mock. The options about starting one have no effect then. */
  url?: string;
  /** Its control token. Default: COUNTERPART_CONTROL_TOKEN. */
  token?: string;
  /** The OpenAPI document. Default: the payments service's. */
  contract?: string;
  /** A folder of fixtures, or several. */
  fixtures?: string | string[];
  /** More flags of mock_server, for instance `['--seed', '7']`. */
  args?: string[];
  /** Default: 0, any free port. */
  port?: number;
  /**
   * The program. Default: COUNTERPART_MOCK_SERVER, else that of the package for this system, else `mock_server` on the
   * PATH, else the build of the clone.
   */
  program?: string;
  /** Changes to the program's environment. */
  env?: Record<string, string>;
  /** Its log, a line for each request: true for standard error, or a function that takes each line. */
  log?: boolean | ((line: string) => void);
}

/** The names that functions take: any; `mock_server types` prints those of a contract and its fixtures. */
export interface Names {
  operation: string;
  collection: string;
  /** The keys of the records that are there from the start, by collection. */
  record: {[collection: string]: string};
  scenario: string;
}

/** A mock that runs. It ends with `end`, else when this process ends, in whatever way. */
export interface Mock<N extends Names = Names> {
  readonly url: string;
  /** The program was started here, and ends with `end`. */
  readonly started: boolean;
  /** The session of that name, created by its first use; without a name, a new one. */
  session(name?: string): Session<N>;
  sessions(): Promise<Array<{name: string; changes: number}>>;
  health(): Promise<Record<string, any>>;
  /** Ends the program, if it was started by `startMock`. */
  end(): Promise<void>;
}

/** Rejects with a TypeError where an option has another name. */
export function startMock<N extends Names = Names>(options?: MockOptions): Promise<Mock<N>>;

/** A call that the mock rejected: the message has the call and every problem. Without `status` it was not reached. */
export class MockError extends Error {
  readonly status?: number;
  readonly code?: string;
  readonly problems: string[];
  readonly body?: any;
}

/** A number of seconds, or for instance `{days: 1, hours: 2}`. */
export type Time = number | {days?: number; hours?: number; minutes?: number; seconds?: number};
export type JsonRecord = Record<string, any>;

export interface Clock {
  session: string;
  now: string;
  frozen: boolean;
  moved: boolean;
}

/** What a request must match; everything that is left out matches anything. */
export interface Match<N extends Names = Names> {
  operation?: N['operation'];
  method?: string;
  /** `*` is any text. */
  path?: string;
  /** 404, or "4XX". */
  status?: number | string;
  /** A part of what the journal says chose the response. */
  chosen_by?: string;
  violates_contract?: boolean;
  /** The value of each field, or true for any value. */
  headers?: Record<string, string | true>;
  /** The value at each JSON pointer. */
  body?: Record<string, unknown>;
}

export interface JournalQuery<N extends Names = Names> extends Match<N> {
  /** Only requests with a higher id. */
  after?: number;
  /** Only requests from this time on, by the session's clock. */
  since?: string;
  /** At most this many, the newest. */
  limit?: number;
}

export interface Demand {
  exactly?: number;
  at_least?: number;
  at_most?: number;
  /** How long to wait for it. */
  timeout_ms?: number;
  after?: number;
  since?: string;
}

export interface RequestSummary {
  id: number;
  time: string;
  method: string;
  target: string;
  operation: string | null;
  /** 0 if a fault prevented the status line. */
  status: number;
  fault?: string;
  chosen_by: string;
  request_violations: number;
  response_violations: number;
}

export interface Exchange extends Omit<RequestSummary, 'request_violations' | 'response_violations'> {
  session: string;
  request: {method: string; target: string; headers: Array<[string, string]>; body?: string};
  response: {status: number; headers: Array<[string, string]>; body?: string};
  request_violations: JsonRecord[];
  response_violations: JsonRecord[];
  routing?: JsonRecord;
  /** The operations that a request to none may have meant, nearest first. */
  near_misses?: Array<{operation: string; method: string; path: string; why: string}>;
  chosen?: {by: string; file?: string; line?: number};
}

export interface Verdict {
  verdict: 'pass';
  matched: number;
  requests: RequestSummary[];
}

/** A JSON pointer into the values of a call: "/path/id", "/body/name". */
export type Place = `/${'path' | 'query' | 'header' | 'cookie' | 'body' | 'record'}${string}`;

/** fixtures/README.md says when each holds. */
export type Condition =
  | {at: Place; equals: unknown}
  | {at: Place; contains: unknown}
  | {at: Place; matches: string}
  | {at: Place; less: number | string}
  | {at: Place; greater: number | string}
  | {at: Place; exists: true}
  | {at: Place; absent: true}
  | {at: Place; before_now: true}
  | {at: Place; after_now: true}
  | {at: Place; equals_at: Place}
  | {at: Place; after_at: Place}
  | {at: Place; among: Place}
  | {any: Condition[]}
  | {not: Condition};

export interface Rule<N extends Names = Names> {
  name?: string;
  operations?: Array<N['operation']>;
  when?: Condition[];
  every?: number;
  probability?: number;
  again?: boolean;
  steps?: Step[];
}

export type Fault =
  | 'reset' | 'empty' | 'truncate' | 'wrong-length' | 'bad-chunk' | 'garbage' | 'slow-body' | 'slow-close' | 'stall'
  | 'split-writes'
  | 'cut-item'
  | 'late-item'
  | 'repeated-item'
  | 'swapped-items'
  | 'malformed-item';

export type ErrorKind =
  | 'malformed_request' | 'undecodable_parameters' | 'undecodable_path' | 'undecodable_headers' | 'undecodable_cookies'
  | 'invalid_parameters' | 'invalid_body' | 'unreadable_preference' | 'unknown_preference' | 'unauthorized' | 'forbidden'
  | 'unknown_path' | 'not_found' | 'method_not_allowed' | 'conflict' | 'too_large' | 'unsupported_media_type'
  | 'range_not_satisfiable' | 'too_many_requests' | 'internal' | 'not_implemented';

/** Milliseconds, at most 60,000. */
export type Delay =
  | {fixed_ms: number}
  | {uniform_ms: [min: number, max: number]}
  | {log_normal_ms: {median: number; sigma: number}};

/** A value that is made for each call, in the body of a response or as a header. */
export type Template = {from: Place} | {now: true | string} | {next: string} | {random: 'uuid' | 'hex' | 'integer'};

type Headers = Record<string, string>;
type ErrorResponse = {status?: number; message: string; headers?: Headers} &
  ({use: ErrorKind; code?: string} | {use?: undefined; code: string});

/** What a step sends instead of the usual response: one of these, or nothing. */
type Sent =
  | {force?: {status: number; message?: string; headers?: Headers; text?: string}; error?: undefined; response?: undefined}
  | {error: ErrorResponse; force?: undefined; response?: undefined}
  | {
      response: {status?: number; headers?: Record<string, string | Template>; body?: unknown; stream?: StreamPlan};
      force?: undefined;
      error?: undefined;
    };

/** The delivery of a stream's items. */
export interface StreamPlan {
  pace_ms?: number;
  repeat?: number | 'forever';
  end?: 'close' | 'open';
}

/** A step of a scenario; fixtures/README.md describes it. */
export type Step = Sent & {
  times?: number;
  for?: number;
  record?: JsonRecord;
  delay?: Delay;
  fault?: Fault;
  stream?: StreamPlan;
};

export interface Scenario {
  name: string;
  description: string;
  armed: boolean;
  own: boolean;
  /** Armed, and no rule has a step left. */
  over?: boolean;
  rules: JsonRecord[];
}

/** One caller's own records, clock, scenarios, limits and journal. */
export interface Session<N extends Names = Names> {
  readonly name: string;
  /** The base URL of the session, for clients that take nothing but an address. */
  readonly url: string;
  /** The header that names the session, for requests to `mock.url`. */
  readonly headers: Record<string, string>;
  /** The same, for a request that violates the contract on purpose. */
  expectInvalid(): Record<string, string>;
  /** A request to the session: `path` comes after `url`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The address of the session in the mock's console, for a browser. */
  readonly console: string;

  arm(scenario: N['scenario']): Promise<Scenario>;
  /** Disarms one scenario, or all. */
  disarm(scenario?: N['scenario'] | (string & {})): Promise<unknown>;
  scenarios(): Promise<Scenario[]>;
  /** Validates, stores and arms a scenario of the session's own. */
  scenario(name: string, rules: Array<Rule<N> & Step>, description?: string): Promise<Scenario>;
  /** What the next valid call of the operation gets: any status, as `Prefer: code=` has it, or a step of a scenario. */
  next(operation: N['operation'], what: number | Step): Promise<Scenario>;
  /** Breaks responses; replaces the faults that were set before. Without a name: no faults. */
  fault(name?: Fault, rule?: Rule<N>): Promise<unknown>;

  readonly clock: {
    now(): Promise<Clock>;
    set(now: string | Date, options?: {frozen?: boolean}): Promise<Clock>;
    /** Stops the clock: at that time, or where it is. */
    freeze(now?: string | Date): Promise<Clock>;
    advance(time: Time): Promise<Clock>;
    reset(): Promise<Clock>;
  };

  /** Of a key that is there from the start, or of any other. */
  record<C extends N['collection']>(collection: C, key: N['record'][C] | (string & {})): {
    get(): Promise<JsonRecord>;
    /** Creates or replaces it; what is left out gets the collection's defaults. */
    put(record: JsonRecord): Promise<JsonRecord>;
    /** A merge patch (RFC 7396). */
    patch(changes: JsonRecord): Promise<JsonRecord>;
    delete(): Promise<unknown>;
    /** As in the fixtures. */
    reset(): Promise<unknown>;
  };
  records(collection: N['collection']): Promise<Array<{key: string; changed: boolean; record: JsonRecord}>>;

  /** The streams of items that are open. */
  streams(): Promise<Array<{operation: N['operation']; media_type: string; opened: string}>>;
  /** Sends an item, or several, to those of the operation; `streams` of the result is their number. */
  push(operation: N['operation'], items: unknown): Promise<{streams: number}>;
  /** Ends those of the operation. */
  endStreams(operation: N['operation']): Promise<{streams: number}>;

  /** The journal's requests that match, oldest first. */
  requests(match?: JournalQuery<N>): Promise<RequestSummary[]>;
  /** One request and its response, with bodies, violations, and why no other operation matched. */
  exchange(id: number): Promise<Exchange>;
  /** The newest requests with bodies and violations, oldest first. */
  exchanges(match?: JournalQuery<N>): Promise<Exchange[]>;
  /** Rejects unless so many requests match; by default at least one. */
  verify(match: Match<N>, demand?: Demand): Promise<Verdict>;
  /** The requests that match, as soon as there are `count` (1); rejects after `timeout` (5000) milliseconds. */
  wait(match: Match<N>, options?: {count?: number; timeout?: number}): Promise<RequestSummary[]>;
  /** In words: what was called, and why each error and each violation came about. */
  explain(match?: JournalQuery<N>): Promise<string>;

  seed(seed: number): Promise<unknown>;
  /** Undoes all changes and empties the journal. Snapshots stay. */
  reset(): Promise<unknown>;
  snapshot(name: string): Promise<unknown>;
  restore(name: string): Promise<unknown>;
  /** Deletes the session. */
  end(): Promise<unknown>;
}
