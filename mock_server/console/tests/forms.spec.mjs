// A record as a form, by its schema: of payments, and of a contract of somebody else.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {CUSTOMER, expect, said, session_of, start_mock, test} from './console.mjs';
import {large_contract} from './contracts.mjs';

const form = (page) => page.getByRole('group', {name: 'The record as a form'});
const json = (page) => page.getByLabel('The record as JSON');
const verdict = (page) => page.locator('#verdict');

test('a field of the form changes the JSON, which is validated and saved', async ({page, session}) => {
  await session.open(`records/customers/${CUSTOMER}`);
  await form(page).getByLabel('name *').fill('Ada');
  await expect(json(page)).toHaveValue(/"name": "Ada"/);
  await expect(verdict(page)).toHaveText('Valid, not saved');
  await form(page).getByLabel('created_at in local time').fill('2025-02-03T04:05:06');
  await expect(json(page)).toHaveValue(/"created_at": "2025-02-0\dT/);
  await form(page).getByLabel('plan', {exact: true}).fill('solo');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(said(page)).toHaveText(`Saved: ${CUSTOMER}`);
  const stored = await (await session.call(`/customers/${CUSTOMER}`)).json();
  expect([stored.name, stored.metadata.plan]).toEqual(['Ada', 'solo']);
});

test('what is wrong is said at the field, and the form follows the JSON', async ({page, session}) => {
  await session.open(`records/customers/${CUSTOMER}`);
  await form(page).getByLabel('created_at *', {exact: true}).fill('yesterday');
  await expect(form(page).locator('.field-note').filter({hasText: 'must be a date and time'})).toHaveCount(1);
  const value = JSON.parse(await json(page).inputValue());
  await json(page).fill(JSON.stringify({...value, name: 'From the JSON', created_at: '2025-01-01T00:00:00Z'}));
  await expect(form(page).getByLabel('name *')).toHaveValue('From the JSON');
  await expect(verdict(page)).toHaveText('Valid, not saved');
});

test('a record is duplicated under a key of its own', async ({page, session}) => {
  await session.open(`records/customers/${CUSTOMER}`);
  await page.getByRole('button', {name: 'Duplicate'}).click();
  await page.getByLabel('Key', {exact: true}).fill('cus_twin');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(page.getByRole('heading', {name: 'cus_twin'})).toBeVisible();
  const twin = await (await session.call('/customers/cus_twin')).json();
  expect([twin.customer_id, twin.name]).toEqual(['cus_twin', 'Amara Okafor']);
});

test('numbers that the form does not touch stay as they were written', async ({page, session}) => {
  await session.call('/_mock/records/customers/cus_exact', {method: 'PUT', headers: {'Content-Type': 'application/json'}, body: '{"name": "N", "email": "n@site.example", "extra": 12345678901234567890.10}'});
  await session.open('records/customers/cus_exact');
  await form(page).getByLabel('name *').fill('M');
  await expect(json(page)).toHaveValue(/12345678901234567890\.10/);
});

test('the second of two tabs that edit a record is told, and loses nothing', async ({page, context, session}) => {
  await session.open(`records/customers/${CUSTOMER}`);
  const second = await context.newPage();
  await second.goto(page.url());
  await form(second).getByLabel('name *').fill('Second');
  await form(page).getByLabel('name *').fill('First');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(second.locator('.detail')).toContainText('The record was changed meanwhile');
  await expect(json(second)).toHaveValue(/"Second"/);
});

test('numbers, choices, times, objects and lists of a contract of somebody else', async ({page, allowed}) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-forms-'));
  writeFileSync(path.join(folder, 'large.json'), JSON.stringify(large_contract()));
  const mock = await start_mock('--contract', path.join(folder, 'large.json'));
  allowed.push(mock.url);
  const session = session_of(page, mock.url, 'forms');
  await session.open('records/things_7');
  await page.getByRole('link', {name: 'New record'}).click();
  await page.getByLabel('Key', {exact: true}).fill('one');
  await form(page).getByLabel('name *').fill('A thing');
  await form(page).getByLabel('state *').selectOption('used');
  await form(page).getByLabel('price').fill('12.50');
  await form(page).getByLabel('is_large').selectOption('true');
  await form(page).getByRole('button', {name: 'Add size'}).click();
  await form(page).getByLabel('width').fill('5');
  await form(page).getByRole('button', {name: 'Add to labels'}).click();
  await form(page).getByLabel('0 *').fill('first');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(said(page)).toHaveText('Saved: one');
  await expect(json(page)).toHaveValue(/"price": 12\.50/);
  const stored = await (await session.call('/v1/things_7/one')).json();
  expect(stored).toMatchObject({id: 'one', name: 'A thing', state: 'used', price: 12.5, is_large: true, size: {width: 5}, labels: ['first']});
  await mock.stop();
  rmSync(folder, {recursive: true});
});
