'use strict';
// Causes: each violated statement once. Findings: each violation once, however many cases met it,
// with the request, the response and the place.

const SEVERITIES = ['error', 'warning', 'note'];

function grouped_findings(run) {
  const groups = new Map();
  for (const item of run.cases) {
    for (const finding of item.findings) {
      const known = groups.get(finding.fingerprint);
      if (known) known.cases.push(item);
      else groups.set(finding.fingerprint, {finding, cases: [item]});
    }
  }
  const rank = ({finding}) => SEVERITIES.indexOf(finding.severity) * 2 + (finding.state === 'known');
  return [...groups.values()].sort((one, other) => rank(one) - rank(other));
}

// What the baseline says of a finding, if it has it.
function baseline_facts(run, finding) {
  const entry = run.baseline?.entries.find(({id}) => id === finding.fingerprint);
  return entry ? [['known until', entry.expires], ['reason', entry.reason],
                  ['owner', [entry.owner, entry.ticket].filter(Boolean).join(', ')]] : [];
}

// Header lines; those with the name are marked.
function head_elements(first_line, lines, name) {
  const elements = [];
  const add = (line, marked) => elements.push(marked ? make('mark', {}, line) : line, '\n');
  add(first_line, name === '');
  for (const line of lines) {
    add(line, name && line.toLowerCase().startsWith(name.toLowerCase() + ':'));
  }
  return elements;
}

function request_element(request) {
  const head = head_elements(`${request.method} ${request.target} HTTP/1.1`, request.headers, null);
  return make('div', {}, make('h4', {}, 'Request'),
              make('pre', {tabindex: 0, 'aria-label': 'Request'}, head,
                   request.body === '' ? null : ['\n', json_elements(request.body, '')].flat()));
}

function response_notes(exchange) {
  const response = exchange.response;
  const notes = [`${response.bytes} bytes received`, `framing ${response.framing}`];
  if (response.chunks > 0) notes.push(count_of(response.chunks, 'chunk'));
  if (response.cut) notes.push(`${response.body_bytes} bytes of body, the first of them shown`);
  if (!response.text) notes.push('bytes that are not text are shown as \\xNN');
  if (response.trailers.length > 0) notes.push(`trailers: ${response.trailers.join('; ')}`);
  if (response.surplus !== '') notes.push(`surplus: ${response.surplus}`);
  if (exchange.reused_connection) notes.push('on a reused connection');
  return `${notes.join(' · ')} · connection ${exchange.ending} · ` +
         `${duration(exchange.timing_us.total)}`;
}

function response_element(exchange, place) {
  const title = make('h4', {}, 'Response');
  if (exchange.response === null) {
    const words = `no response: ${exchange.ending}${exchange.failure && ` (${exchange.failure})`}`;
    return make('div', {}, title, make('pre', {}, make('mark', {}, words)));
  }
  const response = exchange.response;
  const name = place === 'status' || place === 'wire' ? ''
               : place.startsWith('header/') ? place.slice(7) : null;
  const text = make('pre', {tabindex: 0, 'aria-label': 'Response'});
  for (const head of response.interim) {
    add(text, head_elements(head.status_line, head.headers, null), '\n');
  }
  add(text, head_elements(response.status_line, response.headers, name));
  if (response.body !== '') {
    const pointer = place.startsWith('body') ? place.slice(4) : '';
    add(text, '\n', json_elements(response.body, pointer));
  }
  return make('div', {}, title, text, make('p', {class: 'soft'}, response_notes(exchange)));
}

