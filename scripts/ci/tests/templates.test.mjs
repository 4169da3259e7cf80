// The templates for GitHub and GitLab: valid by the schemas of their makers, and their shell parts, which
// run here as they are.
import assert from 'node:assert/strict';
import {chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {parse} from 'yaml';

import * as suite from './suite.mjs';

const template = (name) => readFileSync(path.join(suite.root, 'scripts/ci', name), 'utf8');
const action_text = template('github/action.yml');
const gitlab_text = template('gitlab/contract_tests.gitlab-ci.yml');
const some_cases = "--filter 'GET_customers*:-*nothing that exists*'";
let folder, service, count = 0;

before(async () => {
  folder = suite.temporary_folder();
  service = await suite.start_faulty_service();
});

after(async () => {
  await service?.stop();
  rmSync(folder, {recursive: true, force: true});
});

function new_folder() {
  const work = path.join(folder, String(++count));
  mkdirSync(work);
  return work;
}

// "${{ inputs.report }}/run.sarif" with what the expressions name.
const filled = (text, values) => String(text).replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name) => {
  assert.ok(name in values || name.startsWith('steps.run.outputs.'), `the action uses ${name}`);
  return values[name] ?? '';
});

const read_lines = (file) => !existsSync(file) ? {} : Object.fromEntries(
  readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));

// Carries out the shell steps of the action as a runner does: {code, out, err, outputs, summary, work}.
async function run_action(inputs, {env = {}, work = new_folder()} = {}) {
  const action = parse(action_text);
  const values = {'github.token': 'ghs_of_this_job'};
  for (const [name, input] of Object.entries(action.inputs)) values[`inputs.${name}`] = inputs[name] ?? input.default;
  const files = {GITHUB_OUTPUT: path.join(work, 'output'), GITHUB_STEP_SUMMARY: path.join(work, 'summary.md')};
  let ended = {code: 0, out: '', err: ''};
  for (const step of action.runs.steps.filter((one) => one.run && ended.code === 0)) {
    assert.equal(step.shell, 'bash');
    const script = path.join(work, 'step.sh');
    writeFileSync(script, step.run);
    const given = Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, filled(text, values)]));
    ended = await suite.run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: work,
      env: {COUNTERPART_MOCK_SERVER: suite.mock_server, DODO_PAYMENTS_API_KEY: suite.token,
            GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: path.join(suite.root, 'scripts/ci/github'),
            GITHUB_REPOSITORY: 'owner/shop', GITHUB_WORKFLOW: 'contract', GITHUB_WORKSPACE: work,
            ...files, ...env, ...given}
    });
    for (const [name, value] of Object.entries(read_lines(files.GITHUB_OUTPUT))) values[`steps.${step.id}.outputs.${name}`] = value;
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, output]) => [name, filled(output.value, values)]));
  return {...ended, outputs, work,
          summary: existsSync(files.GITHUB_STEP_SUMMARY) ? readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') : ''};
}

test("the action is valid by GitHub's own parser", async () => {
  assert.deepEqual(await suite.faults_of_action(action_text), []);
  assert.equal((await suite.faults_of_action(action_text.replace('shell:', 'shel:'))).length, 2);
});

test("the workflow of releases is valid by GitHub's own parser", async () => {
  const text = readFileSync(path.join(suite.root, '.github/workflows/release.yml'), 'utf8');
  assert.deepEqual(await suite.faults_of_workflow(text), []);
  assert.notDeepEqual(await suite.faults_of_workflow(text.replace('runs-on:', 'run-on:')), []);
});

test("the GitLab template is valid by GitLab's schema", () => {
  assert.deepEqual(suite.violations(suite.schema_of_gitlab_ci(), parse(gitlab_text)), []);
  const wrong = gitlab_text.replace('codequality:', 'code_quality:');
  assert.notDeepEqual(suite.violations(suite.schema_of_gitlab_ci(), parse(wrong)), []);
});

