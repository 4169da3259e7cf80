// The first screen, and what is on in the session.
import {CUSTOMER, confirm, detail, expect, rows, said, session_of, start_mock, test} from './console.mjs';

const banner = (page) => page.locator('#banner');

test('who opens the address without knowing it reads what it is and tries it in one click each', async ({page, allowed}) => {
  const mock = await start_mock();
  allowed.push(mock.url);
  await page.goto(`${mock.url}/`);
  await expect(page.getByRole('heading', {name: 'This is a mock'})).toBeVisible();
  await expect(page.locator('.given')).toContainText(mock.url);
  await expect(page.locator('.given')).toContainText('dodo_test_me');

  await page.getByRole('button', {name: 'Get a record'}).click();
  await expect(detail(page)).toContainText('200');
  await page.getByRole('navigation').getByRole('link', {name: 'Start'}).click();
  await page.getByRole('button', {name: 'Make it 429'}).click();
  await expect(detail(page).locator('.request-line')).toContainText('429');
  await page.getByRole('navigation').getByRole('link', {name: 'Start'}).click();
  await page.getByRole('button', {name: 'Freeze the clock'}).click();
  await expect(banner(page)).toContainText('Clock frozen');
  await page.getByRole('button', {name: 'See why'}).click();
  await expect(detail(page).getByRole('region', {name: 'Why this response'})).toBeVisible();
  await mock.stop();
});

test('what is on is said on every page, and turned off there', async ({page, session}) => {
  await session.call('/_mock/scenarios/outage/arm', {method: 'POST'});
  await session.post('/_mock/faults', {rules: [{probability: 0.1, fault: 'reset'}]}, 'PUT');
  for (const hash of ['coverage', 'records/customers']) {
    await session.open(hash);
    await expect(banner(page)).toContainText('outage');
    await expect(banner(page)).toContainText('Faults');
  }
  await banner(page).getByRole('button', {name: 'Turn off: outage'}).click();
  await banner(page).getByRole('button', {name: 'Turn off: faults'}).click();
  await expect(banner(page)).toBeEmpty();
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(200);
});

test('the newest request is shown where none is chosen, and follows', async ({page, session}) => {
  await session.open('requests');
  await session.call('/customers/cus_one');
  await expect(detail(page)).toContainText('/customers/cus_one');
  await session.call('/customers/cus_two');
  await expect(detail(page)).toContainText('/customers/cus_two');
  await expect(rows(page).first().locator('time')).toHaveText(/now|s ago/);
  await expect(rows(page).first().locator('time')).toHaveAttribute('title', /T.*Z$/);
});

test('the search finds what is in bodies', async ({page, session}) => {
  await session.post('/licenses/validate', {license_key: 'needle'});
  await session.post('/licenses/validate', {license_key: 'hay'});
  await session.open('requests');
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel('Search', {exact: true}).fill('NEEDLE');
  await expect(rows(page)).toHaveCount(0);
  await page.getByLabel('Look in').selectOption('Bodies, too');
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/bodies=1/);
});

test('two requests are compared', async ({page, session}) => {
  await session.post('/licenses/validate', {license_key: 'first'});
  await session.post('/licenses/validate', {license_key: 'second'});
  await session.open('requests');
  await expect(detail(page)).toContainText('second');
  await detail(page).getByRole('button', {name: 'Show the difference'}).click();
  await expect(detail(page).locator('del').first()).toContainText('first');
  await expect(detail(page).locator('ins').first()).toContainText('second');
});

test('a rule is made from fields, and what is armed comes first', async ({page, session}) => {
  await session.open('scenarios');
  await page.getByLabel('Name').fill('many_days');
  await page.getByLabel('Of the operation').selectOption('GET /customers/{customer_id}');
  await page.getByLabel('Response').fill('503');
  await page.getByLabel('Times').fill('1');
  await page.getByRole('button', {name: 'Arm rule'}).click();
  await expect(said(page)).toHaveText('many_days is armed');
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(503);
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(200);
  await session.call('/_mock/scenarios/usage_stays_empty/arm', {method: 'POST'});
  await page.reload();
  await expect(page.getByRole('list', {name: 'Scenarios'}).locator('> li').first()).toContainText(/many_days|usage_stays_empty/);
});

test('all sessions whose names begin alike are deleted at once', async ({page, session}) => {
  const names = [1, 2, 3].map((number) => `bulk${session.name}-${number}`);
  for (const name of names) await session.call('/_mock/clock', {headers: {'X-Counterpart-Session': name}});
  await session.open('sessions');
  await page.getByLabel('Search').fill(`bulk${session.name}-*`);
  await page.getByRole('button', {name: /^Delete all bulk.*\(3\)/}).click();
  await confirm(page, 'Delete');
  await expect(said(page)).toHaveText('Deleted: 3 sessions');
  expect((await fetch(`${session.url}/_mock/sessions/${names[0]}`)).status).toBe(404);
});

test('the page is small and painted soon', async ({page, mock}) => {
  const html = await (await fetch(`${mock.url}/_mock/`, {headers: {Accept: 'text/html'}})).text();
  expect(html.length).toBeLessThan(250000);
  await page.goto(`${mock.url}/_mock/#/requests`);
  await expect(page.locator('#view-title')).toBeVisible();
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  expect(painted).toBeLessThan(1000);
});
