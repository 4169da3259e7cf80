// Official clients of other services against a mock of their published descriptions: the recipes of
// mock_server/RECIPES.md print what the page says. A recipe without its description is skipped.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import OpenAI from 'openai';

import {sections} from '../../../mock_server/tests/recipes/page.mjs';
import {root, run, start_mock, temporary_folder} from '../../../scripts/lib/programs.mjs';

const data = process.env.COUNTERPART_TESTDATA ?? path.join(root, '../shared/testdata');
const page = readFileSync(path.join(root, 'mock_server/RECIPES.md'), 'utf8');
const files_of = (wanted) => sections(page).find(({title}) => title === wanted).files;
const files = files_of('Official clients of other services');
const installed = fileURLToPath(new URL('node_modules', import.meta.url));

const descriptions = {
  'stripe.mjs': 'big_stripe.json',
  'openai.mjs': 'big_openai.yaml',
  'payments.mjs': 'payments_whole_1_61_5.yaml',
  'github.mjs': 'api.github.com.json',
};

test('every recipe has a description', () => {
  assert.deepEqual(files.map(({name}) => name).sort(), Object.keys(descriptions).sort());
});

// Runs the file in a folder of its own, against that mock.
async function prints_what_it_says(context, {name, text}, ...flags) {
  const folder = temporary_folder('client');
  context.after(() => rmSync(folder, {recursive: true}));
  symlinkSync(installed, path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, name), text);
  const mock = await start_mock(...flags, '--quiet');
  context.after(() => mock.stop());

  const {code, out, err} = await run(process.execPath, [path.join(folder, name)], {env: {MOCK_URL: mock.url}});

  assert.equal(code, 0, out + err);
  const wanted = [...text.matchAll(/\/\/ prints (.+)$/gm)].map(([, line]) => `${line}\n`);
  assert.equal(out, wanted.join(''));
}

for (const {name, text} of files) {
  const description = path.join(data, 'descriptions', descriptions[name]);
  const skip = !existsSync(description) && `there is no ${description}`;
  test(`${name} prints what the page says`, {skip}, (context) =>
    prints_what_it_says(context, {name, text}, description, '--tolerate'));
}

test('tokens of a chat come one by one, up to the last', async (context) => {
  const chat = files_of('A chat that streams');
  const folder = temporary_folder('chat');
  context.after(() => rmSync(folder, {recursive: true}));
  for (const {name, text} of chat) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    writeFileSync(path.join(folder, name), text);
  }
  await prints_what_it_says(context, chat.find(({name}) => name === 'chat.mjs'), path.join(folder, 'chat/chat.yaml'),
                            '--fixtures', path.join(folder, 'chat/mock'));
});

const openai = path.join(data, 'descriptions', descriptions['openai.mjs']);
test('the published description has streams of valid chunks', {skip: !existsSync(openai) && `there is no ${openai}`}, async (context) => {
  const mock = await start_mock(openai, '--tolerate', '--quiet');
  context.after(() => mock.stop());
  const client = new OpenAI({apiKey: 'sk-1', baseURL: `${mock.url}/v1`, maxRetries: 0, defaultHeaders: {Prefer: 'pace=100'}});
  const began = performance.now();
  const objects = [];
  const wanted = {model: 'gpt-4o', messages: [{role: 'user', content: 'Hi'}], stream: true};
  for await (const {object} of await client.chat.completions.create(wanted)) objects.push(object);
  assert.deepEqual(objects, Array(3).fill('chat.completion.chunk'));
  assert.ok(performance.now() - began > 150);
});
