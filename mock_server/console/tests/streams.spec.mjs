// EventSource against a stream of the mock: events one by one, items that a test pushes, and a connection that
// breaks within an event.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {expect, session_of, start_mock, test as base} from './console.mjs';

const CONTRACT = `
openapi: 3.1.0
info: {title: Chat, version: "1"}
paths:
  /messages:
    get:
      operationId: messages
      responses:
        "200":
          description: ok
          content:
            text/event-stream:
              schema: {type: object, required: [text], properties: {text: {type: string}}}
              example: "retry: 100\\n\\ndata: {\\"text\\":\\"one\\"}\\n\\ndata: {\\"text\\":\\"two\\"}\\n\\ndata: {\\"text\\":\\"three\\"}\\n\\n"
`;

const test = base.extend({
  chat: async ({page, allowed}, use) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-streams-'));
    writeFileSync(path.join(folder, 'chat.yaml'), CONTRACT);
    const mock = await start_mock(path.join(folder, 'chat.yaml'));
    allowed.push(mock.url);
    await page.goto(`${mock.url}/_mock/health`);
    await use(session_of(page, mock.url, 'chat'));
    await mock.stop();
    rmSync(folder, {recursive: true});
  }
});

// Listens in the page; `came` are the events so far.
async function listen(page, query = '') {
  await page.evaluate((query) => {
    window.came = [];
    window.source = new EventSource(`/_s/chat/messages${query}`);
    window.source.onmessage = ({data, lastEventId}) => window.came.push({text: JSON.parse(data).text, id: lastEventId, at: performance.now()});
  }, query);
}
const came = (page) => page.evaluate('window.came');
const texts = async (page) => (await came(page)).map(({text}) => text);

test('events come one by one', async ({page, chat}) => {
  await listen(page, '?__pace=400&__end=open');
  await expect.poll(() => texts(page)).toEqual(['one', 'two', 'three']);
  const [first, , third] = await came(page);
  expect(third.at - first.at).toBeGreaterThan(600);
  expect((await chat.json('/_mock/streams')).streams).toMatchObject([{operation: 'messages', media_type: 'text/event-stream'}]);
});

test('a test says when an event comes', async ({page, chat}) => {
  await listen(page, '?__end=open');
  await expect.poll(() => texts(page)).toEqual(['one', 'two', 'three']);
  expect(await (await chat.post('/_mock/streams/messages', {text: 'four'})).json()).toMatchObject({streams: 1});
  await expect.poll(() => texts(page)).toEqual(['one', 'two', 'three', 'four']);
  await page.evaluate('window.source.close()');
  await expect.poll(async () => (await chat.json('/_mock/streams')).streams).toEqual([]);
});

test('a connection that breaks within an event is made again, and loses none', async ({page, chat}) => {
  await chat.post('/_mock/faults', {rules: [{operations: ['messages'], times: 1, fault: 'cut-item'}]}, 'PUT');
  await listen(page, '?__pace=20&__end=open');
  await expect.poll(() => came(page)).toMatchObject([{text: 'one', id: '1'}, {text: 'two', id: '2'}, {text: 'three', id: '3'}]);
  const {requests} = await chat.json('/_mock/requests?operation=messages');
  expect(requests.map(({fault}) => fault)).toEqual(['cut-item', undefined]);
  const again = await chat.json(`/_mock/requests/${requests[1].id}`);
  expect(again.request.headers).toContainEqual(['Last-Event-ID', '1']);
});
