// What happens in the mock, as it happens: /_mock/events, read with fetch because EventSource sends no
// header for the control token. While there is no stream, the journal is asked each second.

const ASK_AGAIN_MS = 1000;
const STREAM_AGAIN_MS = 15000;
const MAX_EVENT_CHARACTERS = 16e6;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// {event, id, data} of each event in `text`, and the text that is left.
function split_events(text) {
  const pieces = text.split(/\r?\n\r?\n/);
  const left = pieces.pop();
  const events = pieces.map((piece) => {
    const event = {event: 'message', id: '', data: ''};
    for (const line of piece.split(/\r?\n/)) {
      const [, name, value] = /^([a-z]+):? ?(.*)$/s.exec(line) ?? [];
      if (name === 'data') event.data += (event.data ? '\n' : '') + value;
      else if (name) event[name] = value;
    }
    return event;
  });
  return {events: events.filter(({data}) => data !== ''), left};
}

class Feed {
  // handlers: loaded, entries, state, change, restarted, missing (the session), lost, reloaded
  constructor(session, handlers) {
    this.session = session;
    this.handlers = handlers;
    this.newest = 0;
    this.boot = Feed.boot;
    this.stopping = new AbortController();
  }

  stop() {
    this.stopping.abort();
  }

  get stopped() {
    return this.stopping.signal.aborted;
  }

  query(more = {}) {
    const values = {...more, ...(this.session ? {session: this.session} : {})};
    return new URLSearchParams(values).toString();
  }

  // Loads the newest `limit` entries, then follows.
  async start(limit) {
    await this.load(limit);
    let asked_stream = -STREAM_AGAIN_MS;
    while (!this.stopped) {
      if (this.was_away || performance.now() - asked_stream >= STREAM_AGAIN_MS) {
        const began = performance.now();
        const had_stream = await this.stream().catch(() => false);
        this.is_unsure = had_stream;  // it ended: whether the mock did, too, is seen by the next question
        asked_stream = had_stream ? -STREAM_AGAIN_MS : began;
        if (this.stopped) return;
      }
      await this.ask();
      await pause(ASK_AGAIN_MS);
    }
  }

  async load(limit) {
    const {requests, window, matched} = await call('GET', `/_mock/requests?${this.query({limit: String(limit)})}`);
    if (this.stopped) return;
    this.newest = requests.at(-1)?.id ?? 0;
    this.handlers.loaded(requests, {...window, matched});
  }

  // One question for new entries.
  async ask() {
    try {
      const {requests} = await call('GET', `/_mock/requests?${this.query({after: String(this.newest), limit: '10000'})}`,
                                    {signal: this.stopping.signal});
      if (this.stopped) return;
      if (this.was_away) {
        this.was_away = false;
        this.handlers.restarted(false);
        return;
      }
      this.is_unsure = false;
      this.handlers.state('asking', 'asking each second');
      this.take(requests);
      this.handlers.change(['asked']);
    } catch (problem) {
      if (!this.stopped) this.fail(problem);
    }
  }

  // A session that is gone after the mock was away went with it.
  fail(problem) {
    if (problem.status === 404 && this.was_away) {
      this.was_away = false;
      this.handlers.restarted(true);
    } else if (problem.status === 404) {
      this.is_unsure = false;
      this.handlers.missing();
    } else {
      this.was_away ||= problem.status === 0;
      this.handlers.state('away', problem.message);
    }
  }

  take(requests) {
    const fresh = requests.filter(({id}) => id > this.newest);
    if (fresh.length === 0) return;
    this.newest = fresh.at(-1).id;
    this.handlers.entries(fresh);
  }

  // Reads the stream until it ends; false if there is none.
  async stream() {
    const path = `/_mock/events?${this.query({after: String(this.newest)})}`;
    const response = await fetch_allowed('GET', path, {accept: 'text/event-stream', signal: this.stopping.signal});
    if (!response.ok || !(response.headers.get('Content-Type') ?? '').startsWith('text/event-stream')) return false;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const {value, done} = await reader.read().catch(() => ({done: true}));
      if (done || this.stopped || text.length > MAX_EVENT_CHARACTERS) break;
      const {events, left} = split_events(text + value);
      text = left;
      this.handle(events);
    }
    reader.cancel().catch(() => {});
    return true;
  }

  handle(events) {
    const entries = [];
    for (const {event, data} of events) {
      const value = JSON.parse(data);
      if (event === 'request') entries.push(value);
      else if (event === 'hello') this.greet(value);
      else if (event === 'lost') this.handlers.lost(value.count);
      else if (event === 'reload') this.handlers.reloaded();
      else if (event === 'change' && this.concerns(value)) this.handlers.change(value.what);
    }
    if (!this.stopped) this.take(entries);
  }

  concerns({session}) {
    return this.session === '*' || (session ?? '') === this.session;
  }

  greet({boot, newest}) {
    const is_other = (Feed.boot !== null && Feed.boot !== boot) || newest < this.newest;
    Feed.boot = boot;
    this.was_away = false;
    this.is_unsure = false;
    if (is_other) {
      this.handlers.restarted(true);
      return;
    }
    this.handlers.state('live', 'live');
    this.handlers.change(['records', 'scenarios', 'clock', 'session']);  // what changed before the stream began
  }
}
Feed.boot = null;
