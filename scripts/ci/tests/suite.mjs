// Shared helpers of the tests of pipelines: a service with faults, programs that are run, schemas.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {start_faulty_server} from '../../../contract_tests/tests/report_page/faulty_server.mjs';
import {contract_tests, mock_server, root, run as run_program, start_mock, temporary_folder as folder} from '../../lib/programs.mjs';

export {contract_tests as program, mock_server, root};
export const token = 'dodo_test_a_token_that_must_not_be_shown';

const require = createRequire(import.meta.url);
const Ajv = require('ajv');

export const temporary_folder = () => folder('ci');

// Variables of a pipeline that runs these tests must not reach what they run.
const unset = Object.fromEntries(Object.keys(process.env)
  .filter((name) => /^(CI|CI_.*|GITHUB_.*|GITLAB_.*|GTEST_.*|RUNNER_.*|TEST_API_BASE_URL|COUNTERPART_SCRIPT)$/.test(name))
  .map((name) => [name, undefined]));

// Runs a command to its end: {code, out, err}.
export const run = (command, args, {cwd, env}) => run_program(command, args, {cwd, env: {...unset, ...env}});

// The mock with two wrong members in each customer.
export async function start_faulty_service() {
  const mock = await start_mock('--quiet');
  const faulty = await start_faulty_server(mock.url);
  return {
    url: faulty.url,
    async stop() {
      faulty.stop();
      await mock.stop();
    }
  };
}

// The violations of a schema of draft 4 or 7: [] for a valid value.
export function violations(schema, value) {
  const ajv = new Ajv({schemaId: 'auto', unknownFormats: 'ignore', logger: false, allErrors: true});
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'));
  return ajv.validate(schema, value) ? [] : ajv.errors.map((error) => `${error.dataPath} ${error.message}`);
}

export const schema_of_sarif = () => require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
export const schema_of_gitlab_ci = () => require('gitlab-ci-local/src/schema/schema.json');
export const schema_of_code_quality = () =>
  JSON.parse(readFileSync(new URL('gl_code_quality.schema.json', import.meta.url)));

// The errors that GitHub's own parser finds in an action, or in a workflow.
export const faults_of_action = (text) => faults_of(text, 'action-v1.0.min.json', 'action-root');
export const faults_of_workflow = (text) => faults_of(text, 'workflow-v1.0.min.json', 'workflow-root-strict');

async function faults_of(text, schema_file, type) {
  const parser = path.join(path.dirname(fileURLToPath(import.meta.url)),
                           'node_modules/@actions/workflow-parser/dist');
  const [{TemplateSchema}, {JSONObjectReader}, {TemplateContext, TemplateValidationErrors}, reader,
         {YamlObjectReader}, {NoOperationTraceWriter}] =
    await Promise.all(['templates/schema/index.js', 'templates/json-object-reader.js', 'templates/template-context.js',
                       'templates/template-reader.js', 'workflows/yaml-object-reader.js', 'templates/trace-writer.js']
      .map((file) => import(path.join(parser, file))));
  const schema = TemplateSchema.load(
    new JSONObjectReader(undefined, readFileSync(path.join(parser, schema_file), 'utf8')));
  const errors = new TemplateValidationErrors();
  const context = new TemplateContext(errors, schema, new NoOperationTraceWriter());
  const file = context.getFileId('action.yml');
  const yaml = new YamlObjectReader(file, text);
  if (yaml.errors.length === 0) reader.readTemplate(context, type, yaml, file);
  return [...yaml.errors, ...errors.getErrors()].map((error) => error.message);
}
