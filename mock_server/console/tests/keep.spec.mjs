// What was made in the page is kept in a folder of fixtures: shown first, in place, never over a change of others.
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';

import {temporary_folder} from '../../../scripts/lib/programs.mjs';
import {CUSTOMER, dialog, expect, notices, said, session_of, start_mock, test, write} from './console.mjs';

const change = (session, value) => session.post(`/_mock/records/customers/${CUSTOMER}`, value, 'PATCH');

test('a changed record is written in place, after its change was shown', async ({page, kept}) => {
  const before = kept.text();
  await change(kept.session, {name: 'Ada Lovelace'});
  await kept.session.open(`records/customers/${CUSTOMER}`);

  await page.getByRole('button', {name: 'Save to fixtures', exact: true}).click();
  await expect(dialog(page).locator('del')).toHaveText(['-   name: Amara Okafor   # the first of all\n']);
  await expect(dialog(page).locator('ins')).toHaveText(['+   name: Ada Lovelace   # the first of all\n']);
  expect(kept.text()).toBe(before);
  await write(page).click();

  await expect(notices(page)).toContainText('Written:');
  expect(kept.text()).toBe(before.replace('Amara Okafor', 'Ada Lovelace'));
  await expect.poll(async () => (await (await kept.session.call(`/customers/${CUSTOMER}`, {headers: {'X-Counterpart-Session': 'other'}})).json()).name).toBe('Ada Lovelace');
});

test('a file that changed meanwhile is shown again and not overwritten', async ({page, kept}) => {
  await change(kept.session, {name: 'Ada'});
  await kept.session.open(`records/customers/${CUSTOMER}`);
  await page.getByRole('button', {name: 'Save to fixtures', exact: true}).click();
  await expect(write(page)).toBeVisible();
  const other = kept.text().replace('amara.okafor@', 'somebody@');
  writeFileSync(kept.file, other);

  await write(page).click();

  await expect(dialog(page)).toContainText('the fixtures changed since they were read');
  expect(kept.text()).toBe(other);
  await expect(dialog(page).locator('del')).toContainText(['somebody@', 'Amara Okafor']);
});

test('a folder that would not load is refused with place and reason', async ({page, kept}) => {
  await change(kept.session, {name: 'Ada'});
  const before = `${kept.text()}cus_broken:\n  name: 5\n`;
  writeFileSync(kept.file, before);
  await kept.session.open(`records/customers/${CUSTOMER}`);

  await page.getByRole('button', {name: 'Save to fixtures', exact: true}).click();

  await expect(dialog(page).getByRole('alert')).toContainText(/customers\.yaml:\d+:\d+: .*cus_broken/);
  await expect(write(page)).toHaveCount(0);
  expect(kept.text()).toBe(before);
});

test('a file that cannot be written says so, and nothing is lost', async ({page, kept}) => {
  await kept.session.post('/_mock/scenarios/mine', {description: 'Mine.', rules: [{operations: ['get_customer_handler'], times: 1, force: {status: 429}}]}, 'PUT');
  rmSync(path.join(kept.folder, 'scenarios'), {recursive: true});
  writeFileSync(path.join(kept.folder, 'scenarios'), '');
  await kept.session.open('scenarios');

  await page.getByRole('button', {name: 'Save to fixtures', exact: true}).first().click();
  await write(page).click();

  await expect(dialog(page).getByRole('alert')).toContainText('scenarios');
  await expect(dialog(page).getByRole('group', {name: 'The entries as YAML'})).toContainText('status: 429');
});

test('a new record, a scenario and what is armed are written as a person would', async ({page, kept}) => {
  const before = kept.text();
  await kept.session.post('/_mock/records/customers/cus_kept', {name: 'Nia', email: 'nia@site.example', metadata: {a: 'x: y'}}, 'PUT');
  await kept.session.post('/_mock/scenarios/mine', {description: 'Mine.', rules: [{operations: ['get_customer_handler'], times: 1, force: {status: 429}}]}, 'PUT');
  await kept.session.open('records/customers');
  await page.getByRole('button', {name: 'Save collection to fixtures'}).click();
  await write(page).click();
  await expect(notices(page)).toContainText('Written:');
  expect(kept.text().startsWith(before)).toBe(true);
  expect(kept.text()).toContain('\ncus_kept:\n');
  expect(kept.text()).toContain('  metadata:\n    a: "x: y"\n');

  await kept.session.open('sessions');
  await page.getByLabel('Save session as scenario').fill('whole');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await write(page).click();
  await expect(said(page)).toContainText('whole.yaml');
  expect(kept.text('scenarios/whole.yaml')).toContain('rules:\n  - force:\n      status: 429\n    operations: [get_customer_handler]\n    times: 1\n');
});

