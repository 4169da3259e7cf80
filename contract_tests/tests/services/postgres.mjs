// A database of its own for each service, in the PostgreSQL that scripts/services.sh starts.
import {execFileSync} from 'node:child_process';

const server = process.env.COUNTERPART_POSTGRES;  // postgres://USER@127.0.0.1:PORT

export const database_url = (name) => `${server}/${name}`;

// Lines of the result of SQL statements; the columns are separated by |.
export function query(database, sql) {
  const flags = ['-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', sql];
  const out = execFileSync('psql', [database_url(database), ...flags], {encoding: 'utf8'});
  return out.split('\n').filter((line) => line !== '');
}

export function new_database(name) {
  query('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  query('postgres', `CREATE DATABASE ${name}`);
}

// Every table: how many rows, and a hash of them. Tables and columns that change by themselves are left out.
export function tables(database, {ignored = /^$/, columns = []} = {}) {
  const names = query(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
                    .filter((name) => !ignored.test(name));
  const without = columns.map((name) => ` - '${name}'`).join('');
  return Object.fromEntries(names.map((name) => [name, query(
      database, `SELECT count(*), md5(string_agg(row, chr(10) ORDER BY row)) FROM
                 (SELECT (to_jsonb(one)${without})::text AS row FROM "${name}" AS one) AS rows`)[0]]));
}
