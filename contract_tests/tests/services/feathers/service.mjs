// A service of Feathers, described by itself.
import path from 'node:path';

import {by_path, folder_of} from '../harness.mjs';

export default {
  name: 'Feathers',
  start: ({port}) => ({
    command: [process.execPath, path.join(folder_of(import.meta.url), 'app.mjs')],
    env: {PORT: String(port)},
  }),
  ready: '/messages',
  flags: () => ['--max-wait', '2'],  // 500 is declared, so each is asked for again
  describe: ({url}) => fetch(`${url}/openapi.json`),
  rows: async ({url}) => by_path('/messages', (await (await fetch(`${url}/messages?$limit=50`)).json()).data),
  subjects: 'put_messages_id: {id: "1"}\npatch_messages_id: {id: "1"}\n',
  sandbox: true,
};