test('the action passes on the mock, and its outputs say so', async () => {
  const ended = await run_action({program: suite.program, flags: some_cases});
  assert.equal(ended.code, 0, ended.err);
  const {coverage, ...rest} = ended.outputs;
  assert.deepEqual(rest, {verdict: 'passed', 'exit-code': '0', new: '0', known: '0', fixed: '0', expired: '0',
                          report: 'counterpart-report'});
  assert.match(coverage, /^\d+\.\d$/);
  assert.match(ended.summary, /^## Contract tests: passed\n/);
  assert.ok(existsSync(path.join(ended.work, 'counterpart-report/run.sarif')));
});

test('the outputs of a shard are its own', async () => {
  const ended = await run_action({program: suite.program, flags: some_cases},
                                 {env: {GTEST_TOTAL_SHARDS: '2', GTEST_SHARD_INDEX: '1'}});
  assert.equal(ended.code, 0, ended.err);
  assert.equal(ended.outputs.verdict, 'passed');
  assert.ok(existsSync(path.join(ended.work, 'counterpart-report/shard_1/run.sarif')));
});

test('the action fails on a service with faults, and annotates them', async () => {
  const ended = await run_action({program: suite.program, 'base-url': service.url, flags: some_cases});
  assert.equal(ended.code, 1, ended.err);
  assert.equal(ended.outputs.verdict, 'failed');
  assert.ok(Number(ended.outputs.new) > 0);
  assert.match(ended.out, /^::error title=schema\/type::/m);
  assert.match(ended.summary, /### Findings/);
});

const inconclusive = `${some_cases} --min-coverage 100`;
for (const [policy, code] of [['fail', 3], ['warn', 0], ['pass', 0]])
  test(`an inconclusive run under the policy ${policy} ends with ${code}`, async () => {
    const ended = await run_action({program: suite.program, flags: inconclusive, 'on-inconclusive': policy});
    assert.equal(ended.code, code, ended.err);
    assert.equal(ended.outputs.verdict, 'inconclusive');
    assert.equal(ended.outputs['exit-code'], '3');
    assert.equal(/^::warning title=contract tests::the run is inconclusive/m.test(ended.out), policy === 'warn');
  });

test('a policy that there is not ends with 2', async () => {
  const ended = await run_action({program: suite.program, 'on-inconclusive': 'ignore'});
  assert.equal(ended.code, 2);
  assert.match(ended.err, /must be fail, warn or pass, but is "ignore"/);
  assert.equal(ended.outputs.verdict, 'unusable');
});

test('a run that could not start is unusable, whatever an earlier run said', async () => {
  const work = new_folder();
  mkdirSync(path.join(work, 'counterpart-report'));
  writeFileSync(path.join(work, 'counterpart-report/outputs.env'), 'verdict=passed\nexit_code=0\n');
  const ended = await run_action({program: suite.program, flags: '--no-such-flag', 'on-inconclusive': 'pass'}, {work});
  assert.equal(ended.code, 2);
  assert.equal(ended.outputs.verdict, 'unusable');
});

test('flags with a quote that is not closed are not left out', async () => {
  const ended = await run_action({program: suite.program, flags: "--filter 'GET_customers*"});
  assert.equal(ended.code, 2);
  assert.match(ended.err, /a quote in COUNTERPART_FLAGS is not closed/);
});

test('a program that is missing is named', async () => {
  const ended = await run_action({program: '/nowhere/contract_tests'});
  assert.notEqual(ended.code, 0);
  assert.match(ended.err, /\/nowhere\/contract_tests/);
});

// A release in a folder whose programs are those of the build.
async function release_of_build() {
  const work = new_folder(), name = `counterpart-0.1.0-linux-${process.arch}`;
  const scripts = path.join(work, name, 'share/counterpart/scripts/ci');
  mkdirSync(path.join(work, name, 'bin'), {recursive: true});
  mkdirSync(scripts, {recursive: true});
  for (const [program, file] of [['mock_server', suite.mock_server], ['contract_tests', suite.program]])
    writeFileSync(path.join(work, name, 'bin', program), `#!/bin/sh\necho ran >>'${work}/ran'\nexec '${file}' "$@"\n`, {mode: 0o755});
  copyFileSync(path.join(suite.root, 'scripts/ci/run.sh'), path.join(scripts, 'run.sh'));
  copyFileSync(path.join(suite.root, 'scripts/install.sh'), path.join(work, 'install.sh'));
  const {code, err} = await suite.run('sh', ['-ec', `tar -czf ${name}.tar.gz ${name}; sha256sum ${name}.tar.gz >SHA256SUMS`], {cwd: work});
  assert.equal(code, 0, err);
  return work;
}

test('the action uses the package of a release that it is given, and nothing of it is left', async () => {
  const release = await release_of_build();
  for (const given of [release, path.join(release, `counterpart-0.1.0-linux-${process.arch}.tar.gz`)]) {
    rmSync(path.join(release, 'ran'), {force: true});
    const ended = await run_action({package: given, flags: some_cases});
    assert.equal(ended.code, 0, ended.err);
    assert.equal(ended.outputs.verdict, 'passed');
    assert.ok(existsSync(path.join(release, 'ran')));
    assert.ok(!existsSync(path.join(ended.work, 'counterpart-report.program')));
  }
});

test('a package with another checksum is not used', async () => {
  const release = await release_of_build();
  writeFileSync(path.join(release, `counterpart-0.1.0-linux-${process.arch}.tar.gz`), 'cut');
  const ended = await run_action({package: release, flags: some_cases});
  assert.equal(ended.code, 2);
  assert.match(ended.err, /is not what SHA256SUMS says, perhaps cut[^]*COUNTERPART_PACKAGE cannot be used/);
  assert.equal(ended.outputs.verdict, 'unusable');
});

// An earlier report of this service, which has faults; made once.
let earlier;
async function earlier_report() {
  earlier ??= (async () => {
    const {work, code} = await run_action({program: suite.program, 'base-url': service.url, flags: some_cases});
    assert.equal(code, 1);
    return readFileSync(path.join(work, 'counterpart-report/run.json'), 'utf8');
  })();
  return earlier;
}

// A folder with a program gh that has the artifact `report`, in the second of two runs, and writes its
// arguments into a file.
function gh_with(report) {
  const bin = new_folder();
  writeFileSync(path.join(bin, 'report.json'), report);
  writeFileSync(path.join(bin, 'gh'), `#!/bin/sh
printf '%s\n' "$GH_TOKEN $*" >>"${bin}/asked"
case "$*" in
  'run list '*) printf '11\n22\n' ;;
  'run download 22 '*)
    while [ "$1" != --dir ]; do shift; done
    cp "${bin}/report.json" "$2/run.json" ;;
  *) exit 1 ;;
esac
`);
  chmodSync(path.join(bin, 'gh'), 0o755);
  return {PATH: `${bin}:${process.env.PATH}`, asked: () => readFileSync(path.join(bin, 'asked'), 'utf8')};
}

test('a run that is no worse than the last one of main passes, though cases failed', async () => {
  const {PATH, asked} = gh_with(await earlier_report());
  const ended = await run_action({program: suite.program, 'base-url': service.url, flags: some_cases,
                                  'compare-with': 'main', 'fail-on': 'new'}, {env: {PATH}});
  assert.equal(ended.code, 0, ended.err + ended.out);
  assert.equal(ended.outputs.verdict, 'failed');
  assert.match(asked(), /^ghs_of_this_job run list --repo owner\/shop --workflow contract --branch main /);
  assert.match(asked(), /run download 22 .*--name counterpart-report/);
  assert.match(ended.summary, /^## Contract tests: failed\n/);
  assert.ok(ended.summary.includes(readFileSync(path.join(ended.work, 'counterpart-report/compare.md'), 'utf8')));
});

test('a finding that an earlier run did not have fails the run', async () => {
  const before = await run_action({program: suite.program, flags: some_cases});
  const ended = await run_action({program: suite.program, 'base-url': service.url, flags: some_cases, 'fail-on': 'new',
                                  'compare-with': path.join(before.work, 'counterpart-report/run.json')});
  assert.equal(ended.code, 1, ended.err);
});

test('an earlier run that cannot be read decides nothing', async () => {
  const work = new_folder();
  writeFileSync(path.join(work, 'cut.json'), (await earlier_report()).slice(0, 1000));
  const ended = await run_action({program: suite.program, flags: some_cases, 'fail-on': 'new', 'compare-with': 'cut.json'}, {work});
  assert.equal(ended.code, 0, ended.err);
  assert.match(ended.err, /the runs cannot be compared: the exit code of this run decides/);
});

// Starts the job of the template as a runner does, with the API of a GitLab that has `earlier` as the
// report of the last run of main.
async function run_job(variables, earlier) {
  const {contract_tests: job} = parse(gitlab_text);
  const asked = [];
  const api = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['job-token']}`);
    response.writeHead(earlier ? 200 : 404);
    response.end(earlier);
  });
  await new Promise((listening) => api.listen(0, '127.0.0.1', listening));
  const work = new_folder();
  const predefined = {GITLAB_CI: 'true', CI_PROJECT_DIR: work, CI_DEFAULT_BRANCH: 'main', CI_PROJECT_ID: '7',
                      CI_JOB_NAME: 'contract_tests', CI_JOB_TOKEN: 'glcbt_of_this_job',
                      CI_API_V4_URL: `http://127.0.0.1:${api.address().port}/api/v4`};
  const of_job = Object.fromEntries(Object.entries({...job.variables, ...variables}).map(
    ([name, value]) => [name, value.replace(/\$(\w+)/g, (_, variable) => predefined[variable])]));
  const ended = await suite.run('sh', ['-ec', job.script.join('\n')], {
    cwd: work,
    env: {COUNTERPART_MOCK_SERVER: suite.mock_server, DODO_PAYMENTS_API_KEY: suite.token,
          ...predefined, ...of_job}
  });
  api.closeAllConnections();
  api.close();
  return {...ended, work, asked, artifacts: job.artifacts};
}

const of_checkout = () => ({COUNTERPART_RUN: path.join(suite.root, 'scripts/ci/run.sh'),
                            COUNTERPART_PROGRAM: suite.program, COUNTERPART_FLAGS: some_cases});

test('the GitLab job leaves the artifacts that it names', async () => {
  const ended = await run_job({...of_checkout(), COUNTERPART_BASE_URL: service.url});
  assert.equal(ended.code, 1, ended.err);
  const {paths, reports} = ended.artifacts;
  for (const file of [...paths, ...Object.values(reports)]) assert.ok(existsSync(path.join(ended.work, file)), file);
  const variables = read_lines(path.join(ended.work, reports.dotenv));
  assert.equal(variables.COUNTERPART_VERDICT, 'failed');
  assert.equal(variables.COUNTERPART_EXIT_CODE, '1');
  const entries = JSON.parse(readFileSync(path.join(ended.work, reports.codequality), 'utf8'));
  assert.deepEqual(suite.violations(suite.schema_of_code_quality(), entries), []);
});

test('the GitLab job asks for the report of the main branch, and does without it', async () => {
  const ended = await run_job(of_checkout());
  assert.equal(ended.code, 0, ended.err);
  assert.deepEqual(ended.asked, ['GET /api/v4/projects/7/jobs/artifacts/main/raw/counterpart-report/run.json' +
                                 '?job=contract_tests glcbt_of_this_job']);
  assert.match(ended.err, /there is no earlier run of main/);
});

test('the GitLab job compares with the report of the main branch', async () => {
  const ended = await run_job({...of_checkout(), COUNTERPART_BASE_URL: service.url, COUNTERPART_FAIL_ON: 'new'},
                              await earlier_report());
  assert.equal(ended.code, 0, ended.err + ended.out);
  assert.ok(existsSync(path.join(ended.work, 'counterpart-report/compare.md')));
});

test('the GitLab job uses the package of a release that it is given', async () => {
  const release = await release_of_build();
  const files = http.createServer((request, response) => response.end(readFileSync(path.join(release, request.url))));
  await new Promise((listening) => files.listen(0, '127.0.0.1', listening));
  const ended = await run_job({COUNTERPART_PACKAGE: `http://127.0.0.1:${files.address().port}`, COUNTERPART_FLAGS: some_cases});
  files.closeAllConnections();
  files.close();
  assert.equal(ended.code, 0, ended.err);
  assert.ok(existsSync(path.join(release, 'ran')));
});
