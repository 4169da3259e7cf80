'use strict';
// Two tables: verdicts by clause and operation, and what was seen of what the contract declares.

const CLASSES = [['document', 'What the document states'], ['standard', 'What standards state'],
                 ['assumption', 'What is assumed']];

function clause_order(one, other) {
  return one.localeCompare(other, 'en', {numeric: true});
}

// class -> clause -> operation -> verdict -> number
function tallied(run) {
  const tally = {};
  for (const item of run.cases) {
    const clauses = tally[item.class] ??= {};
    const operations = clauses[item.clause || '(none)'] ??= {};
    const verdicts = operations[item.operation_name] ??= {};
    verdicts[item.verdict] = (verdicts[item.verdict] || 0) + 1;
  }
  return tally;
}

function matrix_cell(clause, operation, verdicts) {
  if (!verdicts) return make('td', {}, make('span', {class: 'soft', 'aria-label': 'no case'}, '·'));
  const worst = ORDER.find((verdict) => verdicts[verdict]);
  const words = ORDER.filter((verdict) => verdicts[verdict])
                     .map((verdict) => `${verdicts[verdict]} ${verdict}`).join(', ');
  const signs = ORDER.filter((verdict) => verdicts[verdict])
                     .map((verdict) => `${SIGNS[verdict]} ${verdicts[verdict]}`).join('  ');
  const button = make('button', {type: 'button', class: `cell ${class_of(worst)}`,
                                 'aria-label': `${operation}, ${clause}: ${words}. Show the cases`,
                                 title: words}, signs);
  button.addEventListener('click', () => show_cases({operation, clause}));
  return make('td', {}, button);
}

function draw_matrix(run) {
  const section = document.getElementById('matrix');
  const operations = [...new Set(run.cases.map((item) => item.operation_name))];
  const tally = tallied(run);
  const body = make('tbody');
  for (const [name, words] of CLASSES) {
    if (!tally[name]) continue;
    body.append(make('tr', {class: 'group'},
                     make('th', {colspan: operations.length + 1, scope: 'rowgroup'}, words)));
    for (const clause of Object.keys(tally[name]).sort(clause_order)) {
      body.append(make('tr', {}, make('th', {scope: 'row'}, clause),
        operations.map((operation) => matrix_cell(clause, operation, tally[name][clause][operation]))));
    }
  }
  section.append(
    make('h2', {id: 'matrix-title'}, 'Verdicts by clause and operation'),
    make('p', {class: 'soft'}, '✓ kept  ✗ broken  ? inconclusive  – not run. ' +
                               'A cell leads to its cases.'),
    make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': 'matrix-title'},
         make('table', {class: 'grid'},
              make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Clause'),
                operations.map((operation) => make('th', {scope: 'col'}, operation)))),
              body)));
}

// {seen, unseen} lists, or true and false for what is either seen or not.
function proof_lists(kind, value) {
  if (typeof value === 'boolean') return value ? {seen: [kind], unseen: []} : {seen: [], unseen: [kind]};
  return {seen: (value.seen || []).map(String), unseen: (value.unseen || []).map(String)};
}

function proof_row(operation, kind, {seen, unseen}) {
  const known = new Set(seen);
  const declared = [...seen, ...unseen];
  const items = declared.map((name) => make('li', {},
    make('span', {class: `chip ${known.has(name) ? 'seen' : 'unseen-item'}`},
         `${known.has(name) ? '✓' : '○'} ${name}`,
         make('span', {class: 'unseen'}, known.has(name) ? ' seen' : ' never seen'))));
  return make('tr', {}, make('th', {scope: 'row'}, operation), make('td', {}, kind.replaceAll('_', ' ')),
    make('td', {}, `${seen.length} of ${declared.length}`),
    make('td', {}, make('ul', {class: 'chips'}, items)));
}

function proof_table(proof) {
  const body = make('tbody');
  for (const [operation, kinds] of Object.entries(proof.operations)) {
    for (const [kind, value] of Object.entries(kinds)) {
      const lists = proof_lists(kind.replaceAll('_', ' '), value ?? {});
      if (lists.seen.length + lists.unseen.length > 0) {
        body.append(proof_row(operation, kind, lists));
      }
    }
  }
  const head = ['Operation', 'What', 'Seen', ''].map((word) => make('th', {scope: 'col'}, word));
  return make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': 'proof-title'},
              make('table', {}, make('thead', {}, make('tr', {}, head)), body));
}

function unproven_cases(run) {
  const reasons = new Map();
  for (const item of run.cases) {
    if (item.verdict === 'not run' || item.verdict === 'inconclusive') {
      const why = `${item.verdict}: ${item.reason}`;
      reasons.set(why, [...(reasons.get(why) || []), item]);
    }
  }
  return [...reasons].map(([why, items]) => make('details', {class: 'card'},
    make('summary', {}, make('h3', {}, why), ' ',
         make('span', {class: 'soft'}, count_of(items.length, 'case'))),
    make('div', {class: 'inside'}, make('ul', {}, items.map((item) =>
      make('li', {}, `${item.operation_name}: ${item.sentence}`))))));
}

function draw_proof(run) {
  const section = document.getElementById('proof');
  section.append(make('h2', {id: 'proof-title'}, 'Proven and not'));
  if (run.proof) {
    const {proven, provable} = run.proof;
    section.append(make('p', {}, `This run saw ${proven} of ${provable} things that the contract ` +
      'declares: statuses, fields, values, nulls, pages and refusals. ',
      make('meter', {min: 0, max: provable || 1, value: proven,
                     'aria-label': `${proven} of ${provable} seen`})), proof_table(run.proof));
  }
  const cases = unproven_cases(run);
  section.append(cases.length === 0
    ? make('p', {}, 'Every selected case was carried out and said something.')
    : make('p', {}, 'These cases prove nothing:'), ...cases);
}
