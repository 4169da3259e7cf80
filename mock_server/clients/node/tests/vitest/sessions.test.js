import {mockTest} from 'counterpart-mock/vitest';
import {expect} from 'vitest';

const test = mockTest();
const seen = new Set();

const get = (session, path) => fetch(session.url + path, {headers: {Authorization: 'Bearer dodo_test_me'}});

for (const turn of [1, 2])
  test(`each test has a session, ${turn}`, async ({session, mock}) => {
    expect(seen).not.toContain(session.name);
    expect(session.name).toMatch(new RegExp(`^each-test-has-a-session-${turn}-[0-9a-f]{8}$`));
    expect((await mock.sessions()).map(({name}) => name)).not.toContain([...seen][0]);
    seen.add(session.name);
    await get(session, '/customers/cus_L9xVQ2zg4mZaouqKLiMcV');
    expect(await session.requests()).toHaveLength(1);
  });

test('this one fails', async ({session}) => {
  const response = await get(session, '/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=500');
  expect(response.status).toBe(200);
});
