// Unleash, described by itself.
import path from 'node:path';

import {folder_of} from '../harness.mjs';
import {database_url, new_database, tables} from '../postgres.mjs';

const name = 'unleash';
const server = path.join(folder_of(import.meta.url), 'node_modules/unleash-server/dist/server.js');
const token = '*:*.a-token-of-unleash-for-tests';

export default {
  name: 'Unleash',
  prepare: () => new_database(name),
  start: ({port}) => ({
    command: [process.execPath, server],
    env: {
      CHECK_VERSION: 'false', DATABASE_SSL: 'false', DATABASE_URL: database_url(name), HTTP_HOST: '127.0.0.1',
      INIT_ADMIN_API_TOKENS: token, LOG_LEVEL: 'error', HTTP_PORT: String(port),
    },
  }),
  ready: '/health',
  describe: ({url}) => fetch(`${url}/docs/openapi.json`),
  flags: () => ['--token', token],
  // Its own timer writes a project's statistics.
  rows: () => tables(name, {ignored: /^project_stats$/, columns: ['seen_at', 'last_seen_at', 'updated_at']}),
};
