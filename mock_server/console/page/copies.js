// One request as a command, as code, as a verification and as a scenario.

const LEFT_OUT = /^(?:host|content-length|connection|accept-encoding|transfer-encoding|origin|referer|sec-.*|priority|upgrade-insecure-requests)$/i;
const HIDDEN = '[hidden]';

const in_shell = (text) => `'${text.replaceAll('\'', '\'\\\'\'')}'`;
// Where a secret was taken out, the shell puts in $TOKEN.
const secret_in_shell = (text) => text.split(HIDDEN).map((part) => part ? in_shell(part) : '').join('"$TOKEN"');

function url_of(exchange) {
  const origin = is_live ? location.origin : `http://${field_of(exchange.request, 'host') || '127.0.0.1:4010'}`;
  return origin + exchange.target;
}

function fields_of(exchange) {
  const fields = exchange.request.headers.filter(([name]) => !LEFT_OUT.test(name));
  const has = fields.some(([name]) => name.toLowerCase() === 'x-counterpart-session');
  if (exchange.session && !has && !exchange.target.startsWith('/_s/')) fields.push(['X-Counterpart-Session', exchange.session]);
  return fields;
}

function as_curl(exchange) {
  const {method, request} = exchange;
  const parts = [`curl -i ${in_shell(url_of(exchange))}`];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push(`-X ${method}`);
  for (const [name, value] of fields_of(exchange)) parts.push(`-H ${secret_in_shell(`${name}: ${value}`)}`);
  if (request.body) parts.push(`--data-raw ${in_shell(request.body)}`);
  else if (request.body_bytes) parts.push('--data-binary @body');
  const note = request.body_is_cut ? '# the journal has only the start of the body\n' : '';
  return note + parts.join(' \\\n  ');
}

// A token that the mock accepts; nothing if the index names none.
function accepted_token() {
  const tokens = app.index?.tokens;
  return Array.isArray(tokens) ? tokens[0] : undefined;
}

// A string of JavaScript; where a secret was taken out, the constant TOKEN is put in.
function secret_in_code(text) {
  const parts = text.split(HIDDEN).flatMap((part, at) => [at > 0 ? 'TOKEN' : '', part && JSON.stringify(part)]);
  return parts.filter(Boolean).join(' + ') || '""';
}

function as_fetch(exchange) {
  const {method, request} = exchange;
  const accepted = accepted_token();
  const fields = fields_of(exchange).map(([name, value]) => [name, accepted ? value.replaceAll(HIDDEN, () => accepted) : value]);
  const has_hidden = fields.some(([, value]) => value.includes(HIDDEN));
  const headers = fields.map(([name, value]) => `\n    ${JSON.stringify(name)}: ${secret_in_code(value)}`);
  const members = [`"method": ${JSON.stringify(method)}`, `"headers": {${headers.join(',')}${headers.length ? '\n  ' : ''}}`,
    ...(request.body ? [`"body": ${JSON.stringify(request.body)}`] : [])];
  return `${has_hidden ? '// The journal holds no secrets: put in the token of your calls.\nconst TOKEN = \'token\';\n' : ''}` +
    `const response = await fetch(${JSON.stringify(url_of(exchange))}, {\n  ${members.join(',\n  ')}\n});`;
}

// A test for Node: the same call gets the same status and, where it is short, the same body.
const MAX_EXPECTED = 2000;

function as_test(exchange) {
  const {method, target, status, response} = exchange;
  const call_text = as_fetch(exchange).split('\n').map((line) => `  ${line}`).join('\n');
  const is_short = response.body && !response.body_is_cut && response.body.length <= MAX_EXPECTED && is_json(response.body);
  const expected = is_short ? indent_json(response.body).split('\n').join('\n  ') : '';
  return `import assert from 'node:assert/strict';\nimport test from 'node:test';\n\n` +
    `test(${JSON.stringify(`${method} ${target.split('?')[0]} gets ${status}`)}, async () => {\n${call_text}\n\n  assert.equal(response.status, ${status});\n` +
    `${expected ? `  assert.deepEqual(await response.json(), ${expected});\n` : ''}});`;
}

// Members of the request's body that are no object or list, by pointer; at most five.
function scalars_of(exchange) {
  let body;
  try {
    body = JSON.parse(exchange.request.body);
  } catch {
    return null;
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return null;
  const members = Object.entries(body).filter(([, value]) => value === null || typeof value !== 'object').slice(0, 5);
  return members.length ? Object.fromEntries(members.map(([name, value]) => [`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value])) : null;
}

function as_verification(exchange) {
  const body = scalars_of(exchange);
  const match = {method: exchange.method, path: exchange.target.replace(/^\/_s\/[^/]+/, '').split('?')[0], ...(body ? {body} : {})};
  if (exchange.operation) match.operation = exchange.operation;
  const session = exchange.session ? ` \\\n  -H 'X-Counterpart-Session: ${exchange.session}'` : '';
  const origin = new URL(url_of(exchange)).origin;
  return `curl -sS ${in_shell(`${origin}/_mock/requests/verify`)}${session} --json \\\n  ${in_shell(JSON.stringify({match, exactly: 1}))}`;
}

// {name, text}: a scenario that sends the same response to the next call; nothing if there is none.
function as_scenario(exchange) {
  const {response, operation, status} = exchange;
  const is_whole = response.body !== undefined && !response.body_is_cut && is_json(response.body || 'null');
  if (!operation || status < 200 || !is_whole) return null;
  const body = response.body ? `, "body": ${response.body}` : '';
  const retry = field_of(response, 'retry-after');
  const headers = retry ? `, "headers": {"Retry-After": ${JSON.stringify(retry)}}` : '';
  const text = `{"description": ${JSON.stringify(`The next call gets ${status}, as request ${exchange.id}.`)}, "rules": [{"operations": [${JSON.stringify(operation)}], ` +
    `"steps": [{"times": 1, "response": {"status": ${status}${headers}${body}}}]}]}`;
  return {name: `as_request_${exchange.id}`, text: indent_json(text)};
}

function copies_view(exchange) {
  const shown = make('div', {class: 'copied'});
  const scenario = as_scenario(exchange);
  const offer = (name, text, ...more) => button(name, () => {
    shown.replaceChildren(block(text, name), ...more);
    return copy(text, name);
  });
  const arm = () => button('Arm it', async () => {
    await call('PUT', `/_mock/scenarios/${scenario.name}`, {body: scenario.text, session: exchange.session});
    say(`Armed: the next call of ${exchange.operation} gets ${exchange.status}`);
  }, {class: 'main'});
  return make('section', {'aria-label': 'Copy'},
    make('p', {class: 'actions'}, soft('Copy as'),
      offer('curl', as_curl(exchange)), offer('fetch', as_fetch(exchange)), offer('test', as_test(exchange)), exchange.id ? offer('verify call', as_verification(exchange)) : null,
      scenario ? offer('scenario', scenario.text, is_live ? make('p', {class: 'actions'}, arm()) : '') : null,
      button('link', () => copy(location.href, 'link')),
      is_live && exchange.id && app.view_name !== 'operations' && app.operations.some(({id}) => id === exchange.operation) ? button('Edit and send', () => TryForm.fill(exchange), {class: 'main'}) : null),
    shown);
}
