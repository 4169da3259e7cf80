// What the page changes: records, clock, scenarios, sessions, the next response.
import {CUSTOMER, confirm, expect, notices, said, test} from './console.mjs';

test('a record is validated while it is typed, and stored when it is saved', async ({page, session}) => {
  await session.open(`records/customers/${CUSTOMER}`);
  const text = page.getByLabel('The record as JSON');
  const record = JSON.parse(await text.inputValue());

  await text.fill(JSON.stringify({...record, email: 4711}));
  await expect(page.locator('#verdict')).toHaveText('Invalid');
  await expect(page.locator('#problems')).toContainText('email');
  await text.fill(JSON.stringify({...record, email: 4711}).slice(0, -1));
  await expect(page.locator('#problems')).toContainText(/JSON|body/);
  expect((await (await session.call(`/customers/${CUSTOMER}`)).json()).email).toBe(record.email);

  await text.fill(JSON.stringify({...record, name: 'Ada'}));
  await expect(page.locator('#verdict')).toHaveText('Valid, not saved');
  expect((await (await session.call(`/customers/${CUSTOMER}`)).json()).name).toBe(record.name);
  await text.press('Control+s');
  await expect(said(page)).toHaveText(`Saved: ${CUSTOMER}`);
  expect((await (await session.call(`/customers/${CUSTOMER}`)).json()).name).toBe('Ada');
  await expect(page.getByRole('list', {name: 'Records'})).toContainText('changed');

  await page.getByRole('button', {name: 'Reset to fixture'}).click();
  await expect(text).toHaveValue(/Amara Okafor/);
  expect((await (await session.call(`/customers/${CUSTOMER}`)).json()).name).toBe(record.name);
});

test('records are created, found, deleted and reset', async ({page, session}) => {
  await session.open('records/customers');

  await page.getByRole('link', {name: 'New record'}).click();
  await page.getByLabel('Key', {exact: true}).fill('cus_new');
  await page.getByLabel('The record as JSON').fill('{"name": "Nia", "email": "nia@site.example"}');
  await expect(page.locator('#verdict')).toHaveText('Valid, not saved');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(page.getByRole('heading', {name: 'cus_new'})).toBeVisible();
  expect((await (await session.call('/customers/cus_new')).json()).name).toBe('Nia');

  await page.getByLabel('Search').fill('nia@site');
  await expect(page.getByRole('list', {name: 'Records'}).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', {name: 'Delete'}).click();
  await expect(said(page)).toHaveText('Deleted: cus_new');
  expect((await session.call('/customers/cus_new')).status).toBe(404);

  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'Changed'}, 'PATCH');
  await page.getByRole('button', {name: 'Reset collection'}).click();
  await confirm(page, 'Reset');
  await expect(said(page)).toContainText('as in the fixtures');
  expect((await (await session.call(`/customers/${CUSTOMER}`)).json()).name).toBe('Amara Okafor');
});

test('a change of the records takes the focus from no search', async ({page, session}) => {
  await session.open('records/customers');
  await page.getByLabel('Search').fill('cus_');

  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'Changed'}, 'PATCH');
  await expect(page.getByRole('list', {name: 'Records'})).toContainText('changed');

  await expect(page.getByLabel('Search')).toBeFocused();
});

test('a record that was deleted or reset comes back as it was', async ({page, session}) => {
  const name = async () => (await (await session.call(`/customers/${CUSTOMER}`)).json()).name;
  await session.open(`records/customers/${CUSTOMER}`);

  await page.getByRole('button', {name: 'Delete'}).click();
  await expect(notices(page)).toContainText('was deleted');
  expect(await name()).toBeUndefined();
  await page.getByRole('button', {name: 'Undo', exact: true}).click();
  await expect(page.getByRole('heading', {name: CUSTOMER})).toBeVisible();
  expect(await name()).toBe('Amara Okafor');
  await expect(page.getByRole('list', {name: 'Records'})).not.toContainText('changed');

  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'Changed'}, 'PATCH');
  await expect(page.getByLabel('The record as JSON')).toHaveValue(/Changed/);
  await page.getByRole('button', {name: 'Reset to fixture'}).click();
  await expect(page.getByLabel('The record as JSON')).toHaveValue(/Amara/);
  await page.getByRole('button', {name: 'Undo', exact: true}).click();
  await expect(page.getByLabel('The record as JSON')).toHaveValue(/Changed/);
  expect(await name()).toBe('Changed');
});

