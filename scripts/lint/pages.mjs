// Checks that what the pages (*.md) name exists: targets of links, paths in backticks, names in the first
// column of tables of files, and `Class::member`; and the sources that comments name. Blocks of code are not checked.
//   node pages.mjs   prints each name that does not exist, status 1 if there is one

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

const CODE = /\.(?:cpp|hpp|mjs|sh|md|cmake|awk)$/;
const PATH = /^(?:\.{0,2}\/)*[\w.*-]+(?:\/[\w.*-]+)*\/?$/;
const TABLE_OF_FILES = /^\| *(?:file|pair|folder|folder or file|file or folder) *\|/;
const NOT_CHECKED = /^(?:build|node_modules)\/|\bNAME\b/;
const MEMBER = /`([A-Z]\w+)::(\w+)(?:\(\))?`/g;

// Answers whether a path, as a page writes it, names a file or folder of the repository.
export class Tree {
  constructor(files, sources = []) {
    this.paths = new Set(files);
    this.words = new Set(sources.flatMap((source) => source.match(/\w+/g) ?? []));
    this.folders = new Set();
    for (const file of files)
      for (let folder = posix.dirname(file); folder !== "."; folder = posix.dirname(folder)) {
        this.paths.add(folder);
        this.folders.add(posix.basename(folder));
      }
  }

  // Exactly this path; "*" stands for any text in a name, and ".cpp" or ".hpp" may be left out.
  has(path) {
    if (this.paths.has(path)) return true;
    const pattern = new RegExp(`^${path.replace(/[.+]/g, "\\$&").replaceAll("*", "[^/]*")}(?:\\.[a-z.]+)?$`);
    return [...this.paths].some((known) => pattern.test(known));
  }

  // The same below any folder: "tests/cases" for "spec/contract/tests/cases".
  hasBelow(path) {
    return [path, `*/${path}`, `*/*/${path}`, `*/*/*/${path}`].some((below) => this.has(below));
  }

  // A path whose end this is.
  ends(path) {
    return [...this.paths].some((known) => known === path || known.endsWith(`/${path}`));
  }

  looksLikeAPath(text) {
    if (!PATH.test(text) || NOT_CHECKED.test(text)) return false;
    return CODE.test(text) || (text.includes("/") && (text.startsWith("../") || this.folders.has(text.split("/")[0])));
  }
}

function linkProblem(target, page, tree) {
  const path = posix.join(posix.dirname(page), target.replace(/#.*/, ""));
  return target.startsWith("#") || /^[a-z]+:/.test(target) || tree.has(path) ? [] : [target];
}

function textProblem(text, page, tree) {
  if (!tree.looksLikeAPath(text)) return [];
  const path = text.replace(/^\.\//, "").replace(/\/$/, "");
  const from = posix.join(posix.dirname(page), path);
  return from.startsWith("..") || tree.has(from) || (!path.startsWith("..") && tree.hasBelow(path)) ? [] : [text];
}

// The first column of a table of files: names in the folder of the page, or in that of the cell's first name.
function cellProblems(cell, page, tree) {
  const names = [...cell.matchAll(/`([\w.*/-]+)`/g)].map(([, name]) => name.replace(/\/$/, ""));
  const folder = names[0]?.includes("/") ? posix.dirname(names[0]) : ".";
  return names.filter((name) => !/^[.*]/.test(name) && !tree.has(posix.join(posix.dirname(page), name)) && !tree.has(name) && !tree.has(posix.join(folder, name)));
}

// What a page names and the repository does not have: [line, name] each.
export function missing(text, page, tree) {
  const problems = [];
  let inCode = false;
  let inTable = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (/^ *```/.test(line)) inCode = !inCode;
    if (inCode || /^ {4}/.test(line)) continue;
    inTable = TABLE_OF_FILES.test(line) || (inTable && line.startsWith("|"));
    const names = [
      ...[...line.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => linkProblem(target, page, tree)),
      ...[...line.matchAll(/`([^`\s]+)`/g)].flatMap(([, word]) => textProblem(word, page, tree)),
      ...[...line.matchAll(MEMBER)].filter(([, type, member]) => !tree.words.has(type) || !tree.words.has(member)).map(([name]) => name),
      ...(inTable ? cellProblems(line.split("|")[1], page, tree) : []),
    ];
    problems.push(...[...new Set(names)].map((name) => [index + 1, name]));
  }
  return problems;
}

// The same of the comments of a source: names of sources, with or without a path.
export function missingInComments(text, tree) {
  return text.split("\n").flatMap((line, index) =>
    [...(/\/\/(.*)/.exec(line)?.[1] ?? "").matchAll(/(?<![\w./-])[\w/-]+\.(?:cpp|hpp)\b/g)]
      .filter(([name]) => !tree.ends(name)).map(([name]) => [index + 1, name]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  const tree = new Tree(files, files.filter((file) => /\.[ch]pp$/.test(file)).map((file) => readFileSync(root + file, "utf8")));
  let count = 0;
  for (const file of files.filter((name) => /\.(?:md|[ch]pp)$/.test(name))) {
    const text = readFileSync(root + file, "utf8");
    for (const [line, name] of file.endsWith(".md") ? missing(text, file, tree) : missingInComments(text, tree)) {
      count += 1;
      console.log(`${file}:${line}: there is no ${name}`);
    }
  }
  process.exitCode = count === 0 ? 0 : 1;
}
