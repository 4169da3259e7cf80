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

const unit = (point) => (point === null ? "0xFFFD" : `0x${point.toString(16).toUpperCase()}`);

function lines(list, count, separator, indentation) {
  const all = [];
  for (let at = 0; at < list.length; at += count) all.push(indentation + list.slice(at, at + count).join(separator));
  return all;
}

console.log("// Written by scripts/lint/charsets.mjs from the indexes of https://encoding.spec.whatwg.org/.");
for (const name of [...new Set(labels.map(nameOf))].sort()) {
  const own = labels.filter((label) => nameOf(label) === name).sort().map((label) => `${label} `);
  const shown = lines(own, 6, "", "     ").map((line) => `     "${line.trimStart()}"`).join("\n");
  const points = lines(index(name).map(unit), 16, ", ", "      ").join(",\n");
  console.log(`    {"${name}",\n${shown},\n     {\n${points},\n     }},`);
}
