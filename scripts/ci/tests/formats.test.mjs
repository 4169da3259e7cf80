// The files of a run that CI systems read, by the published schemas and by what their documentation
// demands besides.
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';

import * as suite from './suite.mjs';

let folder, service, failed;
const file = (...names) => readFileSync(path.join(folder, ...names), 'utf8');

function contract_tests(name, ...flags) {
  return suite.run(suite.program, ['--report', path.join(folder, name), '--annotate', 'auto', ...flags], {
    cwd: folder,
    env: {DODO_PAYMENTS_API_KEY: suite.token, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: suite.root,
          GITHUB_STEP_SUMMARY: path.join(folder, `${name}.md`)}
  });
}

// A HAR of one call, whose response lacks every member of a customer.
const calls = JSON.stringify({log: {version: '1.2', entries: [{
  request: {method: 'GET', url: 'https://shop.example/customers/cus_1', headers: []},
  response: {status: 200, headers: [{name: 'Content-Type', value: 'application/json'}],
             content: {size: 2, mimeType: 'application/json', text: '{}'}}
}]}});

before(async () => {
  folder = suite.temporary_folder();
  service = await suite.start_faulty_service();
  failed = await contract_tests('failed', '--base-url', service.url, '--filter', 'GET_customers*');
  assert.equal(failed.code, 1, failed.err);
  writeFileSync(path.join(folder, 'calls.har'), calls);
  const recorded = await suite.run(suite.program, ['recorded', 'calls.har', '--report', 'recorded'], {cwd: folder, env: {}});
  assert.equal(recorded.code, 1, recorded.err);
});

after(async () => {
  await service?.stop();
  rmSync(folder, {recursive: true, force: true});
});

for (const [name, of] of [['failed', 'a run'], ['recorded', 'recorded calls']]) {
  test(`SARIF of ${of} satisfies its published schema`, () => {
    const sarif = JSON.parse(file(name, 'run.sarif'));
    assert.deepEqual(suite.violations(suite.schema_of_sarif(), sarif), []);
    assert.ok(sarif.runs[0].results.length > 0);
    delete sarif.runs[0].results[0].message;
    assert.equal(suite.violations(suite.schema_of_sarif(), sarif).length, 1);
  });
}

test('SARIF has what code scanning requires', () => {
  const [run] = JSON.parse(file('failed', 'run.sarif')).runs;
  for (const rule of run.tool.driver.rules) {
    assert.ok(rule.help.text.length > 20, rule.id);
    assert.ok(rule.shortDescription.text.length <= 1024 && rule.fullDescription.text.length <= 1024);
    assert.notEqual(rule.shortDescription.text.toLowerCase(), rule.id, 'the rule book says what it requires');
  }
  const hashes = run.results.map((result) => result.partialFingerprints.primaryLocationLineHash);
  assert.equal(new Set(hashes).size, hashes.length);
  for (const result of run.results) {
    const {artifactLocation, region} = result.locations[0].physicalLocation;
    const lines = readFileSync(path.join(suite.root, decodeURIComponent(artifactLocation.uri)), 'utf8').split('\n');
    assert.ok(region.startLine >= 1 && region.startLine <= lines.length);
    assert.ok(region.startColumn >= 1 && region.startColumn <= lines[region.startLine - 1].length + 1);
    assert.ok(region.endLine === region.startLine && region.endColumn > region.startColumn);
    assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
  }
});

test("GitLab's code quality has its documented form", () => {
  const text = file('failed', 'gl-code-quality-report.json');
  const entries = JSON.parse(text);
  assert.equal(text[0], '[');
  assert.deepEqual(suite.violations(suite.schema_of_code_quality(), entries), []);
  assert.equal(new Set(entries.map((entry) => entry.fingerprint)).size, entries.length);
  assert.ok(existsSync(path.join(suite.root, entries[0].location.path)));
});

