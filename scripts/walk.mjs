#!/usr/bin/env node
// Walks every collection of published descriptions on the mock, as clients that know the description alone, and prints
// how often each step holds.
//   scripts/walk.mjs [--descriptions FOLDER] [--every N] [--only TEXT] [--jobs N] [--verbose] [--json FILE]
//                    [--at-least STEP=PERCENT]... [-- FLAGS OF THE MOCK]
// Without --descriptions, ../shared/testdata/descriptions beside the clone, or COUNTERPART_TESTDATA; skipped (77) where
// there are none. Ends with 1 where a step holds less often than --at-least says; `all` is the share of collections
// that pass every step.
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';

import {descriptions, kSkipped} from './lib/descriptions.mjs';
import {start_mock} from './lib/programs.mjs';
import {CollectionWalk, kNoKey, kNoRequest} from './walk/collection.mjs';
import {Description} from './walk/description.mjs';

const kSteps = ['create', 'id found', 'read', 'values kept', 'list has created', 'page', 'change seen', 'gone', 'siblings untouched'];
const kMaxSeconds = 90;  // for one description

async function walk_description(file, flags) {
  const found = {name: path.basename(file).replace(/\.(yaml|json)$/, ''), collections: [], left_out: [], calls: 0};
  const mock = await start_mock('--contract', file, '--tolerate', ...flags);
  try {
    const description = new Description(await (await fetch(`${mock.url}/_mock/spec`)).json());
    const end = Date.now() + kMaxSeconds * 1000;
    for (const [index, collection] of description.collections().entries()) {
      if (Date.now() > end) {
        found.cut = true;
        break;
      }
      const walk = new CollectionWalk(mock.url, description, collection, `walk-${index}`);
      let left_out;
      try {
        left_out = await walk.walk();
      } catch (error) {
        walk.note('create', false, `${error.message} ${error.cause ?? ''}`);
      }
      found.calls += walk.calls;
      if (left_out) found.left_out.push(`${collection.path}: ${left_out}`);
      else found.collections.push({path: collection.path, steps: walk.steps, why: walk.why});
    }
  } finally {
    await mock.stop();
  }
  return found;
}

function count(all) {
  const counts = Object.fromEntries([...kSteps, 'all'].map((step) => [step, {right: 0, of: 0}]));
  for (const {steps} of all.flatMap((one) => one.collections)) {
    for (const [step, is_right] of Object.entries(steps)) {
      counts[step].of += 1;
      counts[step].right += is_right ? 1 : 0;
    }
    counts.all.of += 1;
    counts.all.right += Object.values(steps).every(Boolean) ? 1 : 0;
  }
  return counts;
}

const share = ({right, of}) => (of > 0 ? (100 * right) / of : 0);

function print(all, counts, {verbose}) {
  for (const one of all) {
    const passed = one.collections.filter(({steps}) => Object.values(steps).every(Boolean)).length;
    if (verbose || one.error) console.log(`${one.name}: ${passed} of ${one.collections.length}${one.cut ? ' (cut short)' : ''}${one.error ? ` ${one.error}` : ''}`);
    for (const {path: at, why} of verbose ? one.collections : []) {
      for (const line of why) console.log(`  ${at}: ${line}`);
    }
    for (const line of verbose ? one.left_out : []) console.log(`  left out ${line}`);
  }
  for (const [step, {right, of}] of Object.entries(counts)) {
    console.log(`${(step === 'all' ? 'pass every step' : step).padEnd(20)} ${String(right).padStart(4)} of ${String(of).padStart(4)}  ${of > 0 ? share({right, of}).toFixed(1) : '-'} %`);
  }
  console.log(`${all.length} descriptions`);
  for (const why of [kNoRequest, kNoKey]) {
    const left_out = all.flatMap((one) => one.left_out).filter((line) => line.endsWith(why));
    console.log(`${left_out.length} collections left out: ${why}`);
  }
}

async function run() {
  const {values} = parseArgs({args: process.argv.slice(2).filter((_, at, args) => !args.slice(0, at + 1).includes('--')), options: {
    descriptions: {type: 'string'}, every: {type: 'string', default: '1'}, only: {type: 'string', default: ''},
    jobs: {type: 'string', default: '2'}, verbose: {type: 'boolean'}, json: {type: 'string'}, 'at-least': {type: 'string', multiple: true, default: []}}});
  const separator = process.argv.indexOf('--');
  const flags = separator < 0 ? [] : process.argv.slice(separator + 1);
  const files = descriptions({folder: values.descriptions, only: values.only, every: Number(values.every)});
  if (!files) return kSkipped;
  const all = [];
  const waiting = [...files];
  await Promise.all(Array.from({length: Number(values.jobs)}, async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      all.push(await walk_description(file, flags).catch((error) => ({name: path.basename(file), collections: [], left_out: [], error: error.message.slice(0, 300)})));
    }
  }));
  all.sort((left, right) => left.name.localeCompare(right.name));
  const counts = count(all);
  print(all, counts, values);
  if (values.json) writeFileSync(values.json, JSON.stringify(all, null, 1));
  const missed = values['at-least'].map((text) => text.split('=')).filter(([step, percent]) => share(counts[step]) < Number(percent));
  for (const [step, percent] of missed) console.log(`missed: ${step} holds for ${share(counts[step]).toFixed(1)} %, should for ${percent} %`);
  return missed.length > 0 ? 1 : 0;
}

process.exitCode = await run();
