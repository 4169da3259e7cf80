// A service with twelve planted faults: the first run writes a baseline, the next one passes with twelve known
// findings, and from then on only what is new is red.
import assert from 'node:assert/strict';
import {copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {contract_tests, report_in, run} from '../../../scripts/lib/programs.mjs';
import {Shop, twelve} from './shop.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = mkdtempSync(path.join(os.tmpdir(), 'counterpart-known-'));
after(() => rmSync(root, {recursive: true}));

let folders = 0;
function new_folder(...names) {
  const folder = path.join(root, `place_${++folders}`, ...names);
  mkdirSync(folder, {recursive: true});
  return folder;
}

// Runs the suite in `folder` and resolves to {code, out, err, run, last}; `run` is run.json.
async function suite(shop, folder, flags = [], {contract = path.join(here, 'shop.openapi.yaml'), env = {}} = {}) {
  const report = path.join(folder, 'report');
  if (env.GTEST_SHARD_INDEX === undefined) rmSync(report, {recursive: true, force: true});
  const unset = {DODO_PAYMENTS_API_KEY: undefined, TEST_API_BASE_URL: undefined, GTEST_TOTAL_SHARDS: undefined};
  const baseline = flags.includes('--baseline') ? [] : ['--baseline', 'baseline.yaml'];
  const {code, out, err} = await run(
      contract_tests, ['--contract', contract, '--base-url', shop.url, '--report', report, ...baseline, ...flags],
      {cwd: folder, env: {...unset, ...env}});
  const shard = env.GTEST_SHARD_INDEX === undefined ? '' : `shard_${env.GTEST_SHARD_INDEX}`;
  return {code, out, err, run: report_in(path.join(report, shard)), last: out.trimEnd().split('\n').at(-1), report};
}

const write = ['--baseline-write', '--baseline-reason', 'known on the first day', '--baseline-owner', 'shop'];
const text_in = (folder) => readFileSync(path.join(folder, 'baseline.yaml'), 'utf8');
const errors = (run) => run.cases.flatMap((item) => item.findings).filter(({severity}) => severity === 'error');
const prints = (run, state) =>
  [...new Set(errors(run).filter((finding) => finding.state === state).map(({fingerprint}) => fingerprint))].sort();
const states = (run) => Object.fromEntries(run.baseline.entries.map(({id, state}) => [id, state]));
const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

// A folder with the baseline of the twelve faults, written once.
let written = null;
async function with_baseline() {
  if (written === null) {
    const shop = await new Shop(twelve).start();
    const folder = new_folder();
    written = {folder, ...await suite(shop, folder, write)};
    shop.stop();
  }
  const folder = new_folder();
  copyFileSync(path.join(written.folder, 'baseline.yaml'), path.join(folder, 'baseline.yaml'));
  return folder;
}

async function with_shop(faults, use) {
  const shop = await new Shop(faults).start();
  try {
    return await use(shop);
  } finally {
    shop.stop();
  }
}

test('without faults the service passes', () => with_shop([], async (shop) => {
  const folder = new_folder();
  writeFileSync(path.join(folder, 'baseline.yaml'), 'version: 1\nfindings: []\n');
  const {code, out, last} = await suite(shop, folder);
  assert.equal(code, 0, out);
  assert.match(last, /: passed\. \d+ passed, 0 failed, 0 known, /);
}));

test('the first run writes the twelve faults and is red itself', async () => {
  const folder = await with_baseline();
  const {code, run, out} = written;
  assert.equal(code, 1, out);
  assert.equal(run.baseline.counts.new, 12, JSON.stringify(errors(run).map(({rule, place}) => `${rule} ${place}`)));
  assert.deepEqual([...run.baseline.written].sort(), prints(run, 'new'));
  assert.match(out, /written: 12 new findings; the next run knows them/);
  const text = text_in(folder);
  assert.equal(text.match(/^  - id: "[0-9a-f]{16}"$/gm).length, 12);
  assert.equal(text.match(/^ {4}reason: "known on the first day"\n {4}owner: "shop"$/gm).length, 12);
  assert.equal(text.match(new RegExp(`^    expires: ${day(90)}$`, 'gm')).length, 12);
});

test('the second run passes with twelve known findings, everywhere', () => with_shop(twelve, async (shop) => {
  const folder = await with_baseline();
  const {code, out, run, last, report} = await suite(shop, folder, ['--verbose']);
  assert.equal(code, 0, out);
  assert.match(last, /: passed, with 12 known findings\. \d+ passed, 0 failed, \d+ known, 0 inconclusive/);
  assert.deepEqual([run.exit, run.verdict, run.baseline.counts.known, run.counts.failed], [0, 'passed', 12, 0]);
  assert.deepEqual(prints(run, 'known'), prints(written.run, 'new'));
  assert.ok(run.cases.every(({verdict}) => verdict !== 'failed'));
  assert.doesNotMatch(out, /\[ {2}FAILED {2}\]|^Errors by cause/m);
  const junit = readFileSync(path.join(report, 'junit.xml'), 'utf8');
  assert.match(junit, /<testsuites [^>]* failures="0" errors="0"/);
  assert.match(junit, /<skipped message="known until \d{4}-\d\d-\d\d: known on the first day \(shop\)"\/>/);
  assert.match(readFileSync(path.join(report, 'report.html'), 'utf8'), /draw_baseline\(run\)/);
}));

test('a thirteenth fault fails alone', () => with_shop([...twelve, 'stock_reserved'], async (shop) => {
  const {code, out, run, last} = await suite(shop, await with_baseline());
  assert.equal(code, 1, out);
  assert.equal(prints(run, 'new').length, 1);
  assert.equal(prints(run, 'known').length, 12);
  assert.match(last, /: failed, with 12 known findings\./);
  const [, by_cause] = out.match(/Errors by cause\n((?: {2}.*\n)+)/);
  assert.match(by_cause, /^ {2}error schema\/type GET \/stock\/\{id\}: body\/reserved: .*\n$/);
  assert.equal(run.causes[0].state, 'new');
}));

test('another missing property is not hidden by a known one', () => with_shop([...twelve, 'stock_count_missing'], async (shop) => {
  shop.faults.delete('stock_count');
  const {code, out, run} = await suite(shop, await with_baseline());
  assert.equal(code, 1, out);
  const fresh = errors(run).filter(({state}) => state === 'new').map(({place, message}) => `${place}: ${message}`);
  assert.deepEqual([...new Set(fresh)], ['body: must have the property "count", but lacks it']);
}));

test('a fault that was mended is fixed, and its entry can be dropped', () => with_shop(twelve, async (shop) => {
  shop.faults.delete('item_weight');
  shop.faults.delete('limit_too_large');
  const folder = await with_baseline();
  const before = text_in(folder);

  const plain = await suite(shop, folder);
  assert.equal(plain.code, 0, plain.out);
  assert.deepEqual([plain.run.baseline.counts.fixed, plain.run.baseline.counts.known], [2, 10], plain.out);
  assert.match(plain.out, /fixed: schema\/minimum GET \/items\/\{id\} body\/weight \(shop\); --baseline-prune drops it/);
  assert.equal(text_in(folder), before);

  const strict = await suite(shop, folder, ['--baseline-strict']);
  assert.deepEqual([strict.code, strict.run.verdict], [1, 'failed'], strict.out);
  assert.match(strict.out, /entries that are fixed, and --baseline-strict is given; drop them with --baseline-prune/);

  const pruned = await suite(shop, folder, ['--baseline-strict', '--baseline-prune']);
  assert.equal(pruned.code, 0, pruned.out);
  assert.equal(pruned.run.baseline.pruned.length, 2);
  const left = before.split(/^(?= {2}- id)/m).filter((entry) => !pruned.run.baseline.pruned.some((id) => entry.includes(id)));
  assert.equal(text_in(folder), left.join(''));
  const next = await suite(shop, folder, ['--baseline-strict']);
  assert.deepEqual([next.code, next.run.baseline.counts.fixed, next.run.baseline.counts.known], [0, 0, 10], next.out);
}));

test('what did not run is not seen, and stays', () => with_shop([], async (shop) => {
  const folder = await with_baseline();
  const before = text_in(folder);
  const {code, out, run} = await suite(shop, folder, ['--filter', 'GET_stock*', '--baseline-prune']);
  assert.equal(code, 0, out);
  for (const entry of run.baseline.entries) {
    assert.equal(entry.state, entry.operation === 'GET /stock/{id}' ? 'fixed' : 'not_seen', entry.rule);
  }
  assert.match(out, /not seen: 9 entries/);
  assert.equal(text_in(folder).match(/^ {2}- id/gm).length, 9);
  assert.notEqual(text_in(folder), before);
}));

test('an inconclusive case proves nothing and passes nothing', () => with_shop(twelve, async (shop) => {
  shop.faults.add('busy');
  const {code, out, run, last} = await suite(shop, await with_baseline());
  assert.equal(code, 3, out);
  assert.match(last, /: inconclusive, with \d+ known findings\./);
  assert.ok(run.baseline.entries.every(({operation, state}) =>
    state === 'known' || (operation === 'GET /stock/{id}' && state === 'not_seen')), out);
}));

test('an entry is warned of before its last day, known through it, and expired after it', () => with_shop(twelve, async (shop) => {
  const folder = await with_baseline();
  const good = text_in(folder);
  const with_days = (...ahead) => {
    let at = 0;
    const text = good.replaceAll(/expires: .*/g, (line) => at < ahead.length ? `expires: ${day(ahead[at++])}` : line);
    writeFileSync(path.join(folder, 'baseline.yaml'), text);
  };
  with_days(9);
  const nine = await suite(shop, folder);
  assert.equal(nine.code, 0, nine.out);
  assert.match(nine.last, /: passed, with 12 known findings \(1 expires in 9 days\)\./);
  assert.match(nine.out, /^ {2}expires in 9 days: /m);

  with_days(0, 14, 15);
  const today = await suite(shop, folder);
  assert.equal(today.code, 0, today.out);
  assert.match(today.last, /: passed, with 12 known findings \(2 expire within 14 days\)\./);

  with_days(-1);
  const over = await suite(shop, folder, write);
  assert.equal(over.code, 1, over.out);
  assert.deepEqual([over.run.baseline.counts.expired, over.run.baseline.counts.known, over.run.baseline.counts.new], [1, 11, 0]);
  assert.equal(prints(over.run, 'expired').length, 1);
  assert.match(over.out, new RegExp(`^  expired on ${day(-1)}: `, 'm'));
}));

test('a leak is never known', () => with_shop([...twelve, 'leak'], async (shop) => {
  const folder = await with_baseline();
  const before = text_in(folder);
  const {code, out, run} = await suite(shop, folder, write);
  assert.equal(code, 1, out);
  assert.ok(run.baseline.not_written.length >= 1);
  assert.match(out, /not written: \d+ leaks? of tokens or of internals of the server/);
  assert.equal(text_in(folder), before);
  assert.equal((await suite(shop, folder)).code, 1);

  const leak = errors(run).find(({rule}) => rule === 'error/leak');
  const first = before.match(/^ {2}- id: "([0-9a-f]{16})"/m)[1];
  // Under another name.
  writeFileSync(path.join(folder, 'baseline.yaml'), before.replace(first, leak.fingerprint));
  const hidden = await suite(shop, folder);
  assert.equal(hidden.code, 1, hidden.out);
  assert.ok(prints(hidden.run, 'new').includes(leak.fingerprint));
}));

test('what the contract no longer says is stale', () => with_shop([], async (shop) => {
  const folder = await with_baseline();
  const text = readFileSync(path.join(here, 'shop.openapi.yaml'), 'utf8');
  const contract = path.join(folder, 'shop.openapi.yaml');
  writeFileSync(contract, text.replace('{type: string, maxLength: 4}', '{type: string}'));
  const {code, out, run} = await suite(shop, folder, ['--baseline-prune'], {contract});
  assert.equal(code, 0, out);
  const stale = run.baseline.entries.filter(({state}) => state === 'stale');
  assert.deepEqual(stale.map(({rule}) => rule), ['schema/maxLength']);
  assert.match(out, /stale, because the contract or the rule book no longer says it: schema\/maxLength/);
  assert.ok(run.baseline.pruned.includes(stale[0].id));
}));

test('writing again keeps what people changed', () => with_shop(twelve, async (shop) => {
  const folder = await with_baseline();
  const edited = text_in(folder).replace('reason: "known on the first day"', 'reason: "mended in release 34"')
                     .replace('owner: "shop"', 'owner: "shelves"\n    ticket: "SHOP-7"')
                     .replace(/expires: .*/, `expires: ${day(30)}`);
  writeFileSync(path.join(folder, 'baseline.yaml'), edited);
  assert.equal((await suite(shop, folder, write)).code, 0);
  assert.equal(text_in(folder), edited);

  shop.faults.add('stock_reserved');
  assert.equal((await suite(shop, folder, write)).code, 1);
  const lines = new Set(edited.split('\n'));
  const added = text_in(folder).split('\n').filter((line) => !lines.has(line));
  assert.ok(added.length < 10, added.join('\n'));
  const {code, last} = await suite(shop, folder);
  assert.equal(code, 0);
  assert.match(last, /with 13 known findings/);
}));

test('the same fingerprints and verdict in other folders, on other ports, in another order, after other edits', async () => {
  const baseline = await with_baseline();
  const text = readFileSync(path.join(here, 'shop.openapi.yaml'), 'utf8');
  const edited = `# A comment.\n\n${text}`.replace(
      'components:\n', `  /news:\n    get:\n      operationId: news\n      responses: {"200": {description: none}}\ncomponents:\n`);
  const places = [
    {flags: [], contract: text},
    {flags: ['--gtest_shuffle', '--gtest_random_seed=7', '--jobs', '4'], contract: text},
    {flags: ['--filter', '-*news*'], contract: edited},
    {flags: ['--repeat', '2'], contract: text},
    {flags: ['--document-only'], contract: text},
  ];
  for (const {flags, contract} of places) {
    await with_shop(twelve, async (shop) => {
      const folder = new_folder('some', 'where');
      copyFileSync(path.join(baseline, 'baseline.yaml'), path.join(folder, 'baseline.yaml'));
      mkdirSync(path.join(folder, 'api'));
      const file = path.join(folder, 'api', 'shop.yaml');
      writeFileSync(file, contract);
      const {code, out, run, last} = await suite(shop, folder, flags, {contract: file});
      assert.equal(code, 0, out);
      assert.match(last, /: passed, with 12 known findings\./);
      assert.deepEqual(prints(run, 'known'), prints(written.run, 'new'), flags.join(' '));
      for (const finding of errors(run).filter(({stated_at}) => stated_at !== '')) {
        assert.match(finding.stated_at, /^shop\.yaml:\d+:\d+$/);
      }
    });
  }
});

// Makes one run of the shards and resolves to {code, out, run}.
async function merged(folder) {
  const shards = ['0', '1', '2'].map((index) => path.join('report', `shard_${index}`));
  const {code, out} = await run(contract_tests, ['merge', ...shards, '--report', 'whole'], {cwd: folder});
  return {code, out, run: report_in(path.join(folder, 'whole'))};
}

test('each shard says what it has seen, and merged they say what one run says', () => with_shop(twelve, async (shop) => {
  const folder = await with_baseline();
  const together = {};
  for (const index of ['0', '1', '2']) {
    const {code, out, run} = await suite(shop, folder, [], {env: {GTEST_TOTAL_SHARDS: '3', GTEST_SHARD_INDEX: index}});
    assert.equal(code, 0, out);
    for (const [id, state] of Object.entries(states(run))) {
      assert.ok(['known', 'not_seen'].includes(state));
      together[id] = together[id] === 'known' ? 'known' : state;
    }
  }
  assert.deepEqual([...new Set(Object.values(together))], ['known']);
  const whole = await merged(folder);
  assert.equal(whole.code, 0, whole.out);
  assert.match(whole.out, /: passed, with 12 known findings\./);
  assert.deepEqual(prints(whole.run, 'known'), prints(written.run, 'new'));

  shop.faults.delete('item_weight');
  shop.faults.add('stock_reserved');
  for (const index of ['0', '1', '2']) {
    await suite(shop, folder, [], {env: {GTEST_TOTAL_SHARDS: '3', GTEST_SHARD_INDEX: index}});
  }
  const changed = await merged(folder);
  assert.equal(changed.code, 1, changed.out);
  const {counts} = changed.run.baseline;
  assert.deepEqual([counts.new, counts.known, counts.fixed, counts.not_seen], [1, 11, 1, 0], changed.out);
  const refused = await suite(shop, folder, write, {env: {GTEST_TOTAL_SHARDS: '3', GTEST_SHARD_INDEX: '0'}});
  assert.equal(refused.code, 2);
  assert.match(refused.err, /a shard has a part of the findings only/);
}));

test('no report shows where the machine keeps its files', () => with_shop(twelve, async (shop) => {
  const folder = await with_baseline();
  mkdirSync(path.join(folder, 'api'));
  const contract = path.join(folder, 'api', 'shop.yaml');
  copyFileSync(path.join(here, 'shop.openapi.yaml'), contract);
  const ran = await suite(shop, folder, ['--baseline', path.join(folder, 'baseline.yaml')], {contract});
  assert.equal(ran.code, 0, ran.out);
  const broken = path.join(folder, 'api', 'broken.yaml');
  writeFileSync(broken, 'openapi: [');
  const reports = [ran.report];
  for (const file of [broken, path.join(folder, 'api', 'missing.yaml')]) {
    const other = new_folder();
    copyFileSync(path.join(folder, 'baseline.yaml'), path.join(other, 'baseline.yaml'));
    const ended = await suite(shop, other, [], {contract: file});
    assert.equal(ended.code, 2, ended.out);
    reports.push(ended.report);
  }
  for (const report of reports) {
    const names = readdirSync(report);
    assert.ok(names.length >= 4);
    for (const name of names) {
      const text = readFileSync(path.join(report, name), 'utf8');
      for (const hint of [root, path.resolve(here, '../../..'), os.homedir() + path.sep]) {
        assert.ok(!text.includes(hint), `${name} shows ${hint}`);
      }
    }
  }
}));
