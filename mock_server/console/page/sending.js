// One request that the page sends to the mock as an application would, and what comes back, as it comes.

const MAX_RECEIVED = 16e6;
const MAX_SHOWN_EVENTS = 500;
const LOOK_FOR_ENTRY_MS = [0, 60, 150, 400, 1000];

const is_json_type = (type) => /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
const is_text_type = (type) => is_json_type(type) || /^(?:text\/|application\/(?:xml|x-www-form-urlencoded|javascript|yaml|[\w.+-]+\+xml))/i.test(type);
const is_stream_type = (type) => /^(?:text\/event-stream|application\/(?:x-ndjson|jsonl|json-seq|x-json-stream))/i.test(type);

// Sends `request` ({method, target, headers, payload, cookies}); calls show(result) as more is known. The result:
// {status, headers, type, bytes, text, events, took_ms, is_done, problem}.
async function send_request(request, session, signal, show) {
  const result = {status: 0, headers: [], type: '', bytes: 0, chunks: [], events: [], is_done: false, problem: ''};
  const began = performance.now();
  const cookies = request.cookies.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  cookies.forEach((cookie) => { document.cookie = `${cookie}; path=/; SameSite=Strict`; });
  try {
    const headers = new Headers(request.headers);
    if (session) headers.set('X-Counterpart-Session', session);
    const response = await fetch(request.target, {method: request.method, headers, body: request.payload, signal, cache: 'no-store', redirect: 'manual',
                                                  credentials: cookies.length ? 'same-origin' : 'omit', referrerPolicy: 'no-referrer'});
    Object.assign(result, {status: response.status, headers: [...response.headers], type: response.headers.get('Content-Type') ?? ''});
    show(result);
    await receive(response, result, show);
  } catch (error) {
    result.problem = error.name === 'AbortError' ? 'Stopped.' : result.status ? 'The connection was closed before the response was whole.' : error instanceof TypeError && /header|method|value/i.test(error.message) ? error.message : 'No response: the connection was closed.';
  } finally {
    cookies.forEach((cookie) => { document.cookie = `${cookie.split('=')[0]}=; path=/; Max-Age=0`; });
  }
  Object.assign(result, {is_done: true, took_ms: performance.now() - began});
  show(result);
  return result;
}

// Reads the body piece by piece, so that the events of a stream are shown when they come.
async function receive(response, result, show) {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = is_stream_type(result.type) ? new TextDecoder() : null;
  let text = '';
  for (;;) {
    const {value, done} = await reader.read();
    if (done) break;
    result.bytes += value.length;
    if (!decoder) {
      result.chunks.push(value);
      if (result.bytes > MAX_RECEIVED) {
        result.problem = 'The rest was not read: the body is too large to be shown here.';
        await reader.cancel();
        break;
      }
      continue;
    }
    const {events, left} = stream_parts(text + decoder.decode(value, {stream: true}), result.type);
    text = left;
    result.events = result.events.concat(events.map((event) => ({...event, after_ms: performance.now()}))).slice(-MAX_SHOWN_EVENTS);
    show(result);
  }
  if (text.trim()) result.events.push({event: '', id: '', data: text, after_ms: performance.now()});
}

function stream_parts(text, type) {
  if (/event-stream/i.test(type)) return split_events(text);
  const lines = text.split(/[\n\u001e]/);
  const left = lines.pop();
  return {events: lines.filter((line) => line.trim()).map((data) => ({event: '', id: '', data})), left};
}

async function bytes_received(result) {
  return new Uint8Array(await new Blob(result.chunks).arrayBuffer());
}

// The id of the newest entry of the session's journal.
async function newest_entry(session) {
  const {requests} = await call('GET', '/_mock/requests?limit=1', {session});
  return requests.at(-1)?.id ?? 0;
}

// The entry of the journal for what was sent, with its explanation; nothing if there is none.
async function explanation_of(request, session, after) {
  const sent = new URL(request.target, location.origin);
  const is_it = ({method, target}) => method === request.method && new URL(target, location.origin).href === sent.href;
  for (const wait of LOOK_FOR_ENTRY_MS) {
    if (wait) await pause(wait);
    const {requests} = await call('GET', `/_mock/requests?after=${after}&limit=1000`, {session});
    const entry = requests.findLast(is_it);
    if (entry) return call('GET', `/_mock/requests/${entry.id}`, {session});
  }
  return null;
}