test('what is typed stays in another view, and when the page is loaded again', async ({page, session}) => {
  const tab = (title) => page.getByRole('navigation').getByRole('link', {name: title});
  const text = page.getByLabel('The record as JSON');
  await session.open(`records/customers/${CUSTOMER}`);
  await text.fill('{"name": "typed"');
  await tab('Clock').click();
  await page.getByLabel('Set to').fill('2031-05-06T00:00:00Z');
  await tab('Sessions').click();
  await page.getByLabel('Fork as').fill('half-a-name');

  await tab('Records').click();
  await expect(text).toHaveValue('{"name": "typed"');
  await expect(page.locator('#verdict')).toHaveText('Invalid');
  await expect(page.getByRole('list', {name: 'Records'})).toContainText('not saved');
  await page.reload();
  await expect(text).toHaveValue('{"name": "typed"');
  await tab('Clock').click();
  await expect(page.getByLabel('Set to')).toHaveValue('2031-05-06T00:00:00Z');
  await tab('Sessions').click();
  await expect(page.getByLabel('Fork as')).toHaveValue('half-a-name');

  await tab('Records').click();
  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'Somebody'}, 'PATCH');
  await expect(page.locator('.detail')).toContainText('The record was changed meanwhile');
  await page.getByRole('button', {name: 'Undo typing'}).click();
  await expect(text).toHaveValue(/Somebody/);
  await expect(page.getByRole('list', {name: 'Records'})).not.toContainText('not saved');
});

test('numbers of a record stay as they were written', async ({page, session}) => {
  await session.open('records/customers');
  await page.getByRole('link', {name: 'New record'}).click();
  await page.getByLabel('Key', {exact: true}).fill('cus_exact');
  await page.getByLabel('The record as JSON').fill('{"name": "N", "email": "n@site.example", "metadata": {"a": "x"}, "extra": 12345678901234567890.10}');
  await page.getByRole('button', {name: 'Save', exact: true}).click();

  await expect(page.getByLabel('The record as JSON')).toHaveValue(/12345678901234567890\.10/);
});

test('what is typed stays when somebody else changes the record', async ({page, session}) => {
  await session.open(`records/customers/${CUSTOMER}`);
  const text = page.getByLabel('The record as JSON');
  await text.fill('{"name": "typed"');

  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'Somebody'}, 'PATCH');

  await expect(page.locator('.detail')).toContainText('The record was changed meanwhile');
  await expect(text).toHaveValue('{"name": "typed"');
});

test('a misspelt member is named, and stored all the same', async ({page, session}) => {
  await session.open(`records/customers/${CUSTOMER}`);
  const text = page.getByLabel('The record as JSON');
  const stored = await text.inputValue();

  await text.fill(JSON.stringify({...JSON.parse(stored), emial: 'x'}));
  await expect(page.locator('#verdict')).toHaveText('Valid, not saved');
  await expect(page.locator('#warning')).toContainText('did you mean "email"');
  await text.press('Control+s');
  await expect(page.locator('#verdict')).toHaveText('As stored');
  await expect(page.locator('#warning')).toContainText('did you mean "email"');
  await text.fill(stored);
  await expect(page.locator('#verdict')).toHaveText('Valid, not saved');
  await expect(page.locator('#warning')).toBeEmpty();
});

test('the clock is frozen, moved, set and reset', async ({page, session}) => {
  const clock = () => session.json('/_mock/clock');
  await session.open('clock');

  await page.getByLabel('Set to').fill('2027-01-01T00:00:00Z');
  await page.getByLabel('Set to').press('Enter');
  await page.getByRole('button', {name: 'Freeze'}).click();
  await expect(page.getByText('Frozen', {exact: true})).toBeVisible();
  const frozen = (await clock()).now;
  expect(frozen).toContain('2027-01-01T00:0');
  await page.getByRole('button', {name: '+1 hour'}).click();
  await expect(page.getByRole('timer')).toContainText('2027-01-01T01:0');
  await page.getByRole('button', {name: '+1 day'}).click();
  await expect(page.getByRole('timer')).toContainText('2027-01-02T01:0');
  expect(Date.parse((await clock()).now) - Date.parse(frozen)).toBe(25 * 3600 * 1000);
  await expect(page.locator('#clock')).toContainText('Clock frozen: 2027-01-02');

  await page.getByLabel('Set to').fill('tomorrow');
  await page.getByRole('button', {name: 'Set', exact: true}).first().click();
  await expect(notices(page)).toContainText('tomorrow');
  await page.getByRole('button', {name: 'Reset'}).first().click();
  await expect(page.getByText('The time of the machine')).toBeVisible();
  await expect(notices(page)).toBeEmpty();
  expect((await clock()).moved).toBe(false);
});

