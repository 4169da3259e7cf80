// The exit code and the last line of a run: what fails it, what makes it inconclusive, what it says and lets
// pass. Each row is a small service and its contract.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';

import {run_suite} from './suite.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-gate-'));
after(() => rmSync(folder, {recursive: true}));
const subjects = path.join(folder, 'subjects.yaml');
writeFileSync(subjects, 'get_pet: {id: "1"}\n');

const ok = {description: 'ok'};
const declares = (...statuses) => Object.fromEntries(statuses.map((status) => [status, ok]));
const health = {'/health': {get: {responses: declares(200)}}};
const mail = {'/mail': {post: {responses: declares(204)}}};
const id = {name: 'id', in: 'path', required: true, schema: {type: 'string'}};
const pet = (...statuses) => ({'/pets/{id}': {get: {operationId: 'get_pet', parameters: [id],
                                                    responses: declares(...statuses)}}});
const restart = (...statuses) => ({'/restart': {put: {responses: declares(...statuses)}}});
const unknown = (status) => (url) => (url.pathname === '/pets/1' ? 200 : status);
const limit = {name: 'limit', in: 'query', schema: {type: 'integer', maximum: 10}};
const pets = (...statuses) => ({'/pets': {get: {parameters: [limit], responses: declares(...statuses)}}});
const is_limit = (text) => /^-?\d+$/.test(text) && Number(text) <= 10;
const invalid = (status) => (url) => (url.searchParams.getAll('limit').every(is_limit) ? 200 : status);

// With the path decoded where that can be done.
function url_of(target) {
  try {
    return new URL(decodeURIComponent(target), 'http://service');
  } catch {
    return new URL(target, 'http://service');
  }
}

const json = (schema) => ({required: true, content: {'application/json': {schema}}});
const u = {name: 'u', required: true};
const impossible = {type: 'string', format: 'uuid', maxLength: 10};

const baseline = ['--fail-on', 'warning', '--baseline', path.join(folder, 'baseline.yaml')];

const rows = [
  {name: 'a run that only reads passes', paths: {...health, ...mail}, code: 0,
   says: [/Not covered, because this run may not call them: POST \/mail\./, /\): passed\. /]},
  {name: 'a run that may call nothing is inconclusive', paths: mail, code: 3, says: [/\nno case ran\n/]},
  {name: 'a 400 where 404 alone is declared is a warning', paths: pets(200, 404), status: invalid(400), code: 0,
   rules: ['warning status/undeclared'], says: [/\): passed, with \d+ warnings?\. /]},
  {name: 'a warning fails a run that is to fail for warnings', paths: pets(200, 404), status: invalid(400),
   flags: ['--fail-on', 'warning'], code: 1, rules: ['warning status/undeclared'], fails: true},
  {name: 'a baseline takes the warnings that fail a run', paths: pets(200, 404), status: invalid(400),
   flags: [...baseline, '--baseline-write', '--baseline-reason', 'old', '--baseline-owner', 'us'], code: 1,
   rules: ['warning status/undeclared']},
  {name: 'warnings that a baseline knows fail nothing', paths: pets(200, 404), status: invalid(400), flags: baseline,
   code: 0, rules: ['warning status/undeclared'], says: [/passed, with 1 known finding and \d+ warnings?\. /]},
  {name: 'a status that default declares is no finding', paths: pets(200, 'default'), status: invalid(400), code: 0,
   says: [/\): passed\. /]},
  {name: 'a 405 that the contract does not declare is a note', paths: pets(200, 404), status: invalid(405), code: 0,
   says: [/ note status\/undeclared /]},
  {name: 'an undeclared 409 to a request that is right is an error', paths: restart(204), status: () => 409,
   flags: ['--sandbox'], code: 1, rules: ['error status/success']},
  {name: 'an unknown identifier that ends in an undeclared 500 is an error', paths: pet(200, 404),
   status: unknown(500), code: 1,
   rules: ['error status/hostile', 'error status/undeclared'], fails: true},
  {name: 'no finding fails a run that is never to fail', paths: pet(200, 404), status: unknown(500),
   flags: ['--fail-on', 'never'], code: 0, rules: ['error status/hostile', 'error status/undeclared'],
   says: [/passed, with \d+ failed cases?\. /], fails: true},
  {name: 'a declared rejection of a request without parameters depends on the state', paths: restart(204, 400),
   status: () => 400, flags: ['--sandbox'], code: 3,
   says: [/400 Bad Request, which the contract declares: the request has no parameters/]},
  {name: 'an undeclared 409 to a body that was made up is a warning',
   paths: {'/pets': {post: {requestBody: json({type: 'object', required: ['name'], properties: {name: {type: 'string'}}}),
                            responses: declares(201)}}},
   status: () => 409, flags: ['--sandbox'], code: 3, rules: ['warning status/undeclared']},
  ...[
    ['a query parameter', '/a', {parameters: [{...u, in: 'query', schema: impossible}]}, /no value satisfies format and maxLength/],
    ['a path parameter', '/a/{u}', {parameters: [{...u, in: 'path', schema: {type: 'string', enum: ['x'], pattern: '^y$'}}]},
     /no value satisfies enum and pattern/],
    ['a header', '/a', {parameters: [{...u, in: 'header', schema: {allOf: [{type: 'integer'}, {type: 'boolean'}]}}]},
     /no value satisfies allOf/],
    ['a body', '/a', {requestBody: json({type: 'object', required: ['u'], properties: {u: impossible}})},
     /no value (of "u" )?satisfies format and maxLength/],
  ].map(([what, at, request, text]) => (
    {name: `a schema of ${what} that no value satisfies is inconclusive`, status: () => 400, flags: ['--sandbox'], code: 3,
     paths: {[at]: {post: {...request, responses: declares(200, 400)}}}, says: [text]})),
];

for (const {name, paths, status = () => 200, flags = [], code, rules = [], says = [], fails = false} of rows) {
  test(name, async () => {
    const contract = path.join(folder, 'contract.json');
    writeFileSync(contract, JSON.stringify({openapi: '3.1.0', info: {title: 'Gate', version: '1'}, paths}));
    const server = http.createServer((request, response) => {
      request.resume();
      response.writeHead(status(url_of(request.url)), {Allow: 'GET, HEAD'}).end();
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    try {
      const url = `http://127.0.0.1:${server.address().port}`;
      const about = '/pets/{id}' in paths ? ['--subjects', subjects] : [];
      const ended = await run_suite(contract, url, [...about, ...flags], {into: folder});

      const found = ended.report.cases.flatMap((item) => item.findings).filter(({severity}) => severity !== 'note');
      assert.deepEqual([...new Set(found.map(({severity, rule}) => `${severity} ${rule}`))].sort(), rules, ended.out);
      assert.equal(ended.code, code, ended.out);
      for (const text of says) assert.match(ended.out, text);
      assert.equal(readFileSync(path.join(folder, 'junit.xml'), 'utf8').includes('<failure'), fails || code === 1);
    } finally {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });
}
