// What the tests share: one mock for all of them, a session for each, and a page that may talk to the mock
// alone, throws nothing and executes nothing that it shows.
import {test as base, expect} from '@playwright/test';
import {cpSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';

import {mock_server, root, start_mock as start, temporary_folder} from '../../../scripts/lib/programs.mjs';

export {mock_server as program, root};

export const AUTHORIZED = {Authorization: 'Bearer dodo_test_me'};
export const CUSTOMER = 'cus_L9xVQ2zg4mZaouqKLiMcV';
export const USAGE = '/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history';

export const start_mock = (...flags) => start('--quiet', ...flags);

async function use_mock(flags, use) {
  const mock = await start_mock(...flags);
  await use(mock);
  await mock.stop();
}

// Anything that a text of the mock could do if it were executed ends in window.executed or a dialog.
async function guard(context, allowed) {
  const wrong = [];
  await context.route((url) => /^https?:$/.test(url.protocol) && !allowed().includes(url.origin), (route) => {
    wrong.push(`asked for ${route.request().url()}`);
    return route.abort();
  });
  context.on('dialog', (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  context.on('weberror', (error) => wrong.push(`an error: ${error.error().stack}`));
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) wrong.push(message.text());
  });
  return wrong;
}

export const test = base.extend({
  mock: [({}, use) => use_mock(['--journal-bytes', '67108864'], use), {scope: 'worker'}],
  foreign: [({}, use) => use_mock(['--contract', path.join(root, 'spec/contract/corpus/invoices_30.yaml')], use), {scope: 'worker'}],

  // Other addresses that the page may ask: mocks that a test starts itself.
  allowed: async ({}, use) => use([]),

  context: async ({context, mock, foreign, allowed}, use) => {
    const wrong = await guard(context, () => [mock.url, foreign.url, ...allowed]);
    await use(context);
    for (const page of context.pages()) expect(await page.evaluate('window.executed ?? null')).toBeNull();
    expect(wrong).toEqual([]);
  },

  // A session of the mock for this test: {name, call(path, init), control(path, init), open(hash)}.
  session: async ({page, mock}, use, info) => {
    const name = `t${info.testId.replace(/[^A-Za-z0-9]/g, '').slice(-20)}`;
    await use(session_of(page, mock.url, name));
  },

  // A mock that may write into fixtures of its own: {folder, file, session, text(name)}.
  kept: async ({page, allowed}, use) => {
    const folder = temporary_folder('keep');
    cpSync(path.join(root, 'fixtures'), folder, {recursive: true});
    const file = path.join(folder, 'customers.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('  name: Amara Okafor\n', '  name: Amara Okafor   # the first of all\n'));
    const mock = await start_mock('--no-default-fixtures', '--fixtures', folder, '--edit-fixtures');
    allowed.push(mock.url);
    await use({folder, file, session: session_of(page, mock.url, 'keep'), text: (name = 'customers.yaml') => readFileSync(path.join(folder, name), 'utf8')});
    await mock.stop();
    rmSync(folder, {recursive: true});
  },

  foreign_session: async ({page, foreign}, use, info) => {
    await use(session_of(page, foreign.url, `t${info.testId.slice(-16).replace(/[^A-Za-z0-9]/g, '')}`));
  }
});

export function session_of(page, url, name) {
  const send = (path, init = {}) => fetch(url + path, {...init, headers: {'X-Counterpart-Session': name, ...init.headers}});
  return {
    name, url,
    call: (path, init = {}) => send(path, {...init, headers: {...AUTHORIZED, ...init.headers}}),
    post: (path, value, method = 'POST') => send(path, {method, headers: {...AUTHORIZED, 'Content-Type': 'application/json'}, body: JSON.stringify(value)}),
    json: async (path) => (await send(path)).json(),
    address: (hash) => `${url}/_mock/#/${hash}${hash.includes('?') ? '&' : '?'}session=${name}`,
    async open(hash) {
      await page.goto(this.address(hash));
      await expect(page.locator('#view-title')).toBeAttached();
    }
  };
}

export const rows = (page) => page.getByRole('list', {name: 'Requests'}).getByRole('listitem');
export const detail = (page) => page.getByRole('region', {name: 'One request'});
export const said = (page) => page.locator('#said');
export const dialog = (page) => page.getByRole('dialog');
export const write = (page) => dialog(page).getByRole('button', {name: 'Write', exact: true});
export const notices = (page) => page.locator('#notices');
// Accepts or dismisses the question of the page before something is lost.
export const confirm = (page, verb) => page.getByRole('dialog').getByRole('button', {name: verb, exact: true}).click();
export {expect};