test('a scenario is a switch', async ({page, session}) => {
  await session.open('scenarios');
  const scenario = page.getByRole('switch', {name: 'rate_limited_twice'});

  await scenario.click();
  await expect(scenario).toHaveAttribute('aria-checked', 'true');
  await expect(scenario).toBeFocused();
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(429);
  await scenario.click();
  await expect(scenario).toHaveAttribute('aria-checked', 'false');
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(200);

  await session.call('/_mock/scenarios/error_then_success/arm', {method: 'POST'});
  await expect(page.getByRole('switch', {name: 'error_then_success'})).toHaveAttribute('aria-checked', 'true');
});

test('an older response is never shown over a newer', async ({page, session}) => {
  await session.open('scenarios');
  const scenario = page.getByRole('switch', {name: 'rate_limited_twice'});
  await expect(page.locator('#connection')).toHaveText('live');
  let release;
  const held = new Promise((is_held) => {
    page.route(/\/_mock\/scenarios$/, async (route) => {
      const response = await route.fetch();
      is_held();
      await new Promise((done) => {
        release = done;
      });
      await route.fulfill({response});
    }, {times: 1});
  });

  await session.call('/_mock/scenarios/error_then_success/arm', {method: 'POST'});
  await held;  // the response in which the other is not armed
  await session.call('/_mock/scenarios/rate_limited_twice/arm', {method: 'POST'});
  await page.waitForResponse(/\/_mock\/scenarios$/, {timeout: 2000}).catch(() => {});  // it must not come before
  release();

  await expect(page.getByRole('switch', {name: 'error_then_success'})).toHaveAttribute('aria-checked', 'true');
  await expect(scenario).toHaveAttribute('aria-checked', 'true');
});

test('what looks the same is not drawn again, so that no click is lost', async ({page, session}) => {
  await session.open('scenarios');
  const scenario = page.getByRole('switch', {name: 'rate_limited_twice'});
  await expect(page.locator('#connection')).toHaveText('live');
  await scenario.evaluate((element) => {
    element.is_first = true;
  });

  const read = page.waitForResponse(/\/_mock\/faults$/);
  await session.call('/_mock/scenarios/outage/reset', {method: 'POST'});
  await read;

  expect(await scenario.evaluate((element) => element.is_first)).toBe(true);
});

test('with all sessions shown a scenario is switched for all, and other changes need one session', async ({page, session}) => {
  const status_in = async (name) => (await session.call(`/customers/${CUSTOMER}`, {headers: {'X-Counterpart-Session': name}})).status;
  await page.goto(`${session.url}/_mock/#/scenarios?session=*`);
  const scenario = page.getByRole('switch', {name: 'outage', exact: true});

  await scenario.click();
  await expect(said(page)).toHaveText('outage is armed for every session');
  await expect(scenario).toHaveAttribute('aria-checked', 'true');
  expect([await status_in(session.name), await status_in(`${session.name}-later`)]).toEqual([503, 503]);
  await scenario.click();
  await expect(scenario).toHaveAttribute('aria-checked', 'false');
  expect(await status_in(session.name)).toBe(200);

  await expect(page.getByRole('region', {name: 'Faults'})).toHaveText(/Choose a session: faults belong to one\.$/);
  for (const title of ['Records', 'Clock']) {
    await page.getByRole('navigation').getByRole('link', {name: title}).click();
    await expect(page.locator('#view-title')).toHaveText(title);
    await expect(page.locator('main')).toContainText('Choose a session');
    await expect(page.locator('main').getByRole('button')).toHaveCount(0);
  }
  await page.getByRole('list', {name: 'Sessions'}).getByRole('link', {name: session.name, exact: true}).click();
  await expect(page.getByRole('timer')).toContainText(/\d/);
  await expect(page).toHaveURL(new RegExp(`session=${session.name}$`));
});

test('a fault is switched on and off', async ({page, session}) => {
  await session.open('scenarios');

  await page.getByLabel('Fault', {exact: true}).selectOption('reset');
  await page.getByLabel('Operation', {exact: true}).selectOption('GET /customers/{customer_id}');
  await page.getByRole('button', {name: 'Add fault'}).click();
  await expect(said(page)).toHaveText('reset is on');
  await expect(session.call(`/customers/${CUSTOMER}`)).rejects.toThrow();

  await page.getByRole('button', {name: 'Remove fault reset'}).click();
  await expect(said(page)).toHaveText('No faults');
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(200);
});

