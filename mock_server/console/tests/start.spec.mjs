// The first screen, what is on in the session, and how much work five tasks are, in clicks.
import {CUSTOMER, confirm, detail, expect, notices, rows, said, session_of, start_mock, test} from './console.mjs';

const banner = (page) => page.locator('#banner');

// Clicks, counted by the page itself; keys that type are none.
async function count_clicks(page) {
  await page.addInitScript(() => {
    addEventListener('click', (event) => {
      if (event.isTrusted && event.detail > 0) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1));
    }, true);
  });
}
const clicks = (page) => page.evaluate('Number(sessionStorage.getItem("clicks") ?? 0)');

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

test('five tasks, in clicks', async ({page, context, session}) => {
  test.slow();
  await count_clicks(page);
  await session.open('requests');

  // Make a read of customers fail once with 429: three.
  await page.getByRole('navigation').getByRole('link', {name: 'Operations'}).click();
  await page.getByRole('link', {name: /GET \/customers/}).click();
  await page.getByRole('button', {name: 'Arm', exact: true}).click();
  await expect(page.getByRole('region', {name: 'One operation'})).toContainText('The next response is 429.');
  expect(await clicks(page)).toBe(3);
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(429);

  // Find why a PATCH was rejected: two at most.
  await session.post('/brands/brnd_F5ZR3qa7yEeeby3abP3E2', {name: 5}, 'PATCH');
  await page.getByRole('navigation').getByRole('link', {name: 'Requests'}).click();
  await expect(rows(page).first()).toContainText('PATCH');
  await rows(page).first().getByRole('link').click();
  await expect(detail(page)).toContainText('must be a string, but is 5');
  expect(await clicks(page)).toBe(5);

  // Send it again with another body: four at most.
  await detail(page).getByRole('button', {name: 'Edit and send'}).click();
  await page.getByRole('textbox', {name: /^Body/}).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"name": "Right"}');
  await page.getByRole('button', {name: 'Send', exact: true}).click();
  await expect(page.getByRole('region', {name: 'The response'})).toContainText('200');
  expect(await clicks(page)).toBe(8);

  // Show a colleague: an address.
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('region', {name: 'One operation'})).toContainText('/brands/{id}');
  await expect(notices(page)).toBeEmpty();
});

test('the page is small and painted soon', async ({page, mock}) => {
  const html = await (await fetch(`${mock.url}/_mock/`, {headers: {Accept: 'text/html'}})).text();
  expect(html.length).toBeLessThan(250000);
  await page.goto(`${mock.url}/_mock/#/requests`);
  await expect(page.locator('#view-title')).toBeVisible();
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  expect(painted).toBeLessThan(1000);
});
