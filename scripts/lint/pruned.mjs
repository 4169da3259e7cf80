// Compares two removals of the assumptions from the contract: that of mock_server --document-only, and
// that of assumed.mjs.
// Usage: node pruned.mjs MOCK_SERVER CONTRACT.yaml. Prints each difference; status 1 if there is one.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { parse } from "yaml";

import { documentOnly } from "./assumed.mjs";
import { token } from "./openapi_walk.mjs";

const isContainer = (value) => value !== null && typeof value === "object";

// The JSON pointers at which two documents differ.
export function differences(left, right, pointer = "") {
  if (isDeepStrictEqual(left, right)) return [];
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) {
    return [pointer];
  }
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return keys.flatMap((key) => differences(left[key], right[key], `${pointer}/${token(key)}`));
}

// The contract that the program serves at /_mock/spec.
async function served(program, contract) {
  const server = spawn(program, ["--contract", contract, "--document-only", "--port", "0", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const url = /^listening on (\S+)$/.exec(line)?.[1];
      if (url) return await (await fetch(`${url}/_mock/spec`, { headers: { accept: "application/json" } })).json();
    }
    throw new Error(`${program} ended before it listened`);
  } finally {
    server.kill("SIGTERM");
  }
}

async function main([program, contract]) {
  const ours = await served(program, contract);
  const theirs = documentOnly(parse(readFileSync(contract, "utf8")));
  const places = differences(ours, theirs);
  places.forEach((place) => console.error(`${contract}: mock_server and assumed.mjs differ in the document-only form at ${place || "/"}`));
  if (places.length === 0) console.log(`${contract}: mock_server and assumed.mjs remove the same parts`);
  return places.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await main(process.argv.slice(2));
