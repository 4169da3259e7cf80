// Documents of OpenAPI 3.2 (openapi_32.yaml): --check agrees with the text of the specification, and Redocly's command
// line, an independent reader, with both, but where the table says why it does not.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test, { after } from "node:test";

import { parse } from "yaml";

import { mock_server } from "../lib/programs.mjs";

const rows = parse(readFileSync(new URL("openapi_32.yaml", import.meta.url), "utf8"));
const reader = fileURLToPath(new URL("node_modules/@redocly/cli/bin/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "openapi-32-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const rules = ["struct", "no-unresolved-refs", "no-undefined-server-variable", "no-identical-paths", "path-parameters-defined",
  "path-not-include-query", "no-invalid-media-type-examples", "no-invalid-parameter-examples", "spec-discriminator-defaultMapping",
  "spec-example-values", "spec-no-invalid-encoding-combinations", "spec-no-invalid-tag-parents", "spec-querystring-parameters"];
writeFileSync(join(folder, "redocly.yaml"),
  `rules:\n${rules.map((rule) => `  ${rule}: error\n`).join("")}  security-defined: {severity: error, exceptions: [{path: /a}]}\n`);

// Responses with the description that the reader still wants.
function described(node) {
  if (node === null || typeof node !== "object") return node;
  if (Array.isArray(node)) return node.map(described);
  return Object.fromEntries(Object.entries(node).map(([key, value]) =>
    [key, /^[1-5]\d\d$/.test(key) ? { description: "d", ...described(value) } : described(value)]));
}

function documentOf(row) {
  const document = { openapi: "3.2.0", info: { title: "T", version: "1" }, ...row.document };
  return row.bare ? document : described(document);
}

const files = rows.map((row, index) => {
  const file = join(folder, `${index}.json`);
  writeFileSync(file, JSON.stringify(documentOf(row)));
  return file;
});

test("there are forty documents and more, each with a name of its own", () => {
  assert.ok(rows.length >= 40);
  assert.equal(new Set(rows.map((row) => row.name)).size, rows.length);
});

rows.forEach((row, index) => {
  test(`${row.name} is ${row.valid ? "valid" : "invalid"}`, () => {
    const checked = spawnSync(mock_server, ["--check", "--contract", files[index]], { encoding: "utf8" });

    assert.equal(checked.status, row.valid ? 0 : 2, checked.stdout + checked.stderr);
  });
});

test("the independent reader agrees, but where the table says why not", () => {
  const read = spawnSync(process.execPath, [reader, "lint", "--format=json", "--max-problems=1000", ...files], {
    cwd: folder, encoding: "utf8", env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  // One report after another, in the order of the files.
  const reports = read.stdout.split(/(?<=^\})(?=\{)/m).map((text) => JSON.parse(text));
  assert.equal(reports.length, files.length, read.stdout + read.stderr);
  const said = (file) => reports[files.indexOf(file)].problems.filter((problem) =>
    problem.severity === "error" && !problem.message.startsWith("Every operation should have security"));

  const other = rows.filter((row, index) => (said(files[index]).length === 0) !== (row.reader?.valid ?? row.valid));

  assert.deepEqual(other.map((row) => [row.name, said(files[rows.indexOf(row)]).map((problem) => `${problem.ruleId}: ${problem.message}`)]), []);
});
