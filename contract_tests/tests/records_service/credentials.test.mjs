// Keys, and names with passwords: a correct service has no finding, and one that takes another
// credential is found by the case that is about it. A shell shows each finding again.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';
import {promisify} from 'node:util';

import {run_suite} from './suite.mjs';

const key = 'key-of-the-counterpart-shop';
const name = 'ann';
const password = 'a-long-Password';
const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-credentials-'));
after(() => rmSync(folder, {recursive: true}));
const subjects = path.join(folder, 'subjects.yaml');
writeFileSync(subjects, `credentials: {key: "${key}", basic: "${name}:${password}"}\n`);

const correct = {
  takes_key: (given) => given === key,
  scheme: /^Basic (.+)$/i,
  takes_pair: (given) => given === `${name}:${password}`,
  guards: () => true,
  alternatives: ['key', 'pair'],
};

function service_with(fault) {
  const either = {...correct, alternatives: fault.alternatives ?? correct.alternatives};
  const is_let_in = (request) => {
    const rules = request.url.startsWith('/either') ? either : {...correct, ...fault};
    if (!rules.guards(request)) {
      return true;
    }
    const has_key = 'x-key' in request.headers && rules.takes_key(request.headers['x-key']);
    const text = rules.scheme.exec(request.headers.authorization ?? '')?.at(1);
    const has_pair = text !== undefined && rules.takes_pair(Buffer.from(text, 'base64').toString());
    const ways = request.url.startsWith('/keyed') ? ['key'] : request.url.startsWith('/named') ? ['pair'] : rules.alternatives;
    return (ways.includes('key') && has_key) || (ways.includes('pair') && has_pair);
  };
  return http.createServer((request, response) => {
    const known = /^\/(keyed|named|either)(\?|$)/.test(request.url);
    const safe = ['GET', 'HEAD'].includes(request.method);
    const status = !known ? 404 : !safe ? 405 : is_let_in(request) ? 200 : 401;
    const challenge = request.url.startsWith('/named') ? 'Basic realm="things"' : 'Key realm="things"';
    response.writeHead(status, {
      ...(status === 401 && {'WWW-Authenticate': challenge}), ...(status === 405 && {Allow: 'GET, HEAD'}),
      ...(status === 200 && {'Content-Type': 'application/json'})});
    response.end(status === 200 && request.method !== 'HEAD' ? '["a thing"]' : '');
  });
}

// The status line of a request with the credentials of the run in the variables of a shell.
async function shown_again(report) {
  const env = {...process.env, TOKEN_key: key, TOKEN_basic: `${name}:${password}`};
  for (const {findings: [finding]} of report.cases.filter(({findings}) => findings.length > 0)) {
    const {stdout} = await promisify(execFile)('/bin/sh', ['-c', finding.curl], {env});
    assert.equal(stdout.split(' ')[1], finding.response.split(' ')[0], finding.curl);
    assert.ok(!finding.curl.includes(password) && !finding.curl.includes(key), finding.curl);
  }
}

// The sentences of the cases with findings.
async function found_with(fault) {
  const server = service_with(fault);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const url = `http://127.0.0.1:${server.address().port}`;
    const {out, report} = await run_suite('credentials.yaml', url, ['--subjects', subjects]);
    const sentences = report.cases.filter((item) => item.findings.some(({severity}) => severity !== 'note'))
                          .map((item) => `${item.operation}: ${item.sentence}`);
    await shown_again(report);
    return {out, report, sentences: [...new Set(sentences)].sort()};
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const faults = [
  ['compares no more of a key than it is given', {takes_key: (given) => given !== '' && key.startsWith(given)},
   ['keyed: a third of a key is rejected']],
  ['compares the beginning of a key', {takes_key: (given) => given.startsWith(key)},
   ['keyed: a key with text after it is rejected']],
  ['compares the end of a key', {takes_key: (given) => given.endsWith(key)},
   ['keyed: a key with a letter before it is rejected']],
  ['compares keys without their letter case', {takes_key: (given) => given.toLowerCase() === key},
   ['keyed: a key in the other letter case is rejected']],
  ['takes an empty key', {takes_key: (given) => given === key || given === ''}, ['keyed: an empty key is rejected']],
  ['takes what scripts send for no key', {takes_key: (given) => [key, 'null', 'undefined'].includes(given)},
   ['keyed: the word null as a key is rejected', 'keyed: the word undefined as a key is rejected']],
  ['asks no credentials of HEAD', {guards: ({method}) => method !== 'HEAD'},
   ['keyed: HEAD without credentials is rejected', 'named: HEAD without credentials is rejected']],
  ['looks at the name alone', {takes_pair: (given) => given.startsWith(`${name}:`)},
   ['named: a name and password with text after it is rejected',
    'named: a third of a name and password is rejected']],
  ['takes a name without a colon', {takes_pair: (given) => given === `${name}:${password}` || !given.includes(':')},
   ['named: Basic credentials without a colon are rejected']],
  ['takes no pair where a key would do', {alternatives: ['key']},
   ['either: credentials for basic alone are accepted']],
  ['takes a pair with any scheme', {scheme: /^\w+ (.+)$/},
   ['named: a name and a password with an unknown scheme are rejected',
    'named: a name and a password with the scheme Bearer are rejected']],
];

test('a service with keys and passwords has no finding', async () => {
  const {out, report, sentences} = await found_with({});

  assert.deepEqual(sentences, [], out);
  assert.ok(report.counts.passed > 40, out);
});

for (const [fault, change, expected] of faults) {
  test(`a service that ${fault} is found`, async () => {
    const {out, sentences} = await found_with(change);

    assert.deepEqual(sentences, expected, out);
  });
}
