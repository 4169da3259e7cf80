// What must not harm the page: texts with markup, bodies that are large or binary, very many requests,
// sessions that end and mocks that restart while they are shown.
import net from 'node:net';

import {AUTHORIZED, CUSTOMER, detail, expect, notices, rows, said, session_of, start_mock, test} from './console.mjs';

const MARKUP = '<img src=x onerror="window.executed=1"><script>window.executed=2</script></script><svg onload="window.executed=3">';

// Sends `text` as it is; resolves when the mock closed the connection.
function send_raw(port, text) {
  return new Promise((done, failed) => {
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text));
    socket.on('data', () => {}).on('error', failed).on('close', done);
  });
}

test('markup in records is text', async ({page, session}) => {
  await session.post('/_mock/records/customers/cus_markup', {name: MARKUP, email: 'm@site.example', metadata: {[MARKUP]: MARKUP}}, 'PUT');
  await session.post(`/_mock/records/customers/${encodeURIComponent(MARKUP)}`, {name: 'key', email: 'm@site.example'}, 'PUT');

  await session.open('records/customers/cus_markup');

  await expect(page.getByLabel('The record as JSON')).toHaveValue(/onerror/);
  await expect(page.getByRole('list', {name: 'Records'})).toContainText(MARKUP.slice(0, 40));
  await page.getByRole('list', {name: 'Records'}).getByRole('link').filter({hasNotText: /^cus_/}).filter({hasText: 'm@site.example'}).click();
  await expect(page.locator('.detail h2')).toHaveText(MARKUP);
  expect(await page.locator('main img, main svg, main script').count()).toBe(0);
});

test('markup in requests is text', async ({page, session}) => {
  await session.call(`/customers/${encodeURIComponent(MARKUP)}`, {headers: {'X-Note': MARKUP}});
  await session.post('/licenses/validate', {license_key: MARKUP});
  await session.open('requests');
  await expect(rows(page)).toHaveCount(2);

  await rows(page).first().getByRole('link').click();
  await expect(detail(page).getByRole('group', {name: 'Body of the request'})).toContainText('onerror=');
  await page.keyboard.press('j');
  await expect(detail(page)).toContainText('X-Note');
  await expect(detail(page)).toContainText(MARKUP);
  await page.getByRole('button', {name: 'curl', exact: true}).click();
  expect(await page.locator('main img, main svg, main script').count()).toBe(0);
});

test('an address with markup shows no more than an empty place', async ({page, session}) => {
  await page.goto(session.address(`requests/${encodeURIComponent(MARKUP)}?operation=${encodeURIComponent(MARKUP)}&text=${encodeURIComponent(MARKUP)}`));
  await expect(page.locator('#view-title')).toBeVisible();
  await page.goto(session.address(`records/${encodeURIComponent(MARKUP)}/${encodeURIComponent(MARKUP)}`));

  await expect(notices(page)).toContainText('there is no collection');
  expect(await page.locator('img, svg').count()).toBe(0);
});

test('binary bodies are shown as bytes, once somebody asks', async ({page, session}) => {
  await session.call('/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu');
  await session.call('/licenses/validate', {method: 'POST', headers: {'Content-Type': 'application/octet-stream'}, body: Buffer.from([0, 255, 254, 1, 2])});
  await session.open('requests');
  await expect(rows(page)).toHaveCount(2);

  await rows(page).last().getByRole('link').click();
  await expect(detail(page)).toContainText(/Binary, .* kB, application\/pdf/);
  await detail(page).getByRole('button', {name: 'Show the start'}).click();
  await expect(detail(page).getByRole('group', {name: 'Body of the response'})).toContainText('00000000  25 50 44 46');
  await rows(page).first().getByRole('link').click();
  await expect(detail(page)).toContainText('Binary, 5 bytes');
});

test('of three megabytes the start is shown', async ({page, session}) => {
  const long = JSON.stringify({license_key: 'k', extra: 'x'.repeat(3e6)});
  await session.call('/licenses/validate', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: long});
  await session.open('requests');
  await expect(rows(page)).toHaveCount(1);

  await rows(page).first().getByRole('link').click();

  await expect(detail(page)).toContainText('3.0 MB');
  const body = detail(page).getByRole('group', {name: 'Body of the request'});
  expect((await body.textContent()).length).toBe(20000);
  await detail(page).getByRole('button', {name: /Show more/}).click();
  expect((await body.textContent()).length).toBe(220000);
});

