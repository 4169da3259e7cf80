// Runs clang-tidy on every source of a compile database, several at a time. A source without findings is not
// checked again until it, a file of the repository that it includes, its flags, the configuration or clang-tidy
// change. With --most, checks the named ones, and the others too if no more than N are left to check.
//
//   node tidy.mjs BUILD_FOLDER [--most N [FILE]...]
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {closure_of, closure_text} from './closure.mjs';
import {Passed, root, run, work_off} from './processes.mjs';

const qpdf_prelude = path.join(root, 'scripts/cmake/qpdf_for_clang_14.hpp');
const passed = new Passed('tidy');

// Tests are checked for names and clear errors only; the slow analysis and the limits on sizes are for
// production code.
const test_checks = '--checks=-*,readability-identifier-naming,modernize-use-nullptr,' +
    'modernize-use-override,bugprone-use-after-move,bugprone-dangling-handle';

function checks_of(entry) {
  return entry.file.includes('/tests/') ? [test_checks] : [];
}

// The shell words of a compile command; CMake quotes with backslashes and double quotes only.
function words(command) {
  return [...command.matchAll(/(?:\\.|"(?:\\.|[^"\\])*"|[^\s"\\])+/g)].map(
      ([word]) => word.replace(/"((?:\\.|[^"\\])*)"/g, '$1').replace(/\\(.)/g, '$1'));
}

// The flags that change parsing: definitions, include folders, the standard.
function parser_flags(entry) {
  const all = words(entry.command);
  return all.filter((word, index) => /^-(D|I|std=)/.test(word) || word === '-isystem' ||
                                     all[index - 1] === '-isystem');
}

function key_of(entry, fixed) {
  const name = path.relative(root, entry.file);
  return createHash('sha256')
      .update([fixed, ...checks_of(entry), ...parser_flags(entry), name, closure_text(name)].join('\n').replaceAll(root, '.'))
      .digest('hex');
}

// The output of clang-tidy for a source with findings; else undefined.
async function findings_of(entry, folder) {
  const prelude = [...closure_of(path.relative(root, entry.file))].some((name) => name.startsWith('qpdf/')) ?
      ['--extra-arg-before=-include', `--extra-arg-before=${qpdf_prelude}`] :
      [];
  const found = await run(
      'clang-tidy', ['--quiet', '-p', folder, ...checks_of(entry), ...prelude, entry.file], entry.directory);
  return found.status === 0 ? undefined : found.stdout || found.stderr;
}

const [folder, flag, most, ...changed] = process.argv.slice(2);
const wanted = new Set(changed.map((file) => path.resolve(file)));
const database = JSON.parse(readFileSync(path.join(folder, 'compile_commands.json'), 'utf8'));
const fixed = [path.join(root, '.clang-tidy'), qpdf_prelude].map((file) => readFileSync(file, 'utf8'))
                  .join('') + (await run('clang-tidy', ['--version'])).stdout;

const sources = [...new Map(database.map((entry) => [entry.file, entry])).values()].filter(
    ({file}) => !file.includes('/build/'));
const unchecked = sources.map((entry) => ({...entry, hash: key_of(entry, fixed)})).filter(({hash}) => !passed.has(hash));
const all = flag !== '--most' || unchecked.length <= Number(most);
const queue = unchecked.filter(({file}) => all || wanted.has(file));
const checked = queue.length;

let failed = 0;
await work_off(queue, async (entry) => {
  const findings = await findings_of(entry, folder);
  if (findings === undefined) {
    passed.add(entry.hash);
  } else {
    failed += 1;
    console.log(findings.trimEnd());
  }
});
console.log(`clang-tidy: ${sources.length} sources, ${sources.length - unchecked.length} passed before, ` +
            `${checked} checked, ${failed} with findings` +
            (all ? '' : `, ${unchecked.length - checked} not checked: not among those that changed`));
process.exitCode = failed > 0 || sources.length === 0 ? 1 : 0;
