// Directus with a collection of articles, described by itself.
import {execFileSync} from 'node:child_process';

import {folder_of, program_of} from '../harness.mjs';
import {database_url, new_database, tables} from '../postgres.mjs';

const here = folder_of(import.meta.url);
const name = 'directus';
const token = 'a-static-token-of-directus';
const authorized = {Authorization: `Bearer ${token}`, 'Content-Type': 'application/json'};
const env = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'only-for-this-test',
  ADMIN_TOKEN: token,
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: database_url(name),
  HOST: '127.0.0.1',
  KEY: 'key',
  LOG_LEVEL: 'error',
  RATE_LIMITER_ENABLED: 'false',
  SECRET: 'secret',
  TELEMETRY: 'false',
};

async function post(url, body) {
  const response = await fetch(url, {method: 'POST', headers: authorized, body: JSON.stringify(body)});
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${await response.text()}`);
  }
}

export default {
  name: 'Directus',
  prepare(folder) {
    new_database(name);
    execFileSync(program_of(here, 'directus'), ['bootstrap'],
                 {cwd: folder, env: {...process.env, ...env}, stdio: 'pipe'});
  },
  start: ({port}) => ({command: [program_of(here, 'directus'), 'start'], env: {...env, PORT: String(port)}}),
  ready: '/server/ping',
  async fill({url}) {
    await post(`${url}/collections`, {
      collection: 'articles', schema: {}, meta: {},
      fields: [
        {field: 'id', type: 'integer', schema: {is_primary_key: true, has_auto_increment: true}, meta: {}},
        {field: 'title', type: 'string', schema: {}, meta: {}},
      ],
    });
    await post(`${url}/items/articles`, [{title: 'Bread in a cold oven'}, {title: 'Rye that rises'}]);
  },
  describe: ({url}) => fetch(`${url}/server/specs/oas`, {headers: authorized}),
  flags: () => ['--token', token, '--tolerate'],
  rows: () => tables(name, {ignored: /^directus_(activity|sessions)$/, columns: ['last_access', 'last_page']}),
  subjects: 'updateSingleItemsArticles: {id: "1"}\n',
};
