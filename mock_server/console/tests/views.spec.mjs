// Every view: for people who do not see or do not use a mouse, on small screens, on a contract of somebody
// else, and as a file.
import AxeBuilder from '@axe-core/playwright';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

import {CUSTOMER, USAGE, detail, expect, notices, program, root, rows, said, test} from './console.mjs';

const VIEWS = ['start', 'requests', 'operations', 'operations/patch_brand_handler', `records/customers/${CUSTOMER}`, 'scenarios', 'clock', 'sessions', 'coverage'];

// These have every colour between them.
const DARK = /^(?:requests|records|scenarios|operations)/;

async function fill(session) {
  await session.call(`/customers/${CUSTOMER}`);
  await session.call(`${USAGE}?page_size=500`);
  await session.call('/nowhere');
  await session.call('/_mock/scenarios/rate_limited_twice/arm', {method: 'POST'});
  await session.post('/_mock/faults', {rules: [{probability: 0.1, fault: 'reset'}]}, 'PUT');
  await session.call('/_mock/snapshots/one', {method: 'PUT'});
}

async function serious(page, ...rules) {
  const builder = new AxeBuilder({page});
  const {violations} = await (rules.length ? builder.withRules(rules) : builder).analyze();
  return violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
    .map(({id, nodes}) => `${id}: ${nodes.map(({html, failureSummary}) => `${html} ${failureSummary}`).join('\n')}`);
}

test('axe finds nothing serious, in light and in dark colours', async ({page, session}) => {
  test.slow();
  await fill(session);
  const {requests} = await session.json('/_mock/requests');
  for (const hash of [...VIEWS, `requests/${requests[1].id}`, `requests/${requests[2].id}`]) {
    await page.emulateMedia({colorScheme: 'light'});
    await session.open(hash);
    await expect(page.locator('main')).toContainText(/\w{3}/);
    expect(await serious(page), hash).toEqual([]);
    if (!DARK.test(hash)) continue;
    await page.emulateMedia({colorScheme: 'dark'});
    expect(await serious(page, 'color-contrast'), `${hash} in dark`).toEqual([]);
  }
  await page.keyboard.press('?');
  expect(await serious(page), 'keys').toEqual([]);
});

test('no view is wider than a small screen', async ({page, session}) => {
  await fill(session);
  await page.setViewportSize({width: 360, height: 640});
  const {requests} = await session.json('/_mock/requests');

  for (const hash of [...VIEWS, `requests/${requests[1].id}`]) {
    await session.open(hash);
    expect(await page.evaluate('document.documentElement.scrollWidth'), hash).toBe(360);
    expect(await page.evaluate('document.querySelector("main").scrollWidth'), hash).toBeLessThanOrEqual(360);
  }
  await expect(detail(page)).toContainText('page_size');
  await page.getByRole('link', {name: 'All requests'}).click();
  await expect(rows(page)).toHaveCount(3);
});

test('nothing moves under the pointer: not for a message, not for the chosen tab', async ({page, session}) => {
  const places = (locator) => locator.evaluateAll((all) => all.map((element) => element.getBoundingClientRect().left));
  await session.open('clock');
  const tabs = page.getByRole('navigation').getByRole('link');
  const tabs_before = await places(tabs);
  const set = page.getByRole('button', {name: 'Set', exact: true}).first();
  const before = await set.boundingBox();

  await page.getByLabel('Set to').fill('tomorrow');
  await set.click();
  await expect(notices(page)).toContainText('tomorrow');

  expect(await set.boundingBox()).toEqual(before);
  await page.getByRole('navigation').getByRole('link', {name: 'Scenarios'}).click();
  await expect(page.locator('#view-title')).toContainText('Scenarios');
  expect(await places(tabs)).toEqual(tabs_before);
});

