'use strict';
// Two tables: verdicts by clause and operation, and the coverage of the contract.

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
    make('p', {class: 'soft'}, `✓ passed  ✗ failed  ${run.baseline ? '≈ known  ' : ''}? inconclusive  – skipped. ` +
                               'Click a cell to see its cases.'),
    make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': 'matrix-title'},
         make('table', {class: 'grid'},
              make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Clause'),
                operations.map((operation) => make('th', {scope: 'col'}, operation)))),
              body)));
}

function coverage_row(operation, kind, {seen, unseen, values = {}}) {
  const known = new Set(seen);
  const items = [...seen, ...unseen].map((name) => make('li', {},
    make('span', {class: `chip ${known.has(name) ? 'seen' : 'unseen-item'}`},
         `${known.has(name) ? '✓' : '○'} ${name}`,
         values[name] ? ` (${values[name].seen} of ${values[name].of} values)` : '',
         make('span', {class: 'unseen'}, known.has(name) ? ' seen' : ' never seen'))));
  return make('tr', {}, make('th', {scope: 'row'}, operation), make('td', {}, kind.replaceAll('_', ' ')),
    make('td', {}, `${seen.length} of ${items.length}`),
    make('td', {}, make('ul', {class: 'chips'}, items)));
}

function coverage_table(coverage) {
  const body = make('tbody');
  for (const [operation, {called, ...kinds}] of Object.entries(coverage.operations)) {
    body.append(coverage_row(operation, 'operation', called ? {seen: ['called'], unseen: []}
                                                            : {seen: [], unseen: ['called']}));
    for (const [kind, points] of Object.entries(kinds)) {
      if (points.seen.length + points.unseen.length > 0) {
        body.append(coverage_row(operation, kind, points));
      }
    }
  }
  const head = ['Operation', 'What', 'Seen', ''].map((word) => make('th', {scope: 'col'}, word));
  return make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': 'coverage-title'},
              make('table', {}, make('thead', {}, make('tr', {}, head)), body));
}

function cases_without_verdict(run) {
  return run.reasons.map(({verdict, reason, cases, operations}) => make('details', {class: 'card'},
    make('summary', {}, make('h3', {}, `${verdict}: ${reason}`), ' ',
         make('span', {class: 'soft'}, count_of(cases, 'case'))),
    make('div', {class: 'inside'}, make('ul', {}, Object.entries(operations).map(([name, count]) =>
      make('li', {}, `${name}: ${count_of(count, 'case')}`))))));
}

function draw_coverage(run) {
  const section = document.getElementById('coverage');
  const {points, seen} = run.coverage;
  section.append(
    make('h2', {id: 'coverage-title'}, 'Coverage'),
    make('p', {}, `This run saw ${seen} of the ${points} points that the contract has: operations, ` +
      'statuses, media types, parameters, fields, nulls and enumerations. ',
      make('meter', {min: 0, max: points || 1, value: seen, 'aria-label': `${seen} of ${points} seen`})),
    coverage_table(run.coverage));
  const cases = cases_without_verdict(run);
  section.append(cases.length === 0
    ? make('p', {}, 'Every selected case passed or failed.')
    : make('p', {}, 'These cases neither passed nor failed:'), ...cases);
}