test('the next response is chosen for an operation', async ({page, session}) => {
  await session.open('operations/get_customer_handler');
  const card = page.getByRole('region', {name: 'One operation'});

  for (const status of ['429', '503']) {
    await card.getByRole('combobox', {name: 'Next response of GET'}).fill(status);
    await card.getByRole('button', {name: 'Arm'}).click();
    await expect(card).toContainText(`The next response is ${status}.`);
    expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(Number(status));
    expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(200);
  }

  await card.getByRole('button', {name: 'Arm'}).click();
  await card.getByRole('button', {name: 'Take back'}).click();
  await expect(said(page)).toHaveText('Taken back');
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(200);
});

test('a status that was typed is armed, whatever somebody else arms meanwhile', async ({page, session}) => {
  await session.open('operations/get_customer_handler');
  const card = page.getByRole('region', {name: 'One operation'});
  const status = card.getByRole('combobox', {name: 'Next response of GET'});
  await status.fill('503');
  await status.blur();

  await session.post('/_mock/scenarios/next_usage', {description: 'By somebody else.', rules: [{operations: ['list_usage_history_handler'], times: 1, force: {status: 500}}]}, 'PUT');
  await expect(page.locator('[data-operation=list_usage_history_handler]')).toContainText('By somebody else.');
  await page.getByLabel('Search').fill('customer');
  await expect(status).toHaveValue('503');
  await card.getByRole('button', {name: 'Arm'}).click();

  await expect(card).toContainText('The next response is 503.');
  expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(503);
});

test('an operation has an address that works, in the session', async ({page, context, session}) => {
  await session.open('operations/get_payment_invoice_no_auth');
  const link = page.getByRole('region', {name: 'One operation'}).getByRole('link', {name: /invoices/});
  const address = await link.getAttribute('href');

  expect((await fetch(session.url + address)).status).toBe(200);
  expect((await session.json('/_mock/requests')).requests.at(-1).status).toBe(200);
  expect(context.pages()).toHaveLength(1);
});

test('sessions are forked, switched, reset and deleted', async ({page, session}) => {
  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'Forked'}, 'PATCH');
  await session.open('sessions');
  const fork = `${session.name}-2`;

  await page.getByLabel('Fork as').fill(fork);
  await page.getByRole('button', {name: 'Fork'}).click();
  await expect(page.getByRole('heading', {name: `Session: ${fork}`})).toBeVisible();
  const name_in_fork = async () => (await (await session.call(`/customers/${CUSTOMER}`, {headers: {'X-Counterpart-Session': fork}})).json()).name;
  expect(await name_in_fork()).toBe('Forked');
  await page.getByRole('button', {name: `Reset ${fork}`}).click();
  await confirm(page, 'Cancel');
  expect(await name_in_fork()).toBe('Forked');
  await page.getByRole('button', {name: `Reset ${fork}`}).click();
  await expect(page.getByRole('dialog')).toContainText('1 change of records');
  await confirm(page, 'Reset');
  await expect(said(page)).toContainText('was reset');
  expect(await name_in_fork()).toBe('Amara Okafor');

  await page.getByRole('button', {name: `Delete ${fork}`}).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', {name: `Session: ${fork}`})).toBeVisible();
  await page.getByRole('button', {name: `Delete ${fork}`}).click();
  await confirm(page, 'Delete');
  await expect(page.getByRole('heading', {name: 'Session: default'})).toBeVisible();
  expect((await fetch(`${session.url}/_mock/sessions/${fork}`)).status).toBe(404);
});

test('a snapshot is taken, restored and deleted', async ({page, session}) => {
  await session.open('sessions');
  await page.getByLabel('Snapshot').fill('before');
  await page.getByRole('button', {name: 'Take'}).click();
  await expect(page.getByRole('list', {name: 'Snapshots'})).toContainText('before');
  await session.post(`/_mock/records/customers/${CUSTOMER}`, {name: 'After'}, 'PATCH');

  await page.getByRole('button', {name: 'Restore before'}).click();
  await confirm(page, 'Restore');
  await expect(said(page)).toHaveText('Restored: before');
  expect((await (await session.call(`/customers/${CUSTOMER}`)).json()).name).toBe('Amara Okafor');
  await page.getByRole('button', {name: 'Delete snapshot before'}).click();
  await confirm(page, 'Delete');
  await expect(page.getByText('No snapshots.')).toBeVisible();
});