test('annotations are commands as GitHub parses them, at most ten', () => {
  const lines = failed.out.split('\n').filter((line) => line.trimStart().startsWith('::'));
  assert.ok(lines.length >= 2 && lines.length <= 10, failed.out);
  for (const line of lines) {
    const [, properties] = /^::(?:error|warning|notice) ([^:]+)::./.exec(line);
    const named = Object.fromEntries(properties.split(',').map((property) => property.split('=')));
    assert.ok(named.title);
    assert.ok(named.file === undefined || existsSync(path.join(suite.root, named.file)), line);
  }
  assert.match(lines[0], /^::error file=spec\/payments\.openapi\.yaml,line=\d+,col=\d+,title=schema\//);
});

test('the summary of the job has the verdict and the findings', () => {
  const text = file('failed.md');
  assert.ok(text.length < 900_000);
  assert.match(text, /^## Contract tests: failed\n/);
  assert.match(text, /### Findings/);
  assert.doesNotMatch(text, /<script|<img/);
});

test('the outputs are lines for a shell', () => {
  assert.match(file('failed', 'outputs.env'),
               /^verdict=failed\nexit_code=1\nnew=\d+\nknown=0\nfixed=0\nexpired=0\ncoverage=\d+\.\d\n$/);
});

test('a run that could not start has valid files, too', async () => {
  const ended = await contract_tests('unusable', '--base-url', 'http://127.0.0.1:1');
  assert.equal(ended.code, 2);
  const sarif = JSON.parse(file('unusable', 'run.sarif'));
  assert.deepEqual(suite.violations(suite.schema_of_sarif(), sarif), []);
  assert.match(sarif.runs[0].invocations[0].toolExecutionNotifications[0].message.text, /127\.0\.0\.1:1/);
  assert.equal(file('unusable', 'gl-code-quality-report.json'), '[]\n');
  assert.match(file('unusable', 'outputs.env'), /^verdict=unusable\nexit_code=2\n/);
  assert.match(ended.out, /^::error title=contract tests%3A unusable::/m);
});

test('GitLab gets its file in the working directory, where there is no folder of reports', async () => {
  const ended = await suite.run(suite.program, ['--annotate', 'auto', '--base-url', service.url, '--filter', 'GET_customers*'],
                                {cwd: folder, env: {GITLAB_CI: 'true', CI_PROJECT_DIR: suite.root}});
  assert.equal(ended.code, 1, ended.err);
  const entries = JSON.parse(file('gl-code-quality-report.json'));
  assert.ok(entries.some((entry) => entry.location.path === 'spec/payments.openapi.yaml'));
  assert.doesNotMatch(ended.out, /^::/m);
});

test('a summary that cannot be written is a line, and the verdict stays', async () => {
  const ended = await suite.run(suite.program, ['--annotate', 'github', '--filter', 'GET_customers*'], {
    cwd: folder, env: {GITHUB_STEP_SUMMARY: path.join(folder, 'nowhere/summary.md'), COUNTERPART_MOCK_SERVER: suite.mock_server}
  });
  assert.equal(ended.code, 0, ended.err);
  assert.match(ended.err, /^contract_tests: cannot write the file that GITHUB_STEP_SUMMARY names/m);
});

test('no file has a token or a path of this machine', () => {
  const secrets = [suite.token, suite.token.slice(0, 25), encodeURIComponent(`Bearer ${suite.token}`),
                   Buffer.from(`Bearer ${suite.token}`).toString('base64').slice(8, 40), folder, suite.root];
  const texts = {output: failed.out + failed.err, summary: file('failed.md')};
  for (const name of readdirSync(path.join(folder, 'failed'))) texts[name] = file('failed', name);
  assert.ok(Object.keys(texts).length >= 9, Object.keys(texts).join());
  for (const [name, text] of Object.entries(texts))
    for (const secret of secrets) assert.ok(!text.includes(secret), `${name} has ${secret}`);
});