function finding_inside(run, group) {
  const {finding, cases} = group;
  const inside = make('div', {class: 'inside'});
  inside.append(facts([
    ['case', cases[0].sentence],
    ['expected', finding.must],
    ['actual', finding.is],
    ['place', make('code', {}, finding.place)],
    ['rests on', `${finding.clause} (${finding.class})`],
    ['stated at', make('code', {}, `${finding.stated_at} ${finding.pointer}`.trim())],
    ['request', finding.changed || 'a plain request'],
    ['excerpt', make('code', {}, finding.excerpt)],
    ['id', make('code', {}, finding.fingerprint)], ...baseline_facts(run, finding)]));
  if (finding.exchange !== undefined) {
    const exchange = run.exchanges[finding.exchange];
    inside.append(make('div', {class: 'pair'}, request_element(exchange.request),
                       response_element(exchange, finding.place)));
  }
  if (finding.curl) inside.append(make('h4', {}, 'Reproduce'), command(finding.curl));
  if (cases.length > 1) {
    inside.append(make('h4', {}, `Met by ${cases.length} cases`),
                  make('ul', {}, cases.map((item) => make('li', {}, item.sentence))));
  }
  return inside;
}

// Where a request was wrong on purpose, its case says more than "must be rejected (4xx), but is 200".
function heading(about_request, sentence, message) {
  return about_request ? [make('h3', {}, sentence), make('span', {}, ` ${message}`)]
                       : [make('h3', {}, message)];
}

function cause_item(cause) {
  const names = cause.operations.slice(0, 2).join(', ') +
                (cause.operations.length > 2 ? ` and ${cause.operations.length - 2} more` : '');
  const id = `finding-${cause.fingerprint}`;
  const link = make('a', {href: `#${id}`}, ...heading(cause.value !== '', cause.sentence, cause.message));
  link.addEventListener('click', () => {
    const card = document.getElementById(id);
    if (card) card.open = true;
  });
  return make('li', {class: 'card'}, link,
    make('div', {class: 'where'}, chip(cause.severity), cause.state ? chip(cause.state) : null,
         make('code', {}, cause.rule), make('span', {}, names), make('code', {}, cause.place),
         make('span', {class: 'soft'}, `${cause.clause} · ${count_of(cause.cases, 'case')}`)));
}

function draw_causes(run) {
  const section = document.getElementById('causes');
  section.append(make('h2', {id: 'causes-title'}, `Causes (${run.causes.length})`),
                 run.causes.length === 0 ? make('p', {}, 'No findings.')
                                         : make('ol', {class: 'causes'}, run.causes.map(cause_item)));
}

function finding_card(run, group) {
  const {finding, cases} = group;
  const card = make('details', {class: 'card finding', 'data-severity': finding.severity,
                                id: `finding-${finding.fingerprint}`},
    make('summary', {}, ...heading(finding.place === 'status' && finding.changed !== '',
                                   cases[0].sentence, finding.message),
         make('div', {class: 'where'}, chip(finding.severity),
              finding.state ? chip(finding.state) : null, make('code', {}, finding.rule),
              make('span', {}, cases[0].operation_name), make('code', {}, finding.place),
              make('span', {class: 'soft'}, `${finding.clause} · ${count_of(cases.length, 'case')}`))));
  // Made when it is opened: a long run has thousands of lines, and few of them are read.
  card.addEventListener('toggle', () => {
    if (card.open && card.children.length === 1) card.append(finding_inside(run, group));
  });
  return card;
}

function draw_findings(run) {
  const section = document.getElementById('findings');
  const groups = grouped_findings(run);
  section.append(make('h2', {id: 'findings-title'}, `Findings (${groups.length})`));
  if (groups.length === 0) {
    section.append(make('p', {}, 'No findings.'));
    return;
  }
  const cards = groups.map((group) => finding_card(run, group));
  const bar = make('div', {class: 'bar', role: 'group', 'aria-label': 'Findings by severity'});
  for (const severity of SEVERITIES) {
    const number = groups.filter((group) => group.finding.severity === severity).length;
    if (number === 0) continue;
    const button = make('button', {type: 'button', 'aria-pressed': 'true'},
                        count_of(number, severity));
    button.addEventListener('click', () => {
      const shown = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(shown));
      for (const card of cards) {
        if (card.dataset.severity === severity) card.hidden = !shown;
      }
    });
    bar.append(button);
  }
  const all = make('button', {type: 'button'}, 'Open all');
  all.addEventListener('click', () => cards.forEach((card) => { card.open = true; }));
  bar.append(all);
  section.append(bar, ...cards);
  if (cards.length <= 3) cards.forEach((card) => { card.open = true; });
}
