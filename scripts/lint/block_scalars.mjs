// Writes the table with which the tests compare our parsing of YAML block scalars with two other parsers:
// [text, value] for combinations of header, content and context. Texts that one of the two rejects, or
// that they read differently, are left out. The table is spec/document/tests/block_scalars.json.
// Usage: node block_scalars.mjs [--all] > TABLE; without --all, every 17th combination.

import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { CORE_SCHEMA, load } from "js-yaml";
import { parseDocument } from "yaml";

const headers = ["|", ">", "|-", "|+", ">-", ">+", "|1", "|2", ">2", "|4", "|2-", "|-2", "|+1", ">1+", "| # c", "|+ # c", ">- \t# c"];

// Lines of a block; "·" is the indentation, which may differ from the digit of the header.
const contents = [
  [], [""], ["", ""], ["  "], ["·"], ["·  "], ["·x"], ["·x", "·y"], ["", "·x"], ["·  ", "·x"], ["·x", "", ""], ["·x", "·", "·y"],
  ["·x", "· y", "·z"], ["·\tx"], ["·\t", "·x"], ["", "·\t", "·x"], ["·x\t", "·y "], ["·x", "·\ty"], ["·# x"], ["·x", "", "· y", "", "·z"], ["·- x", "·k: v"], ["", "", "·x", ""],
];

// Text before the header, text after the block, indentation of the block.
const surroundings = [
  ["--- ", "", 1], ["a: ", "", 2], ["a: ", "b: 1", 1], ["a: ", "\nb: 1", 2], ["a: ", "# c\nb: 1", 2],
  ["a:\n  b: ", "  c: d", 4], ["a:\n  b: ", "c: d", 4], ["a:\n  b: ", "  # c\n  c: d", 3], ["a:\n  b: ", "# c\n  c: d", 4],
  ["a:\n  b: ", "\n  c: d", 4], ["a:\n  b: ", "\n\n  # c\n\n  c: |+", 4], ["a:\n  b:\n    c: ", "    d: e\n  f: g", 6],
  ["- ", "- 1", 2], ["- ", "", 2], ["a:\n- ", "- 1\nb: 1", 2], ["a:\n  - ", "  - 1", 4], ["- - ", "  - 1", 4], ["- - ", "- 1", 4],
  ["- a: ", "  b: 1", 4], ["- a: ", "- 1", 4], ["a: !!str ", "b: 1", 2], ["a:\n  b: &x ", "  c: *x", 4], ["a:\n  ", "b: 1", 4],
  ["a:\n  b: ", "  c: |\n  d: >\n\n  e: f", 4], ["a:\n  example: ", "...", 4], ["? ", ": 1", 2],
];

const endings = [(text) => text, (text) => text.replaceAll("\n", "\r\n"), (text) => `${text}\n\n`];

// libyaml rejects a folded block whose first line starts with a tab, unless the header has an indentation digit.
const isRejected = (header, content) => /^>\D*$/.test(header) && content.find((line) => line !== "")?.startsWith("·\t");

function textsOf([before, after, depth]) {
  const texts = [];
  for (const header of headers) {
    for (const content of contents) {
      if (isRejected(header, content)) continue;
      const lines = content.map((line) => `${line.replace("·", " ".repeat(depth))}\n`).join("");
      const text = `${before}${header}\n${lines}${after === "" ? "" : `${after}\n`}`;
      texts.push(...endings.map((end) => end(text)));
    }
  }
  return texts;
}

// The value of a text for both parsers; undefined if one rejects it or they differ.
function read(text) {
  const document = parseDocument(text, { version: "1.2", uniqueKeys: true, logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  const value = document.toJS();
  try {
    return isDeepStrictEqual(value, load(text, { schema: CORE_SCHEMA })) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function table(all) {
  const rows = [];
  let count = 0;
  for (const text of new Set(surroundings.flatMap(textsOf))) {
    const value = read(text);
    count += 1;
    if (value !== undefined && (all || (count * 7919) % 17 === 0)) rows.push([text, value]);
  }
  return rows;
}

function main([flag]) {
  process.stdout.write(`[\n${table(flag === "--all").map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
