// Operations are tried from the page: with payments, with a contract of 240 operations, with streams and with files.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {temporary_folder} from '../../../scripts/lib/programs.mjs';
import {detail, expect, notices, rows, session_of, start_mock, test} from './console.mjs';
import {large_contract} from './contracts.mjs';

const operation = (page) => page.getByRole('region', {name: 'One operation'});
const answer = (page) => page.getByRole('region', {name: 'The response'});
const send = (page) => page.getByRole('button', {name: 'Send', exact: true}).click();
const form = (page) => page.getByRole('form', {name: 'Try it'});

test('an operation is tried with values that work at once, and explained', async ({page, session}) => {
  await session.open('operations');
  await page.getByRole('link', {name: /GET \/customers/}).click();

  await send(page);

  await expect(answer(page)).toContainText('200');
  await expect(answer(page).getByRole('group', {name: 'Body'})).toContainText('"customer_id"');
  await expect(answer(page).getByRole('region', {name: 'Why this response'})).toContainText('customers.yaml');
  const {requests} = await session.json('/_mock/requests');
  expect(requests).toHaveLength(1);
  await answer(page).getByRole('link', {name: /in the journal/}).click();
  await expect(detail(page)).toContainText('/customers/');
});

test('what the mock rejects is shown at the field, and what was typed stays', async ({page, session}) => {
  await session.open('operations/list_usage_history_handler');
  const size = form(page).getByLabel(/^page_size/);
  await size.fill('500');
  await size.press('Control+Enter');

  await expect(answer(page)).toContainText('422');
  await expect(form(page)).toContainText('must be at most 100, but is 500');
  await expect(size).toHaveAttribute('aria-invalid', 'true');
  await page.reload();
  await expect(size).toHaveValue('500');
  await size.fill('5');
  await send(page);
  await expect(answer(page)).toContainText('200');
  await expect(size).toHaveAttribute('aria-invalid', 'false');
});

test('a body starts as an example; a token is one that the mock takes, another is rejected', async ({page, session}) => {
  await session.open('operations/patch_brand_handler');
  await form(page).getByLabel('Example', {exact: true}).selectOption('rename');
  await expect(form(page).getByRole('textbox', {name: /^Body/})).toHaveValue(/Marigold Atlas/);
  await send(page);
  await expect(answer(page)).toContainText('200');

  await form(page).getByRole('textbox', {name: /^Body/}).fill('{"name": 5}');
  await send(page);
  await expect(form(page)).toContainText('/name: must be a string, but is 5');

  await form(page).getByLabel(/^Token/).fill('dodo_test_revoked');
  await send(page);
  await expect(answer(page)).toContainText('401');
});

test('what was sent is copied as curl, as fetch and as a test', async ({page, session}) => {
  await session.open('operations/validate_license_key');
  await form(page).getByRole('textbox', {name: /^Body/}).fill('{"license_key": "it\'s"}');
  await send(page);
  const shown = answer(page).locator('.copied');

  await answer(page).getByRole('button', {name: 'curl', exact: true}).click();
  await expect(shown).toContainText('-X POST');
  await expect(shown).toContainText('it\'\\\'\'s');
  await answer(page).getByRole('button', {name: 'fetch', exact: true}).click();
  await expect(shown).toContainText('await fetch(');
  await answer(page).getByRole('button', {name: 'test', exact: true}).click();
  await expect(shown).toContainText('assert.equal(response.status, 200)');
});

test('a call of the journal is sent again with another body', async ({page, session}) => {
  await session.post('/licenses/validate', {license_key: 'PRO-4F7K-9QXM-2WTR-8HVD'});
  await session.open('requests');
  await rows(page).first().getByRole('link').click();

  await detail(page).getByRole('button', {name: 'Edit and send'}).click();
  const body = form(page).getByRole('textbox', {name: /^Body/});
  await expect(body).toHaveValue(/PRO-4F7K-9QXM-2WTR-8HVD/);
  await body.fill('{"license_key": "other"}');
  await send(page);

  await expect(answer(page)).toContainText('"valid": false');
});

test('a PDF is shown by the browser', async ({page, session}) => {
  await session.open('operations/get_payment_invoice_no_auth');

  await send(page);

  await expect(answer(page)).toContainText('application/pdf');
  await expect(answer(page).locator('iframe')).toHaveAttribute('src', /^blob:/);
  await expect(answer(page).getByRole('link', {name: 'Save as a file'})).toHaveAttribute('download', 'response.pdf');
});

test('a call whose connection breaks says so', async ({page, session}) => {
  await session.open('operations/get_customer_handler');
  await form(page).getByText('More header fields').click();
  await form(page).getByLabel(/^Each in a line/).fill('Prefer: fault=reset');

  await send(page);

  await expect(answer(page)).toContainText('the connection was closed');
  await expect(notices(page)).toBeEmpty();
});

