// What was made in the page is kept in a folder of fixtures: shown first, in place, never over a change of others.
import {rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';

import {CUSTOMER, dialog, expect, notices, said, test, write} from './console.mjs';

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
