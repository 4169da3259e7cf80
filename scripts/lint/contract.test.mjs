// The lint of the contract must be able to fail, in each of the ways that it watches for.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { parse, stringify } from "yaml";

import { documentOnly } from "./assumed.mjs";
import { lintContract, lintSchema } from "./contract.mjs";
import { differences } from "./pruned.mjs";

const contract = readFileSync(new URL("../../spec/payments.openapi.yaml", import.meta.url), "utf8");

// The problems of the contract after `change` was made to it.
async function problemsAfter(change) {
  const document = parse(contract);
  change(document);
  return lintContract(stringify(document, { aliasDuplicateObjects: false }));
}

const customer = (document) => document.components.schemas.Customer;
const operation = (document) => document.paths["/customers/{customer_id}"].get;

const faults = [
  ["a contract that does not say that it has marks", (d) => delete d["x-counterpart"], /x-counterpart: must be the number 1/],
  ["a mark in a map of names", (d) => (customer(d).properties["x-assumed"] = "why"), /properties\/x-assumed: must not be a member/],
  ["a mark in a content map", (d) => (operation(d).responses["200"].content["x-assumed"] = "why"), /content\/x-assumed: must not be a member/],
  ["a mark beside a header's $ref", (d) => (operation(d).responses["429"].headers["Retry-After"]["x-assumed"] = "why"), /must not are beside a \$ref/],
  ["a mark in a security requirement", (d) => (operation(d).security[0]["x-assumed"] = "why"), /must not are in a security requirement/],
  ["a mark for a key that is not there", (d) => (customer(d)["x-assumed"].requird = "why"), /has "requird"/],
  ["a mark without a reason", (d) => (customer(d)["x-assumed"].required = ""), /has "required"/],
  ["an empty mark", (d) => (customer(d)["x-assumed"] = {}), /must be a reason or a map/],
  ["a reference to nowhere", (d) => (customer(d).properties.name = { $ref: "#/components/schemas/Nobody" }), /must name a place/],
  ["a reference that only the full form holds", (d) => (customer(d)["x-assumed"] = "why"), /^document-only form: .*\$ref: must name a place/],
  ["what OpenAPI 3.1 does not know", (d) => (operation(d).reponses = {}), /full form: is not OpenAPI 3\.1/],
  ["an operation without answers in the document-only form", (d) => (d.info["x-assumed"] = { version: "why" }), /^document-only form: is not OpenAPI 3\.1/],
  ["an example that violates its schema", (d) => (operation(d).responses["200"].content["application/json"].examples.no_phone.value.created_at = "2025-02-30T00:00:00Z"), /no_phone\/value: violates its schema/],
  ["an example that is right in the full form only", (d) => (operation(d).responses["200"].content["application/json"].examples.no_phone.value.phone_number = null), /^document-only form: .*no_phone\/value: violates its schema/],
  ["a boolean schema in a media type, which not every tool reads", (d) => (operation(d).responses["200"].content["application/json"].schema = true), /Expected type `Schema`/],
  ["a path parameter that is not described", (d) => (operation(d).parameters = []), /does not define the path parameter/],
  ["paths that differ in names alone", (d) => (d.paths["/customers/{other}"] = {}), /differs only by path parameter name/],
  ["a schema that does not compile", (d) => (customer(d).properties.name.pattern = "("), /Invalid regular expression|does not compile|is not OpenAPI/],
  ["an anyOf that is empty in the document-only form", (d) => (customer(d).properties.phone_number.anyOf[0]["x-assumed"] = "why"), /^document-only form: .*anyOf/],
];

test("the contracts as they are have no problems", async () => {
  assert.deepEqual(await lintContract(contract), []);
  assert.deepEqual(await lintContract(readFileSync(new URL("../../spec/control.openapi.yaml", import.meta.url), "utf8")), []);
});

for (const [name, change, expected] of faults) {
  test(`the lint finds ${name}`, async () => {
    const problems = await problemsAfter(change);

    assert.ok(problems.some((problem) => expected.test(problem)), problems.join("\n") || "no problem found");
  });
}

test("a duplicate key is an error", async () => {
  await assert.rejects(lintContract(`${contract}\nopenapi: 3.1.0\n`), /unique/i);
});

test("names that fall from properties fall from required, and nameless parameters go", () => {
  const pruned = documentOnly({
    "x-counterpart": 1,
    parameters: [{ name: "a", in: "query", "x-assumed": { name: "why" } }, { name: "b", in: "query" }],
    schema: { required: ["a", "b"], properties: { a: { "x-assumed": "why" }, b: {} } },
  });

  assert.deepEqual(pruned, {
    "x-counterpart": 1,
    parameters: [{ name: "b", in: "query" }],
    schema: { required: ["b"], properties: { b: {} } },
  });
});

test("marks mean nothing where the document does not say that it has them", () => {
  const document = { info: { "x-assumed": "why" }, paths: { "/a": { "x-assumed": "why" } } };

  assert.deepEqual(documentOnly(document), document);
});

test("a schema file that is not JSON, of another dialect or wrong is a problem", () => {
  const dialect = "https://json-schema.org/draft/2020-12/schema";

  assert.deepEqual(lintSchema(JSON.stringify({ $schema: dialect, type: "object" })), []);
  assert.match(lintSchema("{")[0], /does not compile/);
  assert.match(lintSchema(JSON.stringify({ type: "object" }))[0], /2020-12/);
  assert.match(lintSchema(JSON.stringify({ $schema: dialect, type: "objekt" }))[0], /does not compile/);
});

test("two documents differ where they differ", () => {
  const left = { a: [1, { b: 2 }], "c/d": 3, e: {} };

  assert.deepEqual(differences(left, structuredClone(left)), []);
  assert.deepEqual(differences(left, { a: [1, { b: 3 }], "c/d": 4, e: [] }), ["/a/1/b", "/c~1d", "/e"]);
  assert.deepEqual(differences(left, { a: [1], e: {} }), ["/a/1", "/c~1d"]);
});