test('a call without a status says so in its column', async ({page, session}) => {
  await session.call(`/customers/${CUSTOMER}`, {headers: {Prefer: 'fault=reset'}}).catch(() => {});
  for (const width of [1280, 360]) {
    await page.setViewportSize({width, height: 640});
    await session.open('requests');
    const status = rows(page).first().locator('.status');
    await expect(status).toHaveText('no status');
    expect(await status.evaluate(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  }
});

test('the views are reached by keyboard and have titles', async ({page, session}) => {
  await session.open('requests');

  for (const title of ['Operations', 'Records', 'Scenarios', 'Clock', 'Sessions', 'Coverage']) {
    await page.getByRole('navigation').getByRole('link', {name: title}).focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('#view-title')).toContainText(title);
    await expect(page.locator('#view-title')).toBeFocused();
    await expect(page).toHaveTitle(new RegExp(`^${title}`));
    await expect(page).toHaveURL(new RegExp(`session=${session.name}`));
  }
});

test('coverage grows with what is called, in any session', async ({page, session}) => {
  await session.open('coverage');
  const whole = page.locator('.whole');
  await expect(whole).toContainText(/\d+ of \d+ points/);
  const seen = async () => Number(/(\d+) of/.exec((await whole.textContent()).replaceAll(',', ''))[1]);
  const at_first = await seen();

  await session.post('/brands/bus_Ky9Pf34qY6Nb3wWD25RQ4', {name: 'N'}, 'PATCH');
  await expect.poll(seen).toBeGreaterThan(at_first);

  const later = await seen();
  await session.call('/brands/bus_Ky9Pf34qY6Nb3wWD25RQ4', {method: 'PATCH', body: 'N', headers: {'Content-Type': 'text/plain', 'X-Counterpart-Session': `${session.name}-2`}});
  await expect.poll(seen).toBeGreaterThan(later);
});

test('a contract of somebody else, without records', async ({page, foreign_session: session}) => {
  await session.open('operations');
  const cards = page.locator('[data-operation]');
  await expect(cards.first()).toBeAttached();
  const {operations} = await session.json('/_mock/operations');
  expect(await cards.count()).toBe(operations.length);
  const [operation] = operations.filter(({method}) => method === 'GET');
  const card = page.getByRole('region', {name: 'One operation'});
  await session.open(`operations/${operation.id}`);
  const address = await card.locator('dd a').first().getAttribute('href');

  await card.getByRole('button', {name: 'Arm'}).click();
  await expect(said(page)).toContainText('429');
  const call = () => fetch(session.url + address, {headers: {Authorization: 'Bearer any', 'X-API-Key': 'any'}});
  expect((await call()).status).toBe(429);
  expect((await call()).status).not.toBe(429);

  await session.open('requests');
  await expect(rows(page)).toHaveCount(2);
  await rows(page).last().getByRole('link').click();
  await expect(detail(page)).toContainText('invoices_30.yaml:');
  for (const hash of ['records', 'scenarios', 'coverage', 'sessions', 'clock']) {
    await session.open(hash);
    expect(await serious(page), hash).toEqual([]);
  }
  await session.open('records');
  await expect(page.locator('main')).toContainText('no collections');
});

const CALLS = `curl -s "$MOCK_URL/customers/${CUSTOMER}" -H "Authorization: Bearer dodo_test_me"
  curl -s "$MOCK_URL${USAGE}?page_size=500" -H "Authorization: Bearer dodo_test_me" -H "X-Counterpart-Session: one"
  curl -s "$MOCK_URL/nowhere" -H "X-Note: <script>window.executed=1</script>"`;

test('the file that a run writes shows what was recorded and asks nobody', async ({page, context}) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-console-'));
  const run = spawnSync(program, ['run', '--report', folder, '--', 'bash', '-c', CALLS], {cwd: root, encoding: 'utf8'});
  expect(run.status, run.stderr).toBe(1);
  const asked = [];
  context.on('request', (request) => asked.push(request.url()));

  await page.goto(pathToFileURL(path.join(folder, 'console.html')).href);

  await expect(rows(page)).toHaveCount(3);
  await rows(page).first().getByRole('link').click();
  await expect(detail(page)).toContainText('<script>window.executed=1</script>');
  await page.getByLabel('Violations').selectOption('With violations');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('one');
  await rows(page).first().getByRole('link').click();
  await expect(detail(page)).toContainText('must be at most 100, but is 500');
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Requests', 'Operations', 'Records', 'Scenarios', 'Coverage']);
  await page.getByRole('link', {name: 'Coverage'}).click();
  await expect(page.locator('.whole')).toContainText(/\d+ of \d+ points/);
  await page.getByRole('link', {name: 'Scenarios'}).click();
  await expect(page.getByText('rate_limited_twice', {exact: true})).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  await page.getByRole('link', {name: 'Records'}).click();
  await page.getByRole('link', {name: 'customers'}).click();
  await page.getByRole('link', {name: CUSTOMER}).click();
  await expect(page.getByLabel('The record as JSON')).not.toBeEditable();
  expect(await serious(page)).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
  rmSync(folder, {recursive: true});
});
