import {mockTest} from 'counterpart-mock/vitest';
import {expect} from 'vitest';

import {inWords, makeApi} from '../api.js';

const test = mockTest();
const apiOf = (session) => makeApi(session.url, 'dodo_test_me');

test('all pages of usage are read, the last one is known', async ({session}) => {
  const api = apiOf(session);
  expect(await api.usage('sub_QYNdaKy8isWydfhl3Tvtn', 24)).toMatchObject({isLast: false});
  expect(await api.usage('sub_QYNdaKy8isWydfhl3Tvtn', 25)).toEqual({rows: [], isLast: true});
});

test('a forbidden change is in words', async ({session}) => {
  const error = await apiOf(session).rename('bus_Ky9Pf34qY6Nb3wWD25RQ4', 'x').catch((error) => error);
  expect(inWords(error)).toBe('Not allowed');
});

test('an invoice that stops halfway is a lost connection', async ({session}) => {
  await session.fault('truncate');
  expect(await apiOf(session).invoice('pay_dr0UwfMpf5rg7wOojmCUu')).toBe('connection lost');
});

test('a body that violates the contract is rejected', async ({session}) => {
  const response = await fetch(`${session.url}/licenses/validate`, {
    method: 'POST',
    headers: {...session.expectInvalid(), 'Content-Type': 'application/json'},
    body: '{}',
  });
  expect(response.status).toBe(422);
});
