// The lints of texts and words find what is planted.

import assert from "node:assert/strict";
import test from "node:test";

import { listOf, missing, textsOf } from "./texts.mjs";
import { found } from "./words.mjs";

test("texts are found in every kind of literal", () => {
  const source = 'f("must be " /* in parts */ "a number"); // "not this"\nchar c = \'"\'; g(R"(and "that", too)"); h("word");';
  assert.deepEqual(textsOf(source), ["must be a number", 'and "that", too']);
});

test("a planted text is reported as missing in the list", () => {
  const before = [["a.cpp", 'f("one text");']];
  const after = [["a.cpp", 'f("one text"); g("a planted text");']];
  assert.deepEqual(missing(listOf(after), listOf(before)), ["a.cpp: a planted text"]);
  assert.deepEqual(missing(listOf(before), listOf(before)), []);
});

const planted = ["the double is started", "Judged by the contract", "two complaints", "it was refused", "a wish in the header", "breaks the contract", "what stands there"];
for (const text of planted) {
  test(`"${text}" is found`, () => assert.notDeepEqual(found(text), []));
}

test("plain words are left alone", () => {
  for (const text of ["a double quote", "connection refused", "validated by the mock", "stands for a number"]) assert.deepEqual(found(text), [], text);
});

test("in code, words with a second meaning there are left alone", () => {
  assert.deepEqual(found("struct Standing { bool stands; };", { inCode: true }), []);
  assert.notDeepEqual(found("void judge(Complaint complaint);", { inCode: true }), []);
});
