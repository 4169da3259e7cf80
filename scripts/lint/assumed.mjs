// The extension x-assumed: where it may be used, and the document without the parts that it marks. Written
// independently of the C++ of spec/contract, so that the two can be compared.

import { walk } from "./openapi_walk.mjs";

const isText = (value) => typeof value === "string" && value.length > 0;

function marks(mark) {
  return mark !== null && typeof mark === "object" && !Array.isArray(mark) ? Object.entries(mark) : null;
}

function misplaced(object, kind) {
  if (kind === "map") return "must not be a member of a map of names";
  if ("$ref" in object && kind !== "schema") return "must not be used beside a $ref, except in a schema";
  if (kind === "requirement") return "must not be used in a security requirement";
  const mark = object["x-assumed"];
  if (isText(mark)) return null;
  const keys = marks(mark);
  if (!keys || keys.length === 0) return "must be a reason or a map of keys to reasons";
  const bad = keys.find(([key, reason]) => !(key in object) || !isText(reason));
  return bad ? `must map keys of its object to reasons, but has "${bad[0]}"` : null;
}

// True if x-source and x-assumed have an effect in `document`.
const hasMarks = (document) => document?.["x-counterpart"] === 1;

// Every misplaced x-assumed, as "pointer: message" lines.
export function misplacedMarks(document) {
  const problems = [];
  walk(document, (object, kind, pointer) => {
    if (!("x-assumed" in object)) return;
    const problem = misplaced(object, kind);
    if (problem) problems.push(`${pointer}/x-assumed: ${problem}`);
    if (!hasMarks(document) && problems.length === 0) {
      problems.push("/x-counterpart: must be the number 1; without it, x-assumed and x-source have no effect");
    }
  });
  return problems;
}

const isMarked = (value) => isText(value?.["x-assumed"]);

// Removes from `required` the names that were removed from `properties`, and parameters without a name.
function tidy(copy, original) {
  if (Array.isArray(copy.parameters)) {
    copy.parameters = copy.parameters.filter((parameter) => "$ref" in parameter || "name" in parameter);
  }
  if (Array.isArray(copy.required) && original.properties) {
    const removed = (name) => name in original.properties && !(name in (copy.properties ?? {}));
    copy.required = copy.required.filter((name) => !removed(name));
  }
  return copy;
}

function pruned(value) {
  if (Array.isArray(value)) return value.filter((element) => !isMarked(element)).map(pruned);
  if (value === null || typeof value !== "object") return value;
  const assumed = new Set((marks(value["x-assumed"]) ?? []).map(([key]) => key));
  const kept = Object.entries(value).filter(
    ([key, member]) => key !== "x-assumed" && !assumed.has(key) && !isMarked(member));
  return tidy(Object.fromEntries(kept.map(([key, member]) => [key, pruned(member)])), value);
}

// A copy of a contract without its assumptions.
export function documentOnly(document) {
  return hasMarks(document) ? pruned(document) : structuredClone(document);
}
