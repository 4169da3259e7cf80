// Runs every command of mock_server/RECIPES.md with the files of the page beside it. The ports of the
// page are replaced by free ones; everything else runs as written.
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {chromium, withoutChromium} from '../../../scripts/lib/chromium.mjs';
import {contract_tests, free_port, mock_server, run, start_mock, temporary_folder} from '../../../scripts/lib/programs.mjs';
import {measured} from './browser.mjs';
import {faults, sections} from './page.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const node_client = path.join(here, '../../clients/node');
const page = readFileSync(path.join(here, '../../RECIPES.md'), 'utf8');
let folder, mock, ports;

const with_free_ports = (text) => text.replace(/\b(4010|5173|5174)\b/g, (port) => ports[port]);

const run_shell = (command) => run('bash', ['-euo', 'pipefail', '-c', with_free_ports(command)], {
  cwd: folder,
  env: {
    CHROMIUM: chromium,
    PATH: [path.dirname(mock_server), path.dirname(contract_tests), path.join(folder, 'node_modules/.bin'), process.env.PATH].join(':')
  }
});

// Links the packages as `npm install` of the package and of the recipes would.
function link_packages() {
  const installed = path.join(node_client, 'node_modules');
  const target = path.join(folder, 'node_modules');
  mkdirSync(target);
  for (const name of readdirSync(installed).filter((name) => !/^\.(?!bin)/.test(name)))
    symlinkSync(path.join(installed, name), path.join(target, name));
  symlinkSync(node_client, path.join(target, 'counterpart-mock'));
}

before(async () => {
  ports = {4010: await free_port(), 5173: await free_port(), 5174: await free_port()};
  folder = temporary_folder('recipes');
  link_packages();
  for (const {name, text} of sections(page).flatMap(({files}) => files)) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    writeFileSync(path.join(folder, name), with_free_ports(text));
  }
  mock = await start_mock('--port', String(ports[4010]), '--quiet', '--stall-ms', '500', '--slow-close-ms', '500');
});

after(async () => {
  await mock?.stop();
  rmSync(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50});
});

for (const {title, commands} of sections(page).filter(({commands}) => commands.length > 0)) {
  const skip = title.startsWith('Playwright') && withoutChromium;
  test(title, {skip}, async () => {
    await fetch(`${mock.url}/_mock/reset`, {method: 'POST'});
    for (const {text, prints} of commands) {
      const {code, out, err} = await run_shell(text);
      const output = out + err;
      assert.equal(code, 0, `${text}\n${output}`);
      assert.doesNotMatch(output, /"code":"[A-Z_]+"/, `${text}\na request was rejected:\n${output}`);
      let from = 0;
      for (const wanted of prints) {
        if (wanted.startsWith('no ')) {
          assert.ok(!output.slice(from).includes(wanted.slice(3)), `${text}\nmust print ${wanted}, but prints\n${output}`);
          continue;
        }
        from = output.indexOf(wanted, from);
        assert.notEqual(from, -1, `${text}\nmust print ${wanted}, but prints\n${output}`);
      }
    }
  });
}

test('the tables have every fault of the mock', async () => {
  const known = await (await fetch(`${mock.url}/_mock/faults`)).json();
  assert.deepEqual([...faults(page), ...faults(page, 'fault in a stream')].map(({name}) => name).sort(), known.names.sort());
});

test('a browser shows for each fault what the table says', {skip: withoutChromium}, async () => {
  const names = faults(page).map(({name}) => name);
  assert.deepEqual(await measured(chromium, mock.url, names), faults(page));
});
