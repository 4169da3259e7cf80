'use strict';
// Draws the page from the run value inside it.

function tile(number, words, kind) {
  return make('li', {class: kind}, make('strong', {}, String(number)), words);
}

function draw_top(run) {
  const counts = run.counts;
  const known = run.baseline?.counts.known ?? 0;
  const meaning = {'passed': known > 0
                     ? `No case failed, but for ${count_of(known, 'known finding')}.`
                     : 'No case failed.',
                   'failed': 'At least one case failed.',
                   'inconclusive': 'No case failed, but the run is not complete.',
                   'unusable': 'The run could not start.'};
  document.getElementById('top').append(
    make('div', {class: 'verdict'}, make('h1', {}, run.contract),
         make('span', {class: `badge ${run.verdict}`, id: 'verdict'},
              `${SIGNS[run.verdict] || '?'} ${run.verdict}`)),
    make('p', {}, meaning[run.verdict], ' ', make('span', {class: 'soft'},
      `${run.target === 'mock' ? 'The mock' : 'The service'} at ${run.base_url}, ` +
      `${run.started}, ${duration(run.time_us)}, plan ${run.plan.hash}, seed ${run.plan.seed}` +
      `${run.document_only ? ', without assumptions' : ''}${run.interrupted ? ', interrupted' : ''}`)),
    make('ul', {class: 'tiles', 'aria-label': 'Counts'},
         tile(counts.passed, 'passed', 'passed'), tile(counts.failed, 'failed', counts.failed > 0 && 'failed'),
         run.baseline ? tile(counts.known, 'known') : null,
         tile(counts.inconclusive, 'inconclusive', counts.inconclusive > 0 && 'inconclusive'),
         tile(counts.skipped, 'skipped'), tile(counts.errors, 'errors'),
         tile(counts.warnings, 'warnings'), tile(counts.notes, 'notes'),
         tile(counts.requests, 'requests')));
  const problems = run.operations_without_a_case_run.map((name) => `No case reached ${name}.`)
                      .concat(run.problems)
                      .concat(run.cases_left_out ? [`${run.cases_left_out} more cases ran; this ` +
                              'page lists those with findings first, up to a limit.'] : [])
                      .concat(run.writes.not_put_back.map(({what, curl}) =>
                        `Could not be undone: ${what}${curl && ` (${curl})`}`));
  if (problems.length > 0) {
    document.getElementById('top').append(
      make('ul', {class: 'problems'}, problems.map((words) => make('li', {}, words))));
  }
}

function baseline_row(entry) {
  return make('tr', {}, make('td', {}, chip(entry.state.replaceAll('_', ' '))),
    [entry.operation, entry.rule, entry.place].map((text) => make('td', {}, make('code', {}, text))),
    [entry.says, entry.reason, [entry.owner, entry.ticket].filter(Boolean).join(', '), entry.expires]
      .map((text) => make('td', {}, text)));
}

// The entries that somebody must look at first.
function draw_baseline(run) {
  const section = document.getElementById('baseline');
  if (!run.baseline) {
    section.remove();
    return;
  }
  const states = ['expired', 'fixed', 'stale', 'not_seen', 'known'];
  const {counts, entries} = run.baseline;
  const order = [...entries].sort((one, other) =>
    states.indexOf(one.state) - states.indexOf(other.state) || one.days_left - other.days_left);
  const head = ['State', 'Operation', 'Rule', 'Place', 'Says', 'Reason', 'Owner', 'Last day'];
  section.append(
    make('h2', {id: 'baseline-title'}, 'Baseline'),
    make('p', {}, `${run.baseline.file}: ` + ['new', 'known', ...states.slice(0, 4)]
      .map((state) => `${counts[state]} ${state.replaceAll('_', ' ')}`).join(', ') + '.'),
    ...entries.length === 0 ? [] : [
    make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': 'baseline-title'},
         make('table', {}, make('thead', {}, make('tr', {}, head.map((word) =>
                make('th', {scope: 'col'}, word)))), make('tbody', {}, order.map(baseline_row))))]);
}

// What was tested of each operation, by kind, and why the rest was not.
function draw_tested(run) {
  const section = document.getElementById('tested');
  const operations = Object.entries(run.tested ?? {});
  if (operations.length === 0) {
    section.remove();
    return;
  }
  const row = ([operation, kinds]) => {
    const done = Object.keys(kinds).filter((kind) => kinds[kind] === 'tested');
    const left = Object.entries(kinds).filter(([, state]) => state !== 'tested');
    return make('tr', {}, make('th', {scope: 'row'}, operation),
      make('td', {}, done.length ? make('ul', {class: 'chips'}, done.map((kind) => make('li', {class: 'chip passed'}, kind))) : make('span', {class: 'soft'}, 'nothing')),
      make('td', {}, left.length ? make('details', {}, make('summary', {}, left.map(([kind]) => kind).join(', ')), make('ul', {}, left.map(([kind, why]) => make('li', {}, `${kind}: ${why}`)))) : null));
  };
  section.append(make('h2', {id: 'tested-title'}, 'Operations'),
    make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': 'tested-title'},
      make('table', {class: 'tested'}, make('thead', {}, make('tr', {}, ['Operation', 'Tested', 'Not tested'].map((words) => make('th', {scope: 'col'}, words)))),
        make('tbody', {}, operations.map(row)))));
}

// In the order of the page; what the run does not have is not there.
const SECTIONS = [['causes', 'Causes', draw_causes], ['tested', 'Operations', draw_tested], ['cases', 'Cases', draw_cases],
                  ['findings', 'Findings', draw_findings], ['baseline', 'Baseline', draw_baseline],
                  ['matrix', 'Clauses and operations', draw_matrix], ['coverage', 'Coverage', draw_coverage]];

function draw() {
  const run = JSON.parse(document.getElementById('run').textContent);
  draw_top(run);
  SECTIONS.forEach(([, , draw_section]) => draw_section(run));
  document.getElementById('sections').append(...SECTIONS.filter(([id]) => document.getElementById(id))
    .map(([id, words]) => make('a', {href: `#${id}`}, words)));
}

draw();
