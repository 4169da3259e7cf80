// Compiles each header of the repository alone: one that leans on what its users include before it fails.
// Headers that include nlohmann/json.hpp, themselves or through another header, get it precompiled, which
// halves their time. A header that passed is not compiled again until it, a header of the repository that it
// includes, or the compiler's version changes.
//
//   node headers.mjs
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {closure_of, closure_text, repository_files} from './closure.mjs';
import {Passed, root, run, work_off} from './processes.mjs';

const compiler = process.env.CXX || 'c++';
const flags = ['-std=c++20', '-I', root, '-isystem', path.join(root, 'spec/json/teardown')];
const json = 'nlohmann/json.hpp';
const build = path.join(root, 'build/headers');

const headers =
    repository_files('*.hpp').filter((name) => !name.startsWith('spec/json/teardown/'));

async function precompile_json() {
  mkdirSync(build, {recursive: true});
  const header = path.join(build, 'json.hpp');
  writeFileSync(header, `#include <${json}>\n`);
  const made = await run(compiler, [...flags, '-x', 'c++-header', header, '-o', `${header}.gch`]);
  if (made.status !== 0) {
    throw new Error(`cannot compile ${json}:\n${made.stderr}`);
  }
  return header;
}

const passed = new Passed('headers');
const version = (await run(compiler, ['--version'])).stdout;
const wrapper = readFileSync(path.join(root, 'spec/json/teardown', json), 'utf8');
const queue = headers.map((name) => {
  const hash = createHash('sha256')
                   .update([version, flags[0], name, wrapper, closure_text(name)].join('\n'))
                   .digest('hex');
  return {name, hash, has_json: closure_of(name).has(json)};
}).filter(({hash}) => !passed.has(hash));
const known = headers.length - queue.length;
const precompiled = queue.some(({has_json}) => has_json) ? await precompile_json() : '';

let broken = 0;
await work_off(queue, async ({name, hash, has_json}) => {
  const given = has_json ? ['-include', precompiled, '-Winvalid-pch'] : [];
  const found = await run(
      compiler, [...flags, ...given, '-fsyntax-only', '-x', 'c++', '-include', path.join(root, name), '/dev/null']);
  if (found.status === 0) {
    passed.add(hash);
    return;
  }
  broken += 1;
  console.log(`${name} does not compile alone: it must include what it uses\n${found.stderr.trimEnd()}`);
});
console.log(`headers: ${headers.length} headers, ${known} not compiled again, ${broken} with errors`);
process.exitCode = broken > 0 || headers.length === 0 ? 1 : 0;
