// json-server: keeps any records in a JSON file. The description is ours.
import {copyFileSync, readFileSync} from 'node:fs';
import path from 'node:path';

import {by_path, folder_of, program_of} from '../harness.mjs';

const here = folder_of(import.meta.url);

export default {
  name: 'json-server',
  prepare: (folder) => copyFileSync(path.join(here, 'records.json'), path.join(folder, 'records.json')),
  start: ({port}) => ({
    command: [program_of(here, 'json-server'), 'records.json', '--host', '127.0.0.1', '--port', port, '--quiet'],
  }),
  ready: '/posts',
  contract: path.join(here, 'openapi.yaml'),
  rows({folder}) {
    const {posts, comments, profile} = JSON.parse(readFileSync(path.join(folder, 'records.json')));
    return {...by_path('/posts', posts), ...by_path('/comments', comments), '/profile': profile};
  },
  volatile_files: /^records\.json$/,  // compared as rows
  subjects: 'replace_post: {id: "1"}\nchange_post: {id: "1"}\n',
  sandbox: true,
};
