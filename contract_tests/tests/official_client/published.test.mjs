// Official clients of other services against a mock of their published descriptions: the recipes of
// mock_server/RECIPES.md print what the page says. A recipe without its description is skipped.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {sections} from '../../../mock_server/tests/recipes/page.mjs';
import {root, run, start_mock, temporary_folder} from '../../../scripts/lib/programs.mjs';

const data = process.env.COUNTERPART_TESTDATA ?? path.join(root, '../shared/testdata');
const page = readFileSync(path.join(root, 'mock_server/RECIPES.md'), 'utf8');
const {files} = sections(page).find(({title}) => title === 'Official clients of other services');
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

for (const {name, text} of files) {
  const description = path.join(data, 'descriptions', descriptions[name]);
  const skip = !existsSync(description) && `there is no ${description}`;
  test(`${name} prints what the page says`, {skip}, async (context) => {
    const folder = temporary_folder('client');
    context.after(() => rmSync(folder, {recursive: true}));
    symlinkSync(installed, path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, name), text);
    const mock = await start_mock(description, '--tolerate', '--quiet');
    context.after(() => mock.stop());

    const {code, out, err} = await run(process.execPath, [path.join(folder, name)], {env: {MOCK_URL: mock.url}});

    assert.equal(code, 0, out + err);
    const wanted = [...text.matchAll(/\/\/ prints (.+)$/gm)].map(([, line]) => `${line}\n`);
    assert.equal(out, wanted.join(''));
  });
}
