// Compares the validator with ajv, and each with the time that parsing the same text takes.
// Usage: node validation.mjs ROOT PAIRS OURS.json; OURS.json is the output of validator_bench. Prints a
// table, and as its last line two totals for scripts/bench.sh: SHARE RATIO.

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { performance } from "node:perf_hooks";

import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const [root, pairsFile, oursFile] = process.argv.slice(2);
const ROUNDS = 7;
const ROUND_MS = 20;

// The median of several rounds, in nanoseconds a call.
function nanoseconds(call) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    let calls = 0;
    let now = start;
    for (; now - start < ROUND_MS; now = performance.now()) {
      for (let i = 0; i < 50; i += 1) call();
      calls += 50;
    }
    times.push(((now - start) * 1e6) / calls);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
}

function withAjv(schema, text) {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  const instance = JSON.parse(text);
  if (!validate(instance)) throw new Error(ajv.errorsText(validate.errors));
  return { read: nanoseconds(() => JSON.parse(text)), validate: nanoseconds(() => validate(instance)) };
}

// Nanoseconds of CPU by benchmark name: the medians of its repetitions.
function ourTimes() {
  const times = new Map();
  for (const run of JSON.parse(readFileSync(oursFile, "utf8")).benchmarks) {
    if (run.run_type === "aggregate" && run.aggregate_name === "median") times.set(run.run_name, run.cpu_time);
  }
  return times;
}

const ours = ourTimes();
const total = { read: 0, validate: 0, ajv: 0 };
const row = (...cells) => console.log(`  ${cells[0].padEnd(14)}${cells.slice(1).map((cell) => String(cell).padStart(13)).join("")}`);
row("document", "bytes", "read us", "validate us", "share", "ajv us", "to ajv", "ajv share");
for (const line of readFileSync(pairsFile, "utf8").split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const [schema, document] = line.split(" ").map((path) => readFileSync(join(root, path), "utf8"));
  const name = basename(line.split(" ")[1], ".json");
  const [read, validate] = [ours.get(`read/${name}`), ours.get(`validate/${name}`)];
  const theirs = withAjv(JSON.parse(schema), document);
  const us = (value) => (value / 1000).toFixed(2);
  row(name, Buffer.byteLength(document), us(read), us(validate), (validate / read).toFixed(2), us(theirs.validate), (validate / theirs.validate).toFixed(1), (theirs.validate / theirs.read).toFixed(2));
  total.read += read;
  total.validate += validate;
  total.ajv += theirs.validate;
}
console.log(`${(total.validate / total.read).toFixed(3)} ${(total.validate / total.ajv).toFixed(2)}`);
