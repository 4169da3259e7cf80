'use strict';
// Every case of the run, found by verdict, operation, clause and words; the failed ones first. Of many the first are
// shown, so that what comes after them is not far.

const FIRST_CASES = 50;
const filter = {verdict: '', operation: '', clause: '', words: ''};
let case_rows = [];
let shown_at_most = FIRST_CASES;

function step_list(item) {
  return make('ol', {}, item.steps.map((step) => make('li', {},
    make('code', {}, step.request), ` → ${step.response} `,
    make('span', {class: 'soft'}, duration(step.time_us)), command(step.curl))));
}

function case_inside(item) {
  const inside = make('div', {class: 'inside'});
  inside.append(facts([['rule', make('code', {}, item.rule)],
                       ['rests on', `${item.clause} (${item.class})`],
                       ['reason', item.reason], ['id', make('code', {}, item.id)]]));
  for (const finding of item.findings) {
    const link = make('a', {href: `#finding-${finding.fingerprint}`}, finding.message);
    link.addEventListener('click', () => {
      document.getElementById(`finding-${finding.fingerprint}`).open = true;
    });
    inside.append(make('p', {}, chip(finding.severity), ' ', link));
  }
  inside.append(item.steps.length > 0 ? step_list(item)
                                      : make('p', {class: 'soft'}, 'Nothing was sent.'));
  return inside;
}

function case_row(item) {
  const row = make('details', {class: 'card case', 'data-verdict': item.verdict},
    make('summary', {}, chip(item.verdict), ' ', make('strong', {}, item.operation_name), ' ',
         item.sentence, ' ', make('span', {class: 'soft'},
           `${item.clause} · ${count_of(item.steps.length, 'request')} · ${duration(item.time_us)}`)));
  row.addEventListener('toggle', () => {
    if (row.open && row.children.length === 1) row.append(case_inside(item));
  });
  return {row, item};
}

function fits(item) {
  const words = filter.words.toLowerCase();
  return (!filter.verdict || item.verdict === filter.verdict) &&
         (!filter.operation || item.operation_name === filter.operation) &&
         (!filter.clause || (item.clause || '(none)') === filter.clause) &&
         `${item.sentence} ${item.rule} ${item.id}`.toLowerCase().includes(words);
}

function apply_filter() {
  let found = 0;
  for (const {row, item} of case_rows) {
    found += fits(item) ? 1 : 0;
    row.hidden = !fits(item) || found > shown_at_most;
  }
  const words = `${found} of ${case_rows.length} cases`;
  document.getElementById('cases-shown').textContent = words;
  const more = document.getElementById('more-cases');
  more.hidden = found <= shown_at_most;
  more.textContent = `Show all ${found}`;
  say(words);
}

// From a cell of the matrix.
function show_cases(wanted) {
  Object.assign(filter, {verdict: '', words: ''}, wanted);
  shown_at_most = FIRST_CASES;
  for (const name of ['verdict', 'operation', 'clause', 'words']) {
    document.getElementById(`filter-${name}`).value = filter[name];
  }
  apply_filter();
  document.getElementById('cases').scrollIntoView();
  document.getElementById('filter-operation').focus({preventScroll: true});
}

function choice(name, label, values) {
  const select = make('select', {id: `filter-${name}`}, make('option', {value: ''}, `any ${label}`),
                      values.map((value) => make('option', {value}, value)));
  select.addEventListener('change', () => {
    filter[name] = select.value;
    apply_filter();
  });
  return [make('label', {for: `filter-${name}`, class: 'unseen'}, label), select];
}

function draw_cases(run) {
  const section = document.getElementById('cases');
  const distinct = (pick) => [...new Set(run.cases.map(pick))];
  const search = make('input', {id: 'filter-words', type: 'search', placeholder: 'words, rule or id'});
  search.addEventListener('input', () => {
    filter.words = search.value;
    apply_filter();
  });
  const more = make('button', {type: 'button', id: 'more-cases'});
  more.addEventListener('click', () => {
    shown_at_most = Infinity;
    apply_filter();
  });
  const place = ({verdict}) => ORDER.indexOf(verdict);
  case_rows = [...run.cases].sort((one, other) => place(one) - place(other)).map(case_row);
  section.append(
    make('h2', {id: 'cases-title'}, 'Cases'),
    make('div', {class: 'bar', role: 'search'},
         choice('verdict', 'verdict', ORDER.filter((verdict) =>
           run.cases.some((item) => item.verdict === verdict))),
         choice('operation', 'operation', distinct((item) => item.operation_name)),
         choice('clause', 'clause', distinct((item) => item.clause || '(none)').sort(clause_order)),
         make('label', {for: 'filter-words', class: 'unseen'}, 'words'), search,
         make('span', {id: 'cases-shown', class: 'soft'})),
    ...case_rows.map(({row}) => row), more);
  apply_filter();
}
