// Walks an OpenAPI 3.1 document by its grammar, so that a rule knows the kind of each object, and does
// not mistake an example or the name of a property for a part of the description.
// Source: OpenAPI 3.1.0 §4.8.

import { readFileSync } from "node:fs";

const one = (kind) => ({ kind });
const list = (kind) => ({ list: kind });
const map = (kind) => ({ map: kind });

const schema = {
  ...Object.fromEntries(
    ["not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames",
      "unevaluatedItems", "unevaluatedProperties", "contentSchema"].map((key) => [key, one("schema")])),
  ...Object.fromEntries(["allOf", "anyOf", "oneOf", "prefixItems"].map((key) => [key, list("schema")])),
  ...Object.fromEntries(
    ["properties", "patternProperties", "$defs", "dependentSchemas"].map((key) => [key, map("schema")])),
};
const parameter = { schema: one("schema"), content: map("mediaType"), examples: map("example") };
// The fields of a Path Item Object, from the table that the programs have.
const table = readFileSync(new URL("../../spec/http/method.hpp", import.meta.url), "utf8");
const methods = [...table.matchAll(/^ +\{"[A-Z]+", "([a-z]+)"/gm)].map((row) => row[1]);

const grammar = {
  document: {
    info: one("info"), servers: list("server"), tags: list("tag"), paths: map("pathItem"),
    webhooks: map("pathItem"), components: one("components"), security: list("requirement"),
  },
  components: {
    schemas: map("schema"), responses: map("response"), parameters: map("parameter"),
    examples: map("example"), requestBodies: map("requestBody"), headers: map("header"),
    securitySchemes: map("securityScheme"), links: map("link"), pathItems: map("pathItem"),
  },
  server: { variables: map("serverVariable") },
  pathItem: {
    parameters: list("parameter"), servers: list("server"),
    ...Object.fromEntries(methods.map((method) => [method, one("operation")])),
  },
  operation: {
    parameters: list("parameter"), requestBody: one("requestBody"), responses: map("response"),
    servers: list("server"), security: list("requirement"),
  },
  parameter,
  header: parameter,
  requestBody: { content: map("mediaType") },
  response: { headers: map("header"), content: map("mediaType"), links: map("link") },
  mediaType: { schema: one("schema"), examples: map("example"), encoding: map("encoding") },
  encoding: { headers: map("header") },
  schema,
};

// Escapes a token of a JSON pointer (RFC 6901 §3).
export const token = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// Calls visit(value, kind, pointer) for each object of the description, parents first; `kind` is
// "map" for a map of names.
export function walk(value, visit, kind = "document", pointer = "") {
  if (!isObject(value)) return;
  visit(value, kind, pointer);
  for (const [key, rule] of Object.entries(grammar[kind] ?? {})) {
    if (!(key in value)) continue;
    const at = `${pointer}/${token(key)}`;
    if (rule.kind) {
      walk(value[key], visit, rule.kind, at);
    } else if (rule.list) {
      value[key].forEach((element, index) => walk(element, visit, rule.list, `${at}/${index}`));
    } else {
      visit(value[key], "map", at);
      for (const [name, member] of Object.entries(value[key])) {
        walk(member, visit, rule.map, `${at}/${token(name)}`);
      }
    }
  }
}

// The value at a JSON pointer, or undefined.
export function find(document, pointer) {
  return pointer.split("/").slice(1).reduce(
    (value, key) => value?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}
