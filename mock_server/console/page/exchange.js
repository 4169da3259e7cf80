// One request: what came, what was sent, and why.

// Shows the request with this id in `holder`; null for none.
async function show_exchange(holder, id, is_newest = false) {
  const asked = `${app.session} ${id}`;
  if (id !== null && holder.dataset.asked === asked && holder.dataset.found === String(id)) {  // what was unfolded stays
    holder.querySelector('.newest')?.remove();
    if (is_newest) holder.prepend(newest_note());
    return;
  }
  holder.dataset.asked = asked;
  if (id === null) {
    delete holder.dataset.found;
    holder.replaceChildren(make('p', {class: 'empty soft'}, 'No request yet; the newest is shown here.'));
    return;
  }
  try {
    const session = app.session === '*' ? journal.of(id)?.session ?? '' : app.session;
    const exchange = await call('GET', `/_mock/requests/${id}`, {session});
    if (holder.dataset.asked !== asked) return;
    holder.dataset.found = String(id);
    holder.replaceChildren(...(is_newest ? [newest_note()] : []), ...exchange_view(exchange));
    holder.scrollTop = 0;
  } catch (problem) {
    if (holder.dataset.asked !== asked) return;
    delete holder.dataset.found;
    const words = problem.status === 404 ? `Request ${id} is not in the journal of this session. The journal drops the oldest requests, and a reset empties it.` : problem.message;
    holder.replaceChildren(back_link(), make('p', {class: 'empty'}, words));
  }
}

const newest_note = () => make('p', {class: 'soft newest'}, 'The newest request; j and k choose another.');

const back_link = () => make('a', {class: 'back', href: address(['requests'], filters_of(read_route().query))}, '\u2190 All requests');

function exchange_view(exchange) {
  const {id, method, target, status, request, response} = exchange;
  return [
    back_link(),
    make('h2', {class: 'request-line'}, status_chip(status), ' ', make('span', {class: 'method'}, method), ' ', code(target)),
    make('p', {class: 'soft'}, [`Request ${id}`, exchange.time, duration_text(exchange.took_us), `session ${exchange.session || 'default'}`, `from ${exchange.peer}`].join(' \u00b7 ')),
    exchange.fault ? make('p', {}, chip(exchange.fault, 'bad'), ` The fault delivered ${exchange.delivered ?? ''}; below is the response as it was before.`) : null,
    copies_view(exchange),
    why_view(exchange),
    violations_view('Violations in the request', exchange.request_violations),
    violations_view('Violations in the response', exchange.response_violations),
    message_view('Request', request),
    message_view('Response', response),
    compare_view(exchange)
  ].filter((part) => part !== null);
}

const operation_line = (operation, ...more) => make('li', {},
  make('a', {href: address(['operations', operation.id ?? operation.operation])}, operation.name ?? `${operation.method} ${operation.path}`),
  ' ', soft(place_text(operation)), ...more);

// The bodies beside those of an earlier request of the same operation.
function compare_view(exchange) {
  const same = journal.all.filter((entry) => entry.id < exchange.id && entry.operation === exchange.operation && (entry.session ?? exchange.session) === exchange.session).slice(-20).reverse();
  if (!is_live || !same.length) return null;
  const holder = make('div', {});
  const chosen = select(same.map(({id, status, target}) => [String(id), `${id}: ${status} ${target}`.slice(0, 80)]), String(same[0].id));
  const compare = async () => {
    const other = await call('GET', `/_mock/requests/${chosen.value}`, {session: exchange.session});
    const part = (title, name) => other[name].body === undefined || exchange[name].body === undefined ? make('p', {class: 'soft'}, `${title}: binary`) :
      make('section', {}, make('h4', {}, title), diff_view(readable(other[name].body), readable(exchange[name].body), `The change of the ${title.toLowerCase()}`));
    holder.replaceChildren(make('p', {}, status_chip(other.status), ' \u2192 ', status_chip(exchange.status)), part('Body of the request', 'request'), part('Body of the response', 'response'));
  };
  return make('section', {'aria-label': 'Compare'}, make('h3', {}, 'Compare'), make('p', {class: 'actions'}, field('With an earlier request', chosen), button('Show the difference', compare)), holder);
}

