// Lints OpenAPI 3.1 contracts with two validators from npm, and checks references, schemas and examples;
// each contract both whole and without its assumptions. Also checks that schema files compile.
// Usage: node contract.mjs FILE.openapi.yaml ... [FILE.schema.json ...]. Prints each problem; status 1
// if there is one.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import redocly from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

import { documentOnly, misplacedMarks } from "./assumed.mjs";
import { find, walk } from "./openapi_walk.mjs";

function newAjv() {
  const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false, strictRequired: false });
  ["x-source", "x-assumed", "example", "components"].forEach((keyword) => ajv.addKeyword(keyword));
  addFormats(ajv);
  return ajv;
}

function words(errors) {
  return (errors ?? []).map((error) => `${error.instancePath || "/"} ${error.message}`).join("; ");
}

async function formProblems(document) {
  const result = await new Validator().validate(structuredClone(document));
  if (result.valid) return [];
  const errors = Array.isArray(result.errors) ? words(result.errors) : String(result.errors);
  return [`is not OpenAPI 3.1: ${errors}`];
}

// The rules of the second validator: those of the specification, none of style.
const redoclyRules = {
  struct: "error",
  "no-unresolved-refs": "error",
  "no-identical-paths": "error",
  "path-parameters-defined": "error",
  "path-declaration-must-exist": "error",
  "operation-operationId-unique": "error",
  "operation-parameters-unique": "error",
  "no-undefined-server-variable": "error",
  "spec-components-invalid-map-name": "error",
};

async function redoclyProblems(document) {
  const config = await redocly.createConfig({ rules: redoclyRules });
  const problems = await redocly.lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ message, location }) => `${location[0].pointer}: ${message}`);
}

function referenceProblems(document) {
  const problems = [];
  walk(document, (object, kind, pointer) => {
    const reference = object.$ref;
    if (kind === "map" || typeof reference !== "string") return;
    if (!reference.startsWith("#/") || find(document, decodeURIComponent(reference.slice(1))) === undefined) {
      problems.push(`${pointer}/$ref: must point into this document, but is "${reference}"`);
    }
  });
  return problems;
}

// Lists that are empty without the assumptions, but must not be.
function emptinessProblems(document) {
  const problems = [];
  walk(document, (object, kind, pointer) => {
    if (kind !== "schema") return;
    for (const key of ["allOf", "anyOf", "oneOf"]) {
      if (object[key]?.length === 0) problems.push(`${pointer}/${key}: must not be empty`);
    }
  });
  return problems;
}

// [pointer, value] of each example of an object with a schema.
function examplesOf(object, pointer) {
  const found = "example" in object ? [[`${pointer}/example`, object.example]] : [];
  for (const [name, example] of Object.entries(object.examples ?? {})) {
    if ("value" in example) found.push([`${pointer}/examples/${name}/value`, example.value]);
  }
  return found;
}

function exampleProblems(document) {
  const problems = [];
  const ajv = newAjv();
  ajv.addSchema({ $id: "contract:", components: document.components ?? {} });
  const withSchema = new Set(["parameter", "header", "mediaType"]);
  walk(document, (object, kind, pointer) => {
    if (!withSchema.has(kind) || !object.schema) return;
    const schema = JSON.parse(JSON.stringify(object.schema).replaceAll('"$ref":"#/', '"$ref":"contract:#/'));
    const validate = ajv.compile(schema);
    for (const [at, value] of examplesOf(object, pointer)) {
      if (!validate(value)) problems.push(`${at}: violates its schema: ${words(validate.errors)}`);
    }
  });
  return problems;
}

// Every problem of one form of the contract, whole or document-only.
export async function problemsOf(document) {
  const problems = [
    ...(await formProblems(document)),
    ...(await redoclyProblems(document)),
    ...referenceProblems(document),
    ...emptinessProblems(document),
  ];
  if (problems.length > 0) return problems;
  try {
    return exampleProblems(document);
  } catch (error) {
    return [`a schema does not compile: ${error.message}`];
  }
}

// Every problem of a contract, in both forms.
export async function lintContract(text) {
  const document = parse(text, { uniqueKeys: true, version: "1.2" });
  const tagged = (form, problems) => problems.map((problem) => `${form} form: ${problem}`);
  return [
    ...misplacedMarks(document),
    ...tagged("full", await problemsOf(document)),
    ...tagged("document-only", await problemsOf(documentOnly(document))),
  ];
}

// Every problem of a schema file.
export function lintSchema(text) {
  try {
    const schema = JSON.parse(text);
    if (schema.$schema !== "https://json-schema.org/draft/2020-12/schema") return ["$schema: must be JSON Schema 2020-12"];
    newAjv().compile(schema);
    return [];
  } catch (error) {
    return [`does not compile: ${error.message}`];
  }
}

async function main(files) {
  const lines = [];
  for (const file of files) {
    const lint = file.endsWith(".schema.json") ? lintSchema : lintContract;
    lines.push(...(await lint(readFileSync(file, "utf8"))).map((problem) => `${file}: ${problem}`));
  }
  lines.forEach((line) => console.error(line));
  if (lines.length === 0) console.log(`${files.length} files: no problems`);
  return lines.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await main(process.argv.slice(2));
