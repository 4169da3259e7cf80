// Platformatic DB over two tables, described by itself.
import path from 'node:path';

import {by_path, folder_of} from '../harness.mjs';
import {database_url, new_database, query} from '../postgres.mjs';

const name = 'platformatic';

export default {
  name: 'Platformatic DB',
  prepare() {
    new_database(name);
    query(name, `CREATE TABLE shelves (id SERIAL PRIMARY KEY, name VARCHAR(40) NOT NULL);
      CREATE TABLE books (id SERIAL PRIMARY KEY, title VARCHAR(60) NOT NULL, pages INTEGER, lent BOOLEAN DEFAULT FALSE,
                          shelf_id INTEGER REFERENCES shelves (id));
      INSERT INTO shelves (name) VALUES ('kitchen'), ('cellar');
      INSERT INTO books (title, pages, shelf_id) VALUES ('Bread in a cold oven', 120, 1), ('Rye that rises', 80, 1),
                                                        ('Salt first', 200, 2)`);
  },
  start: ({port}) => ({
    command: [process.execPath, path.join(folder_of(import.meta.url), 'app.mjs')],
    env: {DATABASE_URL: database_url(name), PORT: String(port)},
  }),
  describe: ({url}) => fetch(`${url}/documentation/json`),
  async rows({url}) {
    const read = async (path) => by_path(path, await (await fetch(`${url}${path}/?limit=100`)).json());
    return {...await read('/books'), ...await read('/shelves')};
  },
  subjects: 'updateBook: {id: "1"}\nupdateShelf: {id: "1"}\n',
  sandbox: true,
};