test('ten thousand requests stay quick', async ({page, mock, session}) => {
  const one = `GET /customers/cus_many HTTP/1.1\r\nHost: a\r\nX-Counterpart-Session: ${session.name}\r\n`;
  await send_raw(mock.port, `${one}\r\n`.repeat(9999) + `${one}Connection: close\r\n\r\n`);
  await session.call(`/customers/${CUSTOMER}`);
  await session.open('requests');
  await page.getByRole('button', {name: 'Load all 10,001'}).click();
  await expect(page.locator('.count')).toContainText('10,000 requests');

  expect(await rows(page).count()).toBeLessThan(100);
  const began = Date.now();
  await page.getByLabel('Search').fill('cus_L9x');
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel('Search').fill('');
  await expect(page.locator('.count')).toContainText('10,000 requests');
  expect(Date.now() - began).toBeLessThan(5000);
  await page.locator('.scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await expect(rows(page).last()).toHaveAttribute('aria-posinset', '10000');
  await session.call('/customers/cus_newest');
  await expect(page.locator('.count')).toContainText('10,001 requests');
  await expect(rows(page).last()).toHaveAttribute('aria-posinset', /1000[01]/);
});

test('a session that ends says so and is not created again by looking', async ({page, session}) => {
  await session.call(`/customers/${CUSTOMER}`);
  await session.open('requests');
  await expect(rows(page)).toHaveCount(1);

  // Again if a request of the page was on its way, which made the session again.
  await expect(async () => {
    await fetch(`${session.url}/_mock/sessions/${session.name}`, {method: 'DELETE'});
    await expect(notices(page)).toContainText(`The session ${session.name} has ended`, {timeout: 5000});
  }).toPass({timeout: 40000});
  await expect(rows(page)).toHaveCount(1);
  expect((await fetch(`${session.url}/_mock/sessions/${session.name}`)).status).toBe(404);
  await notices(page).getByRole('button', {name: 'Create it again'}).click();
  await expect(notices(page)).toBeEmpty();
  await session.call('/customers/cus_again');
  await expect(rows(page).first()).toContainText('cus_again');
});

test('a mock that restarts under the page says so, and the page goes on', async ({page, allowed}) => {
  const first = await start_mock();
  allowed.push(first.url);
  const session = session_of(page, first.url, 'restart');
  await session.call(`/customers/${CUSTOMER}`);
  await session.open('requests');
  await expect(rows(page)).toHaveCount(1);

  await first.stop();
  await expect(notices(page)).toContainText('The mock does not respond');
  const second = await start_mock('--port', first.port);
  await expect(notices(page)).toContainText('The mock was restarted');
  await session.call('/customers/cus_after');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('cus_after');
  await expect(notices(page)).not.toContainText('does not respond');
  await second.stop();
});

test('the control token is asked for once in a tab; a rate limit is shown', async ({page, context, allowed}) => {
  const mock = await start_mock('--control-token', 'let me in', '--rate-limit', '9/60');
  allowed.push(mock.url);
  await fetch(`${mock.url}/customers/${CUSTOMER}`, {headers: AUTHORIZED});
  await page.goto(`${mock.url}/_mock/`);
  const dialog = page.getByRole('dialog', {name: 'Control token'});

  await dialog.getByLabel('Token').fill('wrong');
  await dialog.getByRole('button', {name: 'Continue'}).click();
  await expect(dialog.getByLabel('Token')).toHaveValue('');
  await dialog.getByLabel('Token').fill('let me in');
  await dialog.getByRole('button', {name: 'Continue'}).click();
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(dialog).toHaveCount(0);

  await page.getByRole('link', {name: 'Operations'}).click();
  await page.locator('[data-operation=get_customer_handler] a').click();
  await expect(page.getByRole('region', {name: 'One operation'})).toContainText('9 requests in 60 seconds');

  const other = await context.newPage();
  await other.goto(`${mock.url}/_mock/`);
  await expect(other.getByRole('dialog', {name: 'Control token'})).toBeVisible();
  await other.keyboard.press('Escape');
  await other.getByRole('button', {name: 'Enter the token'}).click();
  await expect(other.getByRole('dialog', {name: 'Control token'})).toBeVisible();
  await mock.stop();
});

test('the page of another site gets nothing', async ({page, mock, allowed}) => {
  const response = await fetch(`${mock.url}/_mock/requests`, {headers: {Origin: 'https://site.example'}});
  expect(response.status).toBe(403);

  const html = await fetch(`${mock.url}/_mock/`, {headers: {Accept: 'text/html'}});
  expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self'/);
  expect(await html.text()).not.toContain(CUSTOMER);
});

test('records and scenarios that fail say why', async ({page, session}) => {
  await session.open('scenarios');
  await page.getByLabel('Probability').evaluate((input) => {
    input.removeAttribute('max');
    input.value = '7';
  });
  await page.getByRole('button', {name: 'Add fault'}).click();

  await expect(notices(page)).toContainText('probability');
  await page.getByRole('button', {name: 'Dismiss'}).click();
  await expect(notices(page)).toBeEmpty();
  await expect(said(page)).not.toContainText('is on');
});