test('with 240 operations they are folded by tag, found, and each has a form', async ({page, allowed}) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-large-'));
  writeFileSync(path.join(folder, 'large.json'), JSON.stringify(large_contract()));
  const mock = await start_mock('--contract', path.join(folder, 'large.json'));
  allowed.push(mock.url);
  const session = session_of(page, mock.url, 'large');
  await session.open('operations');
  await expect(page.locator('.count')).toHaveText('240 operations');
  await expect(page.locator('[data-operation]:visible')).toHaveCount(0);

  await page.getByText('Things 3', {exact: false}).first().click();
  await expect(page.locator('[data-operation]:visible')).toHaveCount(5);
  await page.getByLabel('Search').fill('upload_7');
  await page.locator('[data-operation=upload_7] a').click();
  await form(page).getByLabel(/^file/).setInputFiles({name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words')});
  await send(page);
  await expect(answer(page)).toContainText('201');

  await page.getByLabel('Search').fill('create_thing_7');
  await page.locator('[data-operation=create_thing_7] a').click();
  await expect(form(page).getByRole('textbox', {name: /^Body/})).toHaveValue(/"name"/);
  await send(page);
  await expect(answer(page)).toContainText('201');
  await page.getByLabel('Search').fill('list_things_7');
  await page.locator('[data-operation=list_things_7] a').click();
  await form(page).getByLabel(/^tags/).fill('a,b');
  await form(page).getByLabel(/^X-API-Key/).fill('any');
  await send(page);
  await expect(answer(page)).toContainText('200');
  const {requests} = await session.json('/_mock/requests');
  expect(requests.at(-1).target).toContain('tags=a&tags=b');
  await mock.stop();
  rmSync(folder, {recursive: true});
});

test('the events of a stream are shown as they come, and the stream is stopped', async ({page, session}) => {
  await session.open('operations/get_customer_handler');
  await page.evaluate(() => {
    const real = window.fetch;
    window.fetch = async (url, init) => {
      if (!String(url).startsWith('/customers/')) return real(url, init);
      const body = new ReadableStream({start(controller) {
        window.push = (text) => controller.enqueue(new TextEncoder().encode(text));
        init.signal.addEventListener('abort', () => controller.error(new DOMException('stopped', 'AbortError')));
      }});
      return new Response(body, {status: 200, headers: {'Content-Type': 'text/event-stream'}});
    };
  });

  await send(page);
  await expect.poll(() => page.evaluate('typeof window.push')).toBe('function');
  await page.evaluate('window.push("event: tick\\nid: 1\\ndata: one\\n\\nda")');
  await expect(answer(page).getByRole('log', {name: 'Events'}).getByRole('listitem')).toHaveText(['tick 1 one']);
  await expect(answer(page)).toContainText('receiving');
  await page.evaluate('window.push("ta: two\\n\\n")');
  await expect(answer(page).getByRole('log', {name: 'Events'}).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', {name: 'Stop'}).click();
  await expect(answer(page)).toContainText('Stopped.');
});

test('a stream of the mock is shown item by item, takes what is pushed, and is stopped', async ({page, allowed}) => {
  const folder = temporary_folder('ticks');
  const tick = {type: 'object', required: ['count'], properties: {count: {type: 'integer'}}};
  const items = {'text/event-stream': {schema: {type: 'array', items: tick}, example: [1, 2, 3, 4].map((count) => ({count}))}};
  const contract = {openapi: '3.1.0', info: {title: 'Ticks', version: '1'}, paths: {'/ticks': {get: {operationId: 'ticks', responses: {200: {description: 'Ticks', content: items}}}}}};
  writeFileSync(path.join(folder, 'ticks.json'), JSON.stringify(contract));
  const mock = await start_mock('--contract', path.join(folder, 'ticks.json'));
  allowed.push(mock.url);
  const session = session_of(page, mock.url, 'ticks');
  const events = answer(page).getByRole('log', {name: 'Events'}).getByRole('listitem');
  await session.open('operations/ticks');

  await page.getByLabel(/^pace/).fill('2000');
  await send(page);
  await expect(events.first()).toContainText('{"count":1}');
  expect(await events.count()).toBeLessThan(4);  // the others are not sent yet
  await expect(events).toHaveCount(4);
  await expect(answer(page)).toContainText('in the journal');

  await page.getByLabel('The stream').selectOption('stays open for what is pushed');
  await page.getByLabel(/^pace/).fill('1');
  await send(page);
  await expect(events).toHaveCount(4);
  await expect(answer(page)).toContainText('receiving');
  expect((await session.post('/_mock/streams/ticks', {count: 5})).status).toBe(200);
  await expect(events.last()).toContainText('{"count":5}');
  await page.getByRole('button', {name: 'Stop'}).click();
  await expect(answer(page)).toContainText('Stopped.');
  await expect(page.getByRole('button', {name: 'Stop'})).toBeHidden();
  await mock.stop();
  rmSync(folder, {recursive: true});
});
