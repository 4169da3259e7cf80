import {expect, test} from 'counterpart-mock/playwright';

test.use({sessionFor: 'worker'});
test.describe.configure({mode: 'serial'});

let first;

test('a session is changed', async ({session}) => {
  first = session.name;
  await session.record('customers', 'cus_new').put({name: 'Ada', email: 'ada@site.example'});
});

test('the next test of the worker has the same session, reset', async ({session}) => {
  expect(session.name).toBe(first);
  await expect(session.record('customers', 'cus_new').get()).rejects.toThrow('404');
});
