#!/usr/bin/env node
// Runs the suite against the mock for published descriptions: what either of them reads otherwise than the other is an
// error of the run. Prints the causes.
//   scripts/agree.mjs [--descriptions FOLDER] [--every N] [--only TEXT] [--deadline SECONDS] [--verbose] [--at-least PERCENT]
// Without --descriptions, ../shared/testdata/descriptions beside the clone, or COUNTERPART_TESTDATA; skipped (77) where
// there are none. Ends with 1 where fewer descriptions than --at-least says have no error.
import path from 'node:path';
import {parseArgs} from 'node:util';

import {descriptions, kSkipped} from './lib/descriptions.mjs';
import {run_suite, start_mock} from './lib/programs.mjs';

// The errors of a run, each rule once for each operation: "paging/size GET /books query/limit: must ..., but is ...".
function causes_in(report) {
  const causes = new Map();
  for (const {operation_name, findings} of report.cases) {
    for (const {severity, rule, place, message} of findings) {
      if (severity === 'error') causes.set(`${rule} ${operation_name}`, `${rule} ${operation_name} ${place}: ${message}`);
    }
  }
  return [...causes.values()];
}

// Resolves to {name, causes, counts}, or {name, error} where there was no run.
async function agreement(file, deadline) {
  const name = path.basename(file).replace(/\.(yaml|json)$/, '');
  const mock = await start_mock('--contract', file, '--tolerate');
  try {
    const {err, report} = await run_suite(['--contract', file, '--base-url', mock.url, '--sandbox', '--tolerate', '--deadline', deadline]);
    if (!report) return {name, error: err.trim().split('\n').at(-1)};
    return {name, counts: report.counts, causes: causes_in(report)};
  } finally {
    await mock.stop();
  }
}

async function run() {
  const {values} = parseArgs({options: {
    descriptions: {type: 'string'}, every: {type: 'string', default: '1'}, only: {type: 'string', default: ''},
    deadline: {type: 'string', default: '30'}, verbose: {type: 'boolean'}, 'at-least': {type: 'string', default: '0'}}});
  const files = descriptions({folder: values.descriptions, only: values.only, every: Number(values.every)});
  if (!files) return kSkipped;
  const all = [];
  for (const file of files) {
    const found = await agreement(file, values.deadline).catch((error) => ({name: path.basename(file), error: error.message.slice(0, 300)}));
    all.push(found);
    const {counts, error} = found;
    if (error || counts.failed > 0 || values.verbose) {
      console.log(`${found.name}: ${error ?? `${counts.passed} passed, ${counts.failed} failed, ${counts.inconclusive} inconclusive`}`);
      for (const line of found.causes ?? []) console.log(`  ${line.slice(0, 400)}`);
    }
  }
  const agreeing = all.filter(({error, counts}) => !error && counts.failed === 0).length;
  const share = (100 * agreeing) / Math.max(1, all.length);
  console.log(`no error in ${agreeing} of ${all.length} descriptions, ${share.toFixed(1)} %`);
  return share < Number(values['at-least']) ? 1 : 0;
}

process.exitCode = await run();
