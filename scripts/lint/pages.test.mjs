// The lint of the pages finds names without a file, and nothing else.

import assert from "node:assert/strict";
import test from "node:test";

import { missing, missingInComments, Tree } from "./pages.mjs";

const tree = new Tree(["README.md", "scripts/lint.sh", "spec/http/message.cpp", "spec/http/message.hpp", "spec/http/README.md"], ["class Message {\n  void send();\n};"]);

const wrong = [
  ["a link", "README.md", "[x](spec/http/READMEE.md#part)"],
  ["a path in backticks", "README.md", "see `spec/http/mesage.hpp`"],
  ["a path from the page's folder", "spec/http/README.md", "see `../text/utf8.hpp`"],
  ["a source by its name alone", "README.md", "see `mesage.cpp`"],
  ["a member", "README.md", "see `Message::sent`"],
  ["a name in a table of files", "spec/http/README.md", "| file | holds |\n|---|---|\n| `message`, `mesage` | x |"],
];
for (const [what, page, text] of wrong) {
  test(`${what} without a file is found`, () => assert.equal(missing(text, page, tree).length, 1));
}

const right = [
  ["links", "spec/http/README.md", "[a](../../README.md) [b](https://site.example/x) [c](#part)"],
  ["paths and names", "README.md", "`spec/http`, `./scripts/lint.sh`, `http/message.hpp`, `spec/http/mess*.cpp`, `lint.sh`, `spec/http/message`"],
  ["members", "README.md", "`Message::send`, `Message::send()`"],
  ["other texts", "README.md", "`net::ERR_FAILED`, `application/json`, `/_mock/reset`, `COUNT/SECONDS`, `build/release/mock_server`, `run.json`"],
  ["a table of files", "spec/http/README.md", "| file | holds |\n|---|---|\n| `message` | `nothing.here` |\n\n| `other` | x |"],
  ["blocks of code", "README.md", "```\n`no/such.cpp`\n```\n    [x](no.md)"],
];
for (const [what, page, text] of right) {
  test(`${what} that are right are not reported`, () => assert.deepEqual(missing(text, page, tree), []));
}

test("sources that comments name are found, with or without their path", () => {
  const source = '#include "no/such.hpp"\n// As message.cpp and http/message.hpp do, not mesage.cpp.\nint a;  // see spec/http/other.hpp';
  assert.deepEqual(missingInComments(source, tree), [[2, "mesage.cpp"], [3, "spec/http/other.hpp"]]);
});
