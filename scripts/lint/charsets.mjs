// Writes the tables of the single-byte encodings of the Encoding Standard (https://encoding.spec.whatwg.org/), with
// their labels, from its published indexes in an npm package. The tables are spec/text/charset_tables.inc.
// Usage: node charsets.mjs > TABLES

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { TextDecoder } = require("text-encoding");
const indexes = require("text-encoding/lib/encoding-indexes.js")["encoding-indexes"];

// iso-8859-8-i differs from iso-8859-8 in the direction of its lines alone.
const index = (name) => indexes[name.replace(/-i$/, "")];

function nameOf(label) {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined; // another text of the package
  }
}

const source = readFileSync(require.resolve("text-encoding/lib/encoding.js"), "utf8");
const texts = [...source.matchAll(/"([^"\n]+)"/g)].map((match) => match[1]);
const labels = [...new Set(texts)].filter((text) => text === text.toLowerCase() && index(nameOf(text) ?? "")?.length === 128);

// In a literal of C++: by its number what cannot be seen, or is written from right to left.
function unit(point) {
  const letter = String.fromCodePoint(point ?? 0xFFFD);
  const isSeen = /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) && !/[\p{Lm}\uFFFD]|\p{Script=Hebrew}|\p{Script=Arabic}/u.test(letter);
  return isSeen ? letter : `\\u${(point ?? 0xFFFD).toString(16).padStart(4, "0").toUpperCase()}`;
}

function lines(list, count, separator, indentation) {
  const all = [];
  for (let at = 0; at < list.length; at += count) all.push(indentation + list.slice(at, at + count).join(separator));
  return all;
}

// Lines of at most 100 columns.
function literals(units) {
  const all = [""];
  for (const one of units) {
    if (all.at(-1).length + one.length > 92) all.push("");
    all[all.length - 1] += one;
  }
  return all.map((text) => `     u"${text}"`);
}

console.log("// Written by scripts/lint/charsets.mjs from the indexes of https://encoding.spec.whatwg.org/.");
for (const name of [...new Set(labels.map(nameOf))].sort()) {
  const own = labels.filter((label) => nameOf(label) === name).sort().map((label) => `${label} `);
  const shown = lines(own, 6, "", "     ").map((line) => `     "${line.trimStart()}"`).join("\n");
  const points = literals(index(name).map(unit)).join("\n");
  console.log(`    {"${name}",\n${shown},\n${points}},`);
}
