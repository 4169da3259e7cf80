// How much work five tasks are, in clicks: counted by the page itself; keys that type are none.
import {CUSTOMER, detail, expect, notices, rows, test, write} from './console.mjs';

const BRAND = 'brnd_F5ZR3qa7yEeeby3abP3E2';

async function count_clicks(page) {
  await page.addInitScript(() => {
    addEventListener('click', (event) => {
      if (event.isTrusted && event.detail > 0) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1));
    }, true);
  });
  let before = 0;
  // Since it was asked last.
  return async () => {
    const all = await page.evaluate('Number(sessionStorage.getItem("clicks") ?? 0)');
    const fresh = all - before;
    before = all;
    return fresh;
  };
}

test('five tasks, in clicks', async ({page, context, kept}) => {
  test.slow();
  const {session} = kept;
  const clicks = await count_clicks(page);
  const view = (name) => page.getByRole('navigation').getByRole('link', {name}).click();
  const response = page.getByRole('region', {name: 'The response'});
  await session.open('requests');

  await test.step('make a read of customers fail once with 429: three', async () => {
    await view('Operations');
    await page.getByRole('link', {name: /GET \/customers/}).click();
    await page.getByRole('button', {name: 'Arm', exact: true}).click();
    await expect(page.getByRole('region', {name: 'One operation'})).toContainText('The next response is 429.');
    expect(await clicks()).toBe(3);
    expect((await session.call(`/customers/${CUSTOMER}`)).status).toBe(429);
  });

  await test.step('find why a PATCH was rejected: two', async () => {
    await session.post(`/brands/${BRAND}`, {name: 5}, 'PATCH');
    await view('Requests');
    await expect(rows(page).first()).toContainText('PATCH');
    await rows(page).first().getByRole('link').click();
    await expect(detail(page)).toContainText('must be a string, but is 5');
    expect(await clicks()).toBe(2);
  });

  await test.step('send it again with another body: at most four', async () => {
    await detail(page).getByRole('button', {name: 'Edit and send'}).click();
    await page.getByRole('textbox', {name: /^Body/}).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"name": "Right"}');
    await page.getByRole('button', {name: 'Send', exact: true}).click();
    await expect(response).toContainText('200');
    expect(await clicks()).toBe(3);
  });

  await test.step('show a colleague this state: an address', async () => {
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('region', {name: 'One operation'})).toContainText('/brands/{id}');
    expect(await clicks()).toBe(0);
  });

  await test.step('keep the record that it changed in a file: three', async () => {
    await response.getByRole('link', {name: `brands/${BRAND}`}).click();
    await page.getByRole('button', {name: 'Save to fixtures', exact: true}).click();
    await write(page).click();
    await expect(notices(page)).toContainText('Written:');
    expect(await clicks()).toBe(3);
    expect(kept.text('brands.yaml')).toContain('name: Right');
  });
});
