// Runs clang-tidy on every source of a compile database, or on the named ones, several at a time. A file
// without findings is not checked again until its preprocessed text, its flags, the configuration or
// clang-tidy change. With --minutes, starts no file after so many minutes; the last line prints how many
// were not checked, and the next run goes on with them.
//
//   node tidy.mjs BUILD_FOLDER [--minutes N] [FILE...]
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import path from 'node:path';
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

function key_of(entry, text, fixed) {
  const relative = (value) => value.replaceAll(root, '.');
  return createHash('sha256')
      .update([fixed, ...checks_of(entry), ...parser_flags(entry), entry.file, text]
                  .map(relative)
                  .join('\n'))
      .digest('hex');
}

// Checks one file: {cached}, {violation} with the output, or {} without findings.
async function check(entry, fixed, folder) {
  const preprocessed = await run(
      'clang++', [...parser_flags(entry), '-E', '-P', '-C', entry.file], entry.directory);
  const text = preprocessed.stdout;
  // A file that cannot be preprocessed has no hash: clang-tidy prints the error.
  const hash = preprocessed.status === 0 && key_of(entry, text, fixed);
  if (hash && passed.has(hash)) {
    return {cached: true};
  }
  const extra = text.includes('class QPDFObjectHandle') ?
      ['--extra-arg-before=-include', `--extra-arg-before=${qpdf_prelude}`] :
      [];
  const found =
      await run('clang-tidy', ['--quiet', '-p', folder, ...checks_of(entry), ...extra, entry.file],
                entry.directory);
  if (found.status !== 0) {
    return {violation: found.stdout || found.stderr};
  }
  if (hash) {
    passed.add(hash);
  }
  return {};
}

const [folder, ...rest] = process.argv.slice(2);
const minutes = rest[0] === '--minutes' ? Number(rest.splice(0, 2)[1]) : Infinity;
const only = rest;
const latest = Date.now() + minutes * 60_000;
const wanted = new Set(only.map((file) => path.resolve(file)));
const database = JSON.parse(readFileSync(path.join(folder, 'compile_commands.json'), 'utf8'));
const queue = [...new Map(database.map((entry) => [entry.file, entry])).values()].filter(
    ({file}) => (wanted.size === 0 || wanted.has(file)) && !file.includes('/build/'));
const fixed = [path.join(root, '.clang-tidy'), qpdf_prelude].map((file) => readFileSync(file, 'utf8'))
                  .join('') + (await run('clang-tidy', ['--version'])).stdout;

const total = queue.length;
let cached = 0;
let broken = 0;
await work_off(queue, async (entry) => {
  const outcome = await check(entry, fixed, folder);
  cached += outcome.cached ? 1 : 0;
  if (outcome.violation !== undefined) {
    broken += 1;
    console.log(outcome.violation.trimEnd());
  }
}, latest);
console.log(`clang-tidy: ${total} files, ${cached} not checked again, ` +
            `${broken} with findings` +
            (queue.length > 0 ? `, ${queue.length} not checked for lack of time` : ''));
process.exitCode = broken > 0 || (total === 0 && wanted.size === 0) ? 1 : 0;
