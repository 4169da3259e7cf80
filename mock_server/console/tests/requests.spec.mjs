// The journal: live, filtered, and one request with its explanation.
import {execFileSync} from 'node:child_process';

import {AUTHORIZED, CUSTOMER, USAGE, confirm, detail, expect, notices, rows, said, test} from './console.mjs';

test('a request appears while the page is open', async ({page, session}) => {
  await session.open('requests');
  await expect(rows(page)).toHaveCount(0);

  await session.call(`/customers/${CUSTOMER}`);
  await expect(rows(page)).toHaveCount(1);
  await session.call('/nowhere');
  await expect(rows(page)).toHaveCount(2);

  await expect(rows(page).first()).toContainText('/nowhere');
  await expect(rows(page).first()).toContainText('404');
  await expect(rows(page).first()).toContainText('no operation');
});

test('preflights are not among those to load', async ({page, session}) => {
  await session.call(`/customers/${CUSTOMER}`);
  const preflight = await fetch(`${session.url}/_s/${session.name}/customers/x`, {method: 'OPTIONS', headers: {Origin: 'http://site.example', 'Access-Control-Request-Method': 'GET'}});
  expect(preflight.status).toBe(204);
  expect((await session.json('/_mock/requests')).window.kept).toBe(2);

  await session.open('requests');

  await expect(page.getByText('1 request', {exact: true})).toBeVisible();
  await expect(page.getByRole('button', {name: /Load all/})).toHaveCount(0);
});

test('below the prefix of a session the default session can be chosen', async ({page, session}) => {
  await session.call('/customers/cus_of_the_prefix');
  await fetch(`${session.url}/customers/cus_without_prefix`, {headers: AUTHORIZED});
  await page.goto(`${session.url}/_s/${session.name}/_mock/`);
  await expect(rows(page).first()).toContainText('cus_of_the_prefix');

  await page.getByLabel('Session', {exact: true}).selectOption({label: 'default'});

  await expect(rows(page).first()).toContainText('cus_without_prefix');
  await page.getByRole('navigation').getByRole('link', {name: 'Sessions'}).click();
  await expect(page.getByRole('heading', {name: 'Session: default'})).toBeVisible();
});

test('every warning of a response is shown', async ({page, session}) => {
  await session.call(`/_s/${session.name}/customers/${CUSTOMER}`, {headers: {'X-Counterpart-Session': 'other', Prefer: 'code=299'}});
  const {requests} = await session.json('/_mock/requests');

  await session.open(`requests/${requests[0].id}`);

  const why = page.getByRole('region', {name: 'Why this response'});
  await expect(why).toContainText('X-Counterpart-Session');
  await expect(why).toContainText('299');
});

test('filters are part of the address', async ({page, context, session}) => {
  await session.call(`/customers/${CUSTOMER}`);
  await session.call('/customers/cus_nobody');
  await session.call(`${USAGE}?page_size=500`);
  await session.open('requests');
  await expect(rows(page)).toHaveCount(3);

  await page.getByLabel('Status').fill('4XX');
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel('Violations', {exact: true}).selectOption('With violations');
  await expect(rows(page)).toHaveCount(1);
  const colleague = await context.newPage();
  await colleague.goto(page.url());

  await expect(rows(colleague)).toHaveCount(1);
  await expect(rows(colleague).first()).toContainText('page_size=500');
  await expect(colleague.getByLabel('Status')).toHaveValue('4XX');
  await colleague.getByLabel('Violations', {exact: true}).selectOption('Any');
  await colleague.getByLabel('Operation').selectOption('GET /customers/{customer_id}');
  await expect(rows(colleague)).toHaveCount(1);
  await expect(rows(colleague).first()).toContainText('cus_nobody');
  await colleague.getByLabel('Status').fill('');
  await colleague.getByLabel('Search').fill('customers.yaml');
  await expect(rows(colleague).first()).toContainText(CUSTOMER);
});

test('a request says which record chose the response', async ({page, session}) => {
  await session.call(`/customers/${CUSTOMER}`);
  await session.open('requests');

  await rows(page).first().getByRole('link').click();

  const one = detail(page);
  await expect(one).toContainText('GET /customers/{customer_id} payments.openapi.yaml:');
  await expect(one).toContainText(`customers/${CUSTOMER} customers.yaml:`);
  await expect(one).toContainText('Authorization');
  await expect(one).toContainText('[hidden]');
  await expect(one.getByRole('group', {name: 'Body of the response'})).toContainText('"name": "Amara Okafor"');
  await one.getByText('Why no other operation (4)').click();
  await expect(one).toContainText('path: segment 1 must be "brands", but is "customers"');
  await one.getByRole('link', {name: `customers/${CUSTOMER}`}).click();
  await expect(page.getByRole('heading', {name: CUSTOMER})).toBeVisible();
});

test('a violation has its place in the request and its lines in the contract', async ({page, session}) => {
  await session.call(`${USAGE}?page_size=500`);
  const {requests} = await session.json('/_mock/requests');

  await session.open(`requests/${requests[0].id}`);

  const violations = page.getByRole('region', {name: 'Violations in the request'});
  await expect(violations).toContainText('query/page_size: must be at most 100, but is 500');
  await expect(violations).toContainText(/payments\.openapi\.yaml:\d+:\d+/);
  await expect(violations).toContainText('/schema/maximum');
  await expect(violations.getByRole('group', {name: /payments\.openapi\.yaml, line \d+/}).locator('mark')).toContainText('maximum: 100');
});

