// Compiles each header of the repository as if alone: one that depends on the includes of its users fails.
// A header comes behind one that it includes: so it finds nothing that it does not include itself, and both need
// one compilation. Headers that include nlohmann/json.hpp, themselves or through another header, get it
// precompiled, which halves their time. A header that passed is not compiled again until it, a header of the
// repository that it includes, or the compiler's version changes.
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
  const closure = closure_of(name);
  return {name, hash, closure, has_json: closure.has(json)};
}).filter(({hash}) => !passed.has(hash));
const known = headers.length - queue.length;
const precompiled = queue.some(({has_json}) => has_json) ? await precompile_json() : '';

// Chains of headers, each of which includes the one before it; with the precompiled one or without.
function chains_of(waiting) {
  const chains = [];
  for (const header of [...waiting].sort((one, other) => other.closure.size - one.closure.size)) {
    const fitting = chains.filter(
        ([first]) => first.closure.has(header.name) && first.has_json === header.has_json);
    const chain = fitting.sort(([one], [other]) => one.closure.size - other.closure.size)[0];
    if (chain) {
      chain.unshift(header);
    } else {
      chains.push([header]);
    }
  }
  return chains;
}

function compile(chain) {
  const given = chain[0].has_json ? ['-include', precompiled, '-Winvalid-pch'] : [];
  const included = chain.flatMap(({name}) => ['-include', path.join(root, name)]);
  return run(compiler, [...flags, ...given, '-fsyntax-only', '-x', 'c++', ...included, '/dev/null']);
}

let failed = 0;
await work_off(chains_of(queue), async (chain) => {
  if ((await compile(chain)).status === 0) {
    chain.forEach(({hash}) => passed.add(hash));
    return;
  }
  for (const header of chain) {
    const found = await compile([header]);
    if (found.status === 0) {
      passed.add(header.hash);
    } else {
      failed += 1;
      console.log(`${header.name} does not compile alone: it must include what it uses\n${found.stderr.trimEnd()}`);
    }
  }
});
console.log(`headers: ${headers.length} headers, ${known} not compiled again, ${failed} with errors`);
process.exitCode = failed > 0 || headers.length === 0 ? 1 : 0;