function why_view(exchange) {
  const {routing, chosen} = exchange;
  const near = exchange.near_misses ?? [];
  const others = routing.others ?? [];
  const warnings = fields_named(exchange.response, 'x-counterpart-warning');
  return make('section', {'aria-label': 'Why this response'},
    make('h3', {}, 'Why this response'),
    facts([
      ['Operation', routing.matched ? [link(['operations', routing.matched.id], routing.matched.name), ' ', soft(place_text(routing.matched))] : 'None matches'],
      ['Chosen by', [chosen_words(chosen), ' ', soft(place_text(chosen))]],
      ['Served by', fields_named(exchange.response, 'x-counterpart-served-by')[0]],
      ['Rate limit', rate_words(exchange.response)],
      [warnings.length > 1 ? 'Warnings' : 'Warning', warnings.length ? warnings.map((words) => make('div', {}, words)) : null]
    ]),
    near.length ? make('div', {class: 'near'}, make('h4', {}, 'Nearest operations'),
      make('ol', {}, near.map((miss) => operation_line(miss, make('div', {}, miss.why))))) : null,
    others.length ? make('details', {}, make('summary', {}, `Why no other operation (${others.length})`),
      make('ul', {}, others.slice(0, 100).map((other) => operation_line(other, make('div', {}, other.why_not))))) : null);
}

// A record that chose a response is a link to it.
function chosen_words({by}) {
  const [, collection, key] = /^([\w.-]+)\/(\S+)$/.exec(by) ?? [];
  return app.collections.includes(collection) ? link(['records', collection, key], by) : by;
}

function rate_words(response) {
  const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) => field_of(response, `x-ratelimit-${name}`));
  if (!limit) return '';
  return `${left} of ${limit} calls left${reset ? `, until ${reset}` : ''}`;
}

function violations_view(title, violations) {
  if (!Array.isArray(violations) || violations.length === 0) return null;
  return make('section', {class: 'violations', 'aria-label': title},
    make('h3', {}, title, ' ', chip(String(violations.length), 'bad')),
    make('ol', {}, violations.map(violation_view)));
}

function violation_view(violation) {
  const {part, instance, message, rule, statement} = violation;
  const lines = violation.contract_lines;
  return make('li', {},
    make('p', {}, code(`${part}${instance}`), ': ', make('strong', {}, message)),
    facts([
      ['Keyword', rule],
      ['Contract', statement && [place_text(statement), statement.column ? `:${statement.column}` : '', ' ', soft(statement.pointer)]],
      ['Source', statement && [statement.clause, ' ', chip(statement.class, 'idle')]],
      ['Reason', statement?.reason]
    ]),
    lines ? lines_view(lines) : null);
}

// The lines of the contract around the statement, with its own marked.
function lines_view({file, first, line, text}) {
  const rows = text.map((words, index) => {
    const number = first + index;
    const row = make('span', {class: number === line ? 'line stated' : 'line'},
      make('span', {class: 'number'}, String(number)), make(number === line ? 'mark' : 'span', {}, words || ' '));
    return row;
  });
  return make('pre', {class: 'lines', tabindex: '0', role: 'group', 'aria-label': `${file}, line ${line}`}, rows);
}

function message_view(title, message) {
  return make('section', {'aria-label': title},
    make('h3', {}, title),
    make('details', {open: message.headers.length < 12}, make('summary', {}, many(message.headers.length, 'header field')),
      make('dl', {class: 'facts fields'}, message.headers.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]))),
    body_view(message, `Body of the ${title.toLowerCase()}`));
}