test('what no operation matches has the nearest ones', async ({page, session}) => {
  await session.call(`/customer/${CUSTOMER}`);
  const {requests} = await session.json('/_mock/requests');

  await session.open(`requests/${requests[0].id}`);

  const one = detail(page);
  await expect(one).toContainText('None matches');
  await expect(one.locator('.near li').first()).toContainText('GET /customers/{customer_id}');
});

const in_shell = (text) => execFileSync('bash', ['-c', text], {encoding: 'utf8', env: {...process.env, TOKEN: 'dodo_test_me'}});

test('a request is copied as a command, as code, as a verification and as a scenario', async ({page, context, session}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const text = 'it\'s "so" \u00e9 $HOME';
  await session.post('/licenses/validate', {license_key: text});
  const {requests} = await session.json('/_mock/requests');
  await session.open(`requests/${requests[0].id}`);
  const copied = async (name) => {
    await page.getByRole('button', {name, exact: true}).click();
    await expect(said(page)).toHaveText(`Copied: ${name}`);
    return page.evaluate('navigator.clipboard.readText()');
  };

  expect(in_shell(`${await copied('curl')} 2>/dev/null`)).toContain('{"valid":false}');
  const code = await copied('fetch');
  expect(await page.evaluate(`(async () => { ${code} return response.text(); })()`)).toBe('{"valid":false}');
  const again = await session.json('/_mock/requests');
  expect(await Promise.all(again.requests.map(async ({id}) => (await session.json(`/_mock/requests/${id}`)).request.body)))
    .toEqual([1, 2, 3].map(() => JSON.stringify({license_key: text})));
  expect(JSON.parse(in_shell((await copied('verify call')).replace('"exactly":1', '"exactly":3'))).verdict).toBe('pass');
  expect(JSON.parse(await copied('scenario')).rules[0].steps[0].response.body).toEqual({valid: false});
});

test('the same response again is armed from a request', async ({page, session}) => {
  await session.call('/customers/cus_nobody');
  const {requests} = await session.json('/_mock/requests');
  await session.open(`requests/${requests[0].id}`);

  await page.getByRole('button', {name: 'scenario', exact: true}).click();
  await page.getByRole('button', {name: 'Arm it'}).click();
  await expect(said(page)).toContainText('Armed');

  const next = await session.call(`/customers/${CUSTOMER}`);
  expect(next.status).toBe(404);
  expect((await next.json()).message).toContain('cus_nobody');
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(200);
});

const shown = (page) => detail(page).locator('.request-line');

test('the journal is read with the keyboard alone', async ({page, session}) => {
  for (const name of ['cus_one', 'cus_two', 'cus_three']) await session.call(`/customers/${name}`);
  await session.open('requests');
  await expect(rows(page)).toHaveCount(3);
  await expect(shown(page)).toContainText('/customers/cus_three');

  await page.keyboard.press('j');
  await expect(shown(page)).toContainText('/customers/cus_two');
  await page.keyboard.press('ArrowDown');
  await expect(shown(page)).toContainText('/customers/cus_one');
  await expect(rows(page).nth(2).getByRole('link')).toBeFocused();
  await page.keyboard.press('k');
  await expect(shown(page)).toContainText('/customers/cus_two');
  await page.keyboard.press('/');
  await page.keyboard.type('two');
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(detail(page)).toContainText('The newest request');
  await expect(page).toHaveURL(/requests\?session=/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', {name: 'Keys'})).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a key right after a click goes on from what was clicked', async ({page, session}) => {
  for (const name of ['cus_one', 'cus_two', 'cus_three', 'cus_four']) await session.call(`/customers/${name}`);
  await session.open('requests');
  await expect(rows(page)).toHaveCount(4);
  // Both in one task of the page, before it hears of the new address.
  const click_and_press = (row, key) => page.evaluate(([at, name]) => {
    document.querySelectorAll('.rows .row')[at].click();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
  }, [row, key]);

  await click_and_press(1, 'j');
  await expect(shown(page)).toContainText('/customers/cus_two');
  await click_and_press(2, 'k');
  await expect(shown(page)).toContainText('/customers/cus_three');
  await click_and_press(3, 'Escape');
  await expect(detail(page)).toContainText('The newest request');
  await expect(page).toHaveURL(/requests\?session=/);
});

test('all sessions are shown together, and what is cleared is gone', async ({page, mock, session}) => {
  await session.call(`/customers/${CUSTOMER}`);
  await fetch(`${mock.url}/customers/cus_of_the_default`, {headers: AUTHORIZED});

  await page.goto(`${mock.url}/_mock/#/requests?session=*`);
  await expect(rows(page).filter({hasText: session.name})).toHaveCount(1);
  await expect(rows(page).filter({hasText: 'cus_of_the_default'}).first()).toContainText('default');
  await rows(page).filter({hasText: session.name}).getByRole('link').click();
  await expect(detail(page)).toContainText(`session ${session.name}`);

  await page.getByLabel('Session', {exact: true}).selectOption(session.name);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', {name: 'Clear'}).click();
  await confirm(page, 'Clear');
  await expect(rows(page)).toHaveCount(0);
  expect((await session.json('/_mock/requests')).requests).toEqual([]);
  await expect(notices(page)).toBeEmpty();
});
