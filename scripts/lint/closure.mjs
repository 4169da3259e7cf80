// The C++ files of the repository, and what each includes of them.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {root} from './processes.mjs';

// Names, relative to the root, of the files that git does not ignore and that match the patterns.
export function repository_files(...patterns) {
  return execFileSync(
      'git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...patterns],
      {cwd: root, encoding: 'utf8'}).split('\0').filter(
          (name) => name !== '' && existsSync(path.join(root, name)));
}

const texts = new Map();

// The file's text; undefined where the repository has none of this name.
export function text_of(name) {
  if (!texts.has(name)) {
    const file = path.join(root, name);
    texts.set(name, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  }
  return texts.get(name);
}

// The names of the file and of all that it includes, also through others; a system's header by the name that
// it is included by.
export function closure_of(name, seen = new Set()) {
  if (!seen.has(name)) {
    seen.add(name);
    for (const [, other] of (text_of(name) ?? '').matchAll(/^#include [<"]([^>"]+)[>"]/gm)) {
      closure_of(other, seen);
    }
  }
  return seen;
}

// The text that a compiler reads: the texts of the closure, and the names of files that the repository lacks.
export function closure_text(name) {
  return [...closure_of(name)].sort().map((other) => text_of(other) ?? other).join('\n');
}
