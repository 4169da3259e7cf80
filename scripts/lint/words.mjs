// Words that users should not have to learn: each has a plainer one. Looks at the texts that programs can
// print (texts.mjs), the pages, the data and the scripts; of code, at names and comments, for the words
// that have no second meaning there.
//   node words.mjs   prints each place, status 1 if there is one

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { sources, textsOf } from "./texts.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

// [what not to say, what to say instead]; "everywhere" also in code.
export const WORDS = [
  { not: /\b(?:the|a|an|each|another|every|own) doubles?\b(?!-| quote| that| is an| keeps| holds| it reads|: )|\bdouble(?:_process|_only|_health)|\bDoubleProcess\b/i, say: "mock, mock server", except: /number|decimal|integer|digits|exact|parse|float|reads back/i, everywhere: true },
  { not: /(?:^|[^a-z])judg(?:e|es|ed|ing|ement)s?(?:[^a-z]|$)/i, say: "validate, validator", everywhere: true },
  { not: /(?:^|[^a-z])(?:court|jury|testimony|deserts|accusations?|culprits?)(?:[^a-z]|$)/i, say: "validate, result, finding", everywhere: true },
  { not: /(?:^|[^a-z])breach(?:es)?(?:[^a-z]|$)/i, say: "violation", everywhere: true },
  { not: /(?:^|[^a-z])compla(?:in|int)(?:s|ed|ing|ts)?(?:[^a-z]|$)/i, say: "violation, report", everywhere: true },
  { not: /(?:^|[^a-z])wish(?:es|ed|ing)?(?:[^a-z]|$)/i, say: "preference, ask for", everywhere: true },
  { not: /(?:^|[^a-z])refus(?:e|es|ed|al|als|ing)(?:[^a-z]|$)/i, say: "reject, rejection", except: /connection refused|ECONNREFUSED/i, everywhere: true },
  { not: /(?:^|[^a-z])(?:unheard|hears|heard|eavesdrop)(?:[^a-z]|$)/i, say: "received, read, ignored", everywhere: true },
  { not: /\bfront doors?\b|beside the lock|\bburial\b|\bburied\b/i, say: "transport, gateway, deleted", everywhere: true },
  { not: /\b(?:unproven|sightings?|proofs? of coverage)\b/i, say: "not covered, coverage", everywhere: true },
  { not: /\bliars?\b|\bcry wolf\b|\bhonest variations?\b/i, say: "mutant, conforming variant", everywhere: true },
  { not: /\b(?:world|worlds)\b/i, say: "loaded API, session", except: /hello[,:]? world|world wide|real[- ]world/i },
  { not: /\bstands?\b/i, say: "is, are", except: /stands? for\b|stand(?:s|ing)? still|stand-in/i },
  { not: /\b(?:keeps?|kept|breaks?|broken?|meets?) (?:the|its|a|this|that|every) (?:own )?(?:contract|schema|statement)s?\b/i, say: "satisfies, violates" },
  { not: /\b(?:nobody's|says? no to|said no to|unjudged|spine|ledger|wire room)\b/i, say: "it plainly" },
  { not: /\bmust be one of the contract's\b|\b(?:TEXT|UINT|INT|FLOAT):[A-Z]/, say: "a sentence" },
];

// Placed where users look: all of a file.
const PAGES = ["*.md", "*.yaml", "*.sh", "scripts/**/*.mjs", "contract_tests/report/page/*", "mock_server/console/page/*", ".ci/run"];
const NOT_OURS = /^spec\/contract\/corpus\/|^spec\/tests\/schema_cases\/|^scripts\/lint\/words|node_modules|^contract_tests\/tests\/(?:mutants|conforming|hostile)\/|^CHANGELOG/;

const files = (...patterns) =>
  execFileSync("git", ["ls-files", ...patterns], { cwd: root, encoding: "utf8" }).split("\n").filter((file) => file && !NOT_OURS.test(file));

// The words of a text: [what was found, what to say] each.
export function found(text, { inCode = false } = {}) {
  return WORDS.filter((word) => (!inCode || word.everywhere) && word.not.test(text) && !word.except?.test(text)).map((word) => [word.not.exec(text)[0].trim(), word.say]);
}

// The table that says which word goes for which.
const isGlossary = (file, line) => file === "CONTRIBUTING.md" && /^\| .* \| .* \| .* \|$/.test(line);

function* places() {
  for (const file of files(...PAGES))
    for (const [index, line] of readFileSync(root + file, "utf8").split("\n").entries())
      if (!isGlossary(file, line)) yield [`${file}:${index + 1}`, line, {}];
  for (const [file, source] of sources()) for (const text of textsOf(source)) yield [file, text, {}];
  for (const file of files("*.cpp", "*.hpp"))
    for (const [index, line] of readFileSync(root + file, "utf8").split("\n").entries()) yield [`${file}:${index + 1}`, line, { inCode: true }];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let count = 0;
  for (const [place, text, where] of places())
    for (const [word, say] of found(text, where)) {
      count += 1;
      console.log(`${place}: "${word}": say ${say}: ${text.trim().slice(0, 100)}`);
    }
  console.log(`words: ${count} to replace`);
  process.exitCode = count === 0 ? 0 : 1;
}
