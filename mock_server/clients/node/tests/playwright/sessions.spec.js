// Which requests name the session, and what a failing test shows: the last test fails.
import http from 'node:http';

import {expect, nameSession, test as base} from 'counterpart-mock/playwright';

const PATH = '/customers/cus_L9xVQ2zg4mZaouqKLiMcV';
const headers = {Authorization: 'Bearer dodo_test_me'};

// A server that is not the mock: {url, received}; `received` has the session that each path was asked for in.
function start_server() {
  const received = {};
  const server = http.createServer((request, response) => {
    received[request.url] = request.headers['x-counterpart-session'] ?? 'none';
    response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Content-Type', 'text/html').end('<p>A page</p>');
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => {
    done({server, received, url: `http://127.0.0.1:${server.address().port}`});
  }));
}

const test = base.extend({
  // The application, and a server of somebody else.
  app: [async ({}, use) => {
    const app = await start_server();
    await use(app);
    app.server.close();
  }, {scope: 'worker'}],
  foreign: [async ({}, use) => {
    const foreign = await start_server();
    await use(foreign);
    foreign.server.close();
  }, {scope: 'worker'}],
  baseURL: async ({app}, use) => use(app.url),
});

const status = (page, url, headers) => page.evaluate(async ([url, headers]) => {
  const response = await fetch(url, {headers});
  return response.status;
}, [url, headers]);

test('a page of another origin calls the mock in the session', async ({page, mock, session}) => {
  await page.goto('/');
  await session.next('get_customer_handler', 429);

  expect(await status(page, mock.url + PATH, headers)).toBe(429);
});

test('the application sees the session, no other server does', async ({page, app, foreign, session}) => {
  await page.goto('/');
  await status(page, `${foreign.url}/foreign`);

  expect(session.name).toMatch(/^the-application-sees-the-session-no-other-server-does-[0-9a-f]{8}$/);
  expect(app.received).toMatchObject({'/': session.name});
  expect(foreign.received).toMatchObject({'/foreign': 'none'});
});

test.describe('with addresses', () => {
  test.use({sessionUrls: async ({app}, use) => use([`${app.url}/api/`])});

  test('only requests below them name the session', async ({page, app, session}) => {
    await page.goto('/other/');
    await status(page, `${app.url}/api/x`);
    await status(page, `${app.url}/apis`);

    expect(app.received).toMatchObject({'/other/': 'none', '/api/x': session.name, '/apis': 'none'});
  });
});

test('a context of the test itself can name the session', async ({browser, foreign, session}) => {
  const context = await browser.newContext();
  await nameSession(context, session, [foreign.url]);
  const page = await context.newPage();
  await page.goto(`${foreign.url}/own`);
  await context.close();

  expect(foreign.received).toMatchObject({'/own': session.name});
});

test('a request that names another session goes there', async ({page, mock}) => {
  await page.goto('/');
  await mock.session('mine').next('get_customer_handler', 500);

  expect(await status(page, mock.url + PATH, {...headers, 'X-Counterpart-Session': 'mine'})).toBe(500);
});

test('this one fails', async ({page, mock}) => {
  await page.goto('/');
  const path = '/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=500';

  expect(await status(page, mock.url + path, headers)).toBe(200);
});