test('a JSON file keeps its form, and a record that is a whole file goes with it', async ({page, kept}) => {
  const json = 'subscriptions/sub_QYNdaKy8isWydfhl3Tvtn.json';
  const yaml = 'subscriptions/sub_ythpZPPPP6UeP3C4DSA7L.yaml';
  const before = kept.text(json);
  const record = JSON.parse(before);
  await kept.session.post(`/_mock/records/${json.slice(0, -5)}`, {...record, product: 'Marigold Maps, Van'}, 'PUT');
  expect((await kept.session.call(`/_mock/records/${yaml.slice(0, -5)}`, {method: 'DELETE'})).status).toBe(200);
  await kept.session.open('records/subscriptions');

  await page.getByRole('button', {name: 'Save collection to fixtures'}).click();
  await expect(dialog(page).getByRole('region', {name: new RegExp(`${json}$`)}).locator('ins')).toHaveText(['+   "product": "Marigold Maps, Van",\n']);
  await expect(dialog(page).getByRole('region', {name: new RegExp(`${yaml}$`)})).toContainText('deleted file');
  await write(page).click();

  await expect(notices(page)).toContainText('Written:');
  expect(kept.text(json)).toBe(before.replace('Maps, Fleet', 'Maps, Van'));
  expect(existsSync(path.join(kept.folder, yaml))).toBe(false);
});

test('what the session has on of the fixtures is in its scenario, and what is not in it is said', async ({page, kept}) => {
  await kept.session.open('sessions');
  await page.getByLabel('Save session as scenario').fill('empty');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(dialog(page).getByRole('alert')).toContainText('nothing is armed in this session');
  await dialog(page).getByRole('button', {name: 'Cancel'}).click();

  await kept.session.call('/_mock/scenarios/usage_stays_empty/arm', {method: 'POST'});
  await kept.session.post('/_mock/clock', {frozen: true}, 'PUT');
  await change(kept.session, {name: 'Ada'});
  await page.getByLabel('Save session as scenario').fill('whole');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(dialog(page)).toContainText('A scenario does not hold:');
  await expect(dialog(page)).toContainText('1 changed record');
  await expect(dialog(page)).toContainText('the clock of the session');
  await write(page).click();
  await expect(said(page)).toContainText('whole.yaml');
  expect(kept.text('scenarios/whole.yaml')).toContain('What a session had armed: usage_stays_empty.');
  expect(kept.text('scenarios/whole.yaml')).toContain('operations: [list_usage_history_handler]');
});

test('fixtures that name files beside and outside their folder are saved, too', async ({page, allowed}) => {
  const top = temporary_folder('keep');
  const fixtures = path.join(top, 'fixtures');
  mkdirSync(path.join(fixtures, 'files'), {recursive: true});
  writeFileSync(path.join(top, 'card.json'), '{"type": "object", "required": ["file"]}');
  writeFileSync(path.join(fixtures, 'files/one.pdf'), '%PDF-1.7');
  writeFileSync(path.join(fixtures, 'cards.json'), '{"one": {"file": "files/one.pdf", "name": "One"}}\n');
  writeFileSync(path.join(fixtures, 'operations.yaml'), `collections:
  cards: {schema: {$ref: ../card.json}}
operations:
  get_file: {behaviour: file, collection: cards, key: /path/id, file: /file, media_type: application/pdf}
`);
  writeFileSync(path.join(top, 'openapi.yaml'), `openapi: 3.1.0
info: {title: Cards, version: '1'}
paths:
  /cards/{id}/file:
    get:
      operationId: get_file
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A file, content: {application/pdf: {schema: {type: string, format: binary}}}}}
`);
  const mock = await start_mock('--contract', path.join(top, 'openapi.yaml'), '--fixtures', fixtures, '--edit-fixtures');
  allowed.push(mock.url);
  const session = session_of(page, mock.url, 'keep');
  await session.post('/_mock/records/cards/one', {file: 'files/one.pdf', name: 'Uno'}, 'PUT');
  const {problems, files} = await (await session.post('/_mock/fixtures', {collection: 'cards'})).json();
  await mock.stop();
  rmSync(top, {recursive: true});

  expect(problems).toEqual([]);
  expect(files[0].after).toBe('{"one": {"file": "files/one.pdf", "name": "Uno"}}\n');
});

test('without the flag the page says how, and offers the YAML', async ({page, session}) => {
  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'Changed'}, 'PATCH');
  await session.open(`records/customers/${CUSTOMER}`);
  await page.getByRole('button', {name: 'Save to fixtures', exact: true}).click();

  await expect(dialog(page)).toContainText('--edit-fixtures');
  await expect(dialog(page).getByRole('group', {name: 'The entries as YAML'})).toContainText('name: Changed');
  await expect(write(page)).toHaveCount(0);
  const response = await session.post('/_mock/fixtures', {collection: 'customers', key: CUSTOMER, write: true});
  expect(response.status).toBe(403);
  expect((await response.json()).message).toContain('--edit-fixtures');
});

test('a page of another port writes nothing', async ({kept}) => {
  await change(kept.session, {name: 'Ada'});
  const {tag} = await (await kept.session.post('/_mock/fixtures', {})).json();
  const before = kept.text();
  const response = await kept.session.call('/_mock/fixtures', {method: 'POST', headers: {'Content-Type': 'application/json', Origin: 'http://localhost:1'}, body: JSON.stringify({write: true, tag})});

  expect(response.status).toBe(403);
  expect(kept.text()).toBe(before);
});
