import {expect, test} from 'counterpart-mock/playwright';

test.describe('brand', () => {
  const save = async (page, name) => {
    await page.locator('#brand input').fill(name);
    await page.locator('#brand button').click();
  };

  test('a new name is saved', async ({page, session}) => {
    await page.goto('/');
    await save(page, 'Marigold Atlas');
    await expect(page.locator('#brand .status')).toHaveText(/^Marigold Atlas: /);
    await session.verify({operation: 'patch_brand_handler', body: {'/name': 'Marigold Atlas'}}, {exactly: 1});
    expect(await session.record('brands', 'brnd_F5ZR3qa7yEeeby3abP3E2').get()).toMatchObject({name: 'Marigold Atlas'});
  });

  test('a brand is in review, and a minute later verified', async ({page, session}) => {
    await session.clock.freeze();
    await session.arm('brand_in_review');
    await page.goto('/');
    await save(page, 'One');
    await expect(page.locator('#brand .status')).toHaveText('One: Review');
    await session.clock.advance(60);
    await save(page, 'Two');
    await expect(page.locator('#brand .status')).toHaveText('Two: Success');
  });

  test('the primary brand cannot be changed', async ({page}) => {
    await page.goto('/?brand=bus_Ky9Pf34qY6Nb3wWD25RQ4');
    await save(page, 'Any');
    await expect(page.locator('#brand [role=alert]')).toHaveText('Not allowed');
  });

  test('a brand that does not exist is not found', async ({page}) => {
    await page.goto('/?brand=brnd_unknown');
    await save(page, 'Any');
    await expect(page.locator('#brand [role=alert]')).toHaveText('Not found');
  });
});

test.describe('invoices', () => {
  const first = (page) => page.locator('#invoices li').first();

  test('invoices are ready', async ({page}) => {
    await page.goto('/');
    await expect(first(page)).toHaveText(/^pay_dr0UwfMpf5rg7wOojmCUu: ready, \d{4,} bytes$/);
  });

  test('an invoice is ready some seconds later', async ({page, session}) => {
    await session.clock.freeze();
    await session.arm('invoice_not_ready');
    await page.goto('/');
    await expect(first(page)).toHaveText(/: not ready$/);
    await session.clock.advance({seconds: 10});
    await page.reload();
    await expect(first(page)).toHaveText(/: ready/);
  });

  test('a connection is lost', async ({page, session}) => {
    await session.fault('reset', {operations: ['get_payment_invoice_no_auth']});
    await page.goto('/');
    await expect(first(page)).toHaveText(/: (connection lost|error 500)$/);  // 500: the proxy's
  });
});

test.describe('usage', () => {
  const rows = (page) => page.locator('#usage li');

  test('there are ten rows, and other ten on the next page', async ({page}) => {
    await page.goto('/');
    await expect(rows(page)).toHaveCount(10);
    const before = await rows(page).allTextContents();
    await page.locator('#usage button').click();
    await expect(rows(page).first()).not.toHaveText(before[0]);
    await expect(rows(page)).toHaveCount(10);
  });

  test('without usage there is no next page', async ({page, session}) => {
    await session.arm('usage_stays_empty');
    await page.goto('/');
    await expect(page.locator('#usage button')).toBeDisabled();
    await expect(rows(page)).toHaveCount(0);
  });

  test('a failed request for a page is reported', async ({page, session}) => {
    await page.goto('/');
    await expect(rows(page)).toHaveCount(10);
    await session.next('list_usage_history_handler', 500);
    await page.locator('#usage button').click();
    await expect(page.locator('#usage [role=alert]')).toHaveText('The service does not work: try again');
  });
});

test.describe('licence', () => {
  const check = async (page, key) => {
    await page.locator('#licence input').fill(key);
    await page.locator('#licence button').click();
  };

  test('a licence is valid', async ({page}) => {
    await page.goto('/');
    await check(page, 'PRO-4F7K-9QXM-2WTR-8HVD');
    await expect(page.locator('#licence .status')).toHaveText('valid');
  });

  test('an unknown licence is not valid', async ({page}) => {
    await page.goto('/');
    await check(page, 'NONE');
    await expect(page.locator('#licence .status')).toHaveText('not valid');
  });

  test('a licence expires tomorrow', async ({page, session}) => {
    await session.clock.set('2026-12-31T12:00:00Z');
    await session.record('licences', 'MINE').put({expires_at: '2027-01-01T12:00:00Z'});
    await page.goto('/');
    await check(page, 'MINE');
    await expect(page.locator('#licence .status')).toHaveText('valid');
    await session.clock.advance({days: 1});
    await check(page, 'MINE');
    await expect(page.locator('#licence .status')).toHaveText('not valid');
  });

  test('a licence is checked once', async ({page, session}) => {
    await page.goto('/');
    await check(page, 'NONE');
    await session.wait({operation: 'validate_license_key', body: {'/license_key': 'NONE'}});
    await session.verify({operation: 'validate_license_key'}, {exactly: 1});
  });
});
