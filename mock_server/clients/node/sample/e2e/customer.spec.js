import {expect, test} from 'counterpart-mock/playwright';

const CUSTOMER = 'cus_L9xVQ2zg4mZaouqKLiMcV';

const heading = (page) => page.locator('#customer h1');
const alert = (page) => page.locator('#customer [role=alert]');

test('the name and the address are shown', async ({page}) => {
  await page.goto('/');
  await expect(heading(page)).toHaveText('Amara Okafor');
  await expect(page.locator('.email')).toHaveText('amara.okafor@tidal-freight.example');
});

for (const name of ['Ada', 'Grace', 'Barbara'])
  test(`a customer named ${name} is shown`, async ({page, session}) => {
    await session.record('customers', CUSTOMER).patch({name});
    await page.goto('/');
    await expect(heading(page)).toHaveText(name);
  });

test('a new customer is shown', async ({page, session}) => {
  await session.record('customers', 'cus_new').put({name: 'Frances', email: 'frances@site.example'});
  await page.goto('/?customer=cus_new');
  await expect(heading(page)).toHaveText('Frances');
});

test('a customer who was deleted is not found', async ({page, session}) => {
  await session.record('customers', CUSTOMER).delete();
  await page.goto('/');
  await expect(alert(page)).toHaveText('Not found');
});

test('an error is over at the next try', async ({page, session}) => {
  await session.next('get_customer_handler', 500);
  await page.goto('/');
  await expect(alert(page)).toHaveText('The service does not work: try again');
  await page.locator('#customer button').click();
  await expect(heading(page)).toHaveText('Amara Okafor');
  await session.verify({operation: 'get_customer_handler'}, {exactly: 2});
});

test('a rate limit is over after a minute', async ({page, session}) => {
  await session.clock.freeze();
  await session.arm('rate_limited_for_a_minute');
  await page.goto('/');
  await expect(alert(page)).toHaveText('Too many requests: wait a minute');
  await session.clock.advance({minutes: 1});
  await page.locator('#customer button').click();
  await expect(heading(page)).toHaveText('Amara Okafor');
});

test('an outage is reported', async ({page, session}) => {
  await session.clock.freeze();
  await session.arm('outage_for_a_minute');
  await page.goto('/');
  await expect(alert(page)).toHaveText('The service does not work: try again');
});

test('a page that the server renders is of the same session', async ({page, session}) => {
  await session.record('customers', CUSTOMER).patch({name: 'Ada'});
  await page.goto(`/statement?customer=${CUSTOMER}`);
  await expect(page.locator('body')).toHaveText('Statement for Ada');
});

test('an error of the server side is of the same session', async ({page, session}) => {
  await session.next('get_customer_handler', 429);
  await page.goto(`/statement?customer=${CUSTOMER}`);
  await expect(page.locator('body')).toHaveText('Error 429');
});
