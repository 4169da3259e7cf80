// LoopBack's to-do example, described by itself. It writes its records into its own folder.
import {cpSync, symlinkSync} from 'node:fs';
import path from 'node:path';

import {by_path, folder_of} from '../harness.mjs';

const packages = path.join(folder_of(import.meta.url), 'node_modules');

export default {
  name: "LoopBack's to-do example",
  prepare(folder) {
    cpSync(path.join(packages, '@loopback/example-todo'), folder, {recursive: true});
    symlinkSync(packages, path.join(folder, 'node_modules'));
  },
  start: ({port}) => ({
    command: [process.execPath, 'dist/index.js'],
    env: {HOST: '127.0.0.1', PORT: String(port)},
  }),
  describe: ({url}) => fetch(`${url}/openapi.json`),
  rows: async ({url}) => by_path('/todos', await (await fetch(`${url}/todos`)).json()),
  volatile_files: /^data\/db\.json$/,  // compared as rows
  subjects: 'TodoController.replaceById: {id: "1"}\nTodoController.updateById: {id: "1"}\n',
  sandbox: true,
};
