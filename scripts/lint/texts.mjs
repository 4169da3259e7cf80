// Lists the texts that the programs can print: every string literal with words in every source that is not
// a test. The list is in messages.txt, so that a review sees each text that changes.
//   node texts.mjs [--write]   prints the differences from messages.txt, status 1; --write writes it

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const list = new URL("messages.txt", import.meta.url);

// Adjacent literals are one text; any other token ends it. Source: C++20 [lex.phases], [lex.string].
const TOKEN =
  /(?<skip>\s+|\/\/[^\n]*|\/\*[^]*?\*\/)|(?<include>#include[^\n]*)|(?:u8|[uUL])?(?:R"(?<mark>[^()\\ ]{0,16})\((?<raw>[^]*?)\)\k<mark>"|"(?<text>(?:[^"\\\n]|\\.)*)")|'(?:[^'\\\n]|\\.)+'|[0-9][\w.']*|\w+|[^]/gy;

// Two words, or a word beside a blank: part of a sentence.
const WORDS = /[A-Za-z]{2}[^A-Za-z\n]* [^]*|^ [^]*[A-Za-z]{2}/;

// The texts of a C++ source in its order, escapes as they are written, adjacent literals as one.
export function textsOf(source) {
  const texts = [];
  let open = null;
  const close = () => {
    if (open !== null && WORDS.test(open)) texts.push(open.replaceAll("\n", "\\n"));
    open = null;
  };
  for (const { groups } of source.matchAll(TOKEN)) {
    const text = groups.text ?? groups.raw;
    if (text !== undefined) open = (open ?? "") + text;
    else if (groups.skip === undefined) close();
  }
  close();
  return texts;
}

// The files of the list: [path, source] each.
export function sources() {
  const files = execFileSync("git", ["ls-files", "*.cpp", "*.hpp"], { cwd: root, encoding: "utf8" });
  return files
    .split("\n")
    .filter((file) => file && !/\/(tests|bench|fuzz|soak)\//.test(file))
    .map((file) => [file, readFileSync(root + file, "utf8")]);
}

export function listOf(files) {
  let written = "";
  for (const [file, source] of files) {
    const texts = textsOf(source);
    if (texts.length > 0) written += `${written ? "\n" : ""}${file}\n${[...new Set(texts)].map((text) => `  ${text}\n`).join("")}`;
  }
  return written;
}

// The lines of `left` that `right` does not have, each with its file.
export function missing(left, right) {
  const lines = (text) => {
    let file = "";
    return text.split("\n").flatMap((line) => {
      if (!line.startsWith("  ")) file = line;
      return line.startsWith("  ") ? [`${file}: ${line.slice(2)}`] : [];
    });
  };
  const known = new Set(lines(right));
  return lines(left).filter((line) => !known.has(line));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const now = listOf(sources());
  if (process.argv.includes("--write")) {
    writeFileSync(list, now);
  } else {
    const listed = readFileSync(list, "utf8");
    const problems = [
      ...missing(now, listed).map((line) => `not in scripts/lint/messages.txt: ${line}`),
      ...missing(listed, now).map((line) => `in scripts/lint/messages.txt only: ${line}`),
    ];
    if (now !== listed) {
      console.log([...problems, "read the changed texts, then run: node scripts/lint/texts.mjs --write"].join("\n"));
      process.exitCode = 1;
    }
  }
}
