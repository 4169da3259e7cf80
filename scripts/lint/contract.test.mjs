// The lint of the contract finds each kind of problem.

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
  ["a contract with x-assumed but without x-counterpart", (d) => delete d["x-counterpart"], /x-counterpart: must be the number 1/],
  ["x-assumed in a map of names", (d) => (customer(d).properties["x-assumed"] = "why"), /properties\/x-assumed: must not be a member/],
  ["x-assumed in a content map", (d) => (operation(d).responses["200"].content["x-assumed"] = "why"), /content\/x-assumed: must not be a member/],
  ["x-assumed beside the $ref of a header", (d) => (operation(d).responses["429"].headers["Retry-After"]["x-assumed"] = "why"), /must not be used beside a \$ref/],
  ["x-assumed in a security requirement", (d) => (operation(d).security[0]["x-assumed"] = "why"), /must not be used in a security requirement/],
  ["x-assumed for a key that does not exist", (d) => (customer(d)["x-assumed"].requird = "why"), /but has "requird"/],
  ["x-assumed without a reason", (d) => (customer(d)["x-assumed"].required = ""), /but has "required"/],
  ["an empty x-assumed", (d) => (customer(d)["x-assumed"] = {}), /must be a reason or a map/],
  ["a $ref without a target", (d) => (customer(d).properties.name = { $ref: "#/components/schemas/Nobody" }), /must point into this document/],
  ["a $ref whose target is only in the full form", (d) => (customer(d)["x-assumed"] = "why"), /^document-only form: .*\$ref: must point into/],
  ["a field that OpenAPI 3.1 does not have", (d) => (operation(d).reponses = {}), /full form: is not OpenAPI 3\.1/],
  ["an invalid info object in the document-only form", (d) => (d.info["x-assumed"] = { version: "why" }), /^document-only form: is not OpenAPI 3\.1/],
  ["an example that violates its schema", (d) => (operation(d).responses["200"].content["application/json"].examples.no_phone.value.created_at = "2025-02-30T00:00:00Z"), /no_phone\/value: violates its schema/],
  ["an example that is valid in the full form only", (d) => (operation(d).responses["200"].content["application/json"].examples.no_phone.value.phone_number = null), /^document-only form: .*no_phone\/value: violates its schema/],
  ["a boolean schema in a media type, which some tools cannot read", (d) => (operation(d).responses["200"].content["application/json"].schema = true), /Expected type `Schema`/],
  ["a path parameter without a description", (d) => (operation(d).parameters = []), /does not define the path parameter/],
  ["paths that differ only in names of parameters", (d) => (d.paths["/customers/{other}"] = {}), /differs only by path parameter name/],
  ["a schema that does not compile", (d) => (customer(d).properties.name.pattern = "("), /Invalid regular expression|does not compile|is not OpenAPI/],
  ["an anyOf that is empty in the document-only form", (d) => (customer(d).properties.phone_number.anyOf[0]["x-assumed"] = "why"), /^document-only form: .*anyOf/],
];

test("the contracts of the repository have no problems", async () => {
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

test("names removed from properties are removed from required, and parameters without a name are removed", () => {
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

test("x-assumed has no effect without x-counterpart", () => {
  const document = { info: { "x-assumed": "why" }, paths: { "/a": { "x-assumed": "why" } } };

  assert.deepEqual(documentOnly(document), document);
});

test("a schema file that is not JSON, has another dialect or does not compile is a problem", () => {
  const dialect = "https://json-schema.org/draft/2020-12/schema";

  assert.deepEqual(lintSchema(JSON.stringify({ $schema: dialect, type: "object" })), []);
  assert.match(lintSchema("{")[0], /does not compile/);
  assert.match(lintSchema(JSON.stringify({ type: "object" }))[0], /2020-12/);
  assert.match(lintSchema(JSON.stringify({ $schema: dialect, type: "objekt" }))[0], /does not compile/);
});

test("differences of two documents are found with their pointers", () => {
  const left = { a: [1, { b: 2 }], "c/d": 3, e: {} };

  assert.deepEqual(differences(left, structuredClone(left)), []);
  assert.deepEqual(differences(left, { a: [1, { b: 3 }], "c/d": 4, e: [] }), ["/a/1/b", "/c~1d", "/e"]);
  assert.deepEqual(differences(left, { a: [1], e: {} }), ["/a/1", "/c~1d"]);
});
