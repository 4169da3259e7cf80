// Makes the pictures of the README, when COUNTERPART_PICTURES names the folder for them.
import path from 'node:path';

import {CUSTOMER, USAGE, expect, rows, session_of, start_mock, test} from './console.mjs';

const folder = process.env.COUNTERPART_PICTURES;

test('pictures', async ({page, allowed}) => {
  test.skip(!folder, 'COUNTERPART_PICTURES names no folder');
  const mock = await start_mock();
  allowed.push(mock.url);
  const session = session_of(page, mock.url, 'shop');
  await session.call(`/customers/${CUSTOMER}`);
  await session.post('/licenses/validate', {license_key: 'PRO-4F7K-9QXM-2WTR-8HVD'});
  await session.call('/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu');
  await session.call(`/customer/${CUSTOMER}`);
  await session.call('/_mock/scenarios/rate_limited_twice/arm', {method: 'POST'});
  for (let calls = 0; calls < 3; ++calls) await session.call(`${USAGE}?page_size=20`);
  await session.post('/_mock/clock', {now: '2027-01-01T00:00:00Z', frozen: true}, 'PUT');
  await session.post('/brands/brnd_F5ZR3qa7yEeeby3abP3E2', {name: 'Marigold'}, 'PATCH');
  await session.call(`${USAGE}?page_size=500`);

  await page.setViewportSize({width: 1200, height: 720});
  await session.open('requests');
  await expect(rows(page)).toHaveCount(9);
  await page.keyboard.press('k');
  await expect(page.getByRole('region', {name: 'Violations in the request'})).toBeVisible();
  await page.screenshot({path: path.join(folder, 'requests.png')});

  await page.emulateMedia({colorScheme: 'dark'});
  await session.open(`records/customers/${CUSTOMER}`);
  await page.getByLabel('The record as JSON').fill(JSON.stringify({customer_id: CUSTOMER, name: 'Ada', email: 4711}, null, 2));
  await expect(page.locator('#verdict')).toHaveText('Invalid');
  await page.screenshot({path: path.join(folder, 'records.png')});

  await page.emulateMedia({colorScheme: 'light'});
  await page.setViewportSize({width: 390, height: 780});
  await session.open('operations/list_usage_history_handler');
  await page.getByLabel(/^page_size/).fill('500');
  await page.getByRole('button', {name: 'Send', exact: true}).click();
  await expect(page.getByRole('region', {name: 'The response'})).toContainText('in the journal');
  await page.getByLabel(/^page_size/).scrollIntoViewIfNeeded();
  await page.screenshot({path: path.join(folder, 'phone.png')});
  await mock.stop();
});
