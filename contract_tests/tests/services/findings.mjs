// Compares the findings of runs with findings.yaml, in which each has a verdict by hand.
//   - rule: http/allow
//     place: header/Allow              # array indices are *
//     operations: [GET /posts, ...]
//     verdict: true                    # or false (a false alarm), or debatable
//     reason: why
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';

import yaml from 'yaml';

const verdicts = [true, false, 'debatable'];

function key_of({rule, place, operation}) {
  return `${rule} | ${place} | ${operation}`;
}

// The entries, one for each operation.
function read_verdicts(file) {
  const known = new Map();
  for (const entry of yaml.parse(readFileSync(file, 'utf8')) ?? []) {
    const {rule, place, operations, verdict, reason, ...rest} = entry;
    assert.deepEqual(Object.keys(rest), [], `${file}: ${rule}: unknown words`);
    assert.ok(rule && place && operations?.length > 0 && reason && verdicts.includes(verdict),
              `${file}: ${rule}: rule, place, operations, verdict and reason are required`);
    for (const operation of operations) {
      const key = key_of({rule, place, operation});
      assert.ok(!known.has(key), `${file}: twice: ${key}`);
      known.set(key, entry);
    }
  }
  return known;
}

// Errors and warnings of run.json values, by key. Notes do not count, nor do findings without details.
function findings_of(reports) {
  const found = new Map();
  for (const item of reports.flatMap((report) => report.cases).filter(({sentence}) => sentence)) {
    for (const finding of item.findings.filter(({severity}) => severity !== 'note')) {
      const place = finding.place.replaceAll(/(?<=\/)\d+(?=\/|$)/g, '*');
      for (const operation of [item.operation_name, ...(finding.operations ?? [])]) {
        const key = key_of({...finding, place, operation});
        if (!found.has(key) || finding.severity === 'error') {
          found.set(key, {...finding, place, operation, sentence: item.sentence});
        }
      }
    }
  }
  return found;
}

// An entry to decide on by hand: one rule and place, and how each operation came by it.
function written(findings) {
  const [{rule, place}] = findings;
  const operations = findings.map(({operation}) => operation).join(', ');
  const how = findings.flatMap(({operation, severity, sentence, ...finding}) => [
    `${operation}: ${severity} of: ${sentence}`,
    ...[finding.message, finding.changed, finding.response, finding.excerpt, finding.curl],
  ]);
  return `- rule: ${rule}\n  place: ${place}\n  operations: [${operations}]\n  verdict:\n  reason:\n` +
         how.filter(Boolean).map((line) => `  # ${line.slice(0, 240)}\n`).join('');
}

function by_entry(findings) {
  const entries = new Map();
  for (const finding of findings) {
    const key = `${finding.rule} | ${finding.place}`;
    entries.set(key, [...(entries.get(key) ?? []), finding]);
  }
  return [...entries.values()];
}

// What contradicts the file, in sentences; empty when nothing does.
export function compare(file, reports) {
  const known = read_verdicts(file);
  const found = findings_of(reports);
  const unknown = [...found].filter(([key]) => !known.has(key)).map(([, finding]) => finding);
  const alarms = [...found].filter(([key]) => known.get(key)?.verdict === false);
  const warnings = new Set(alarms.filter(([, {severity}]) => severity === 'warning').map(([key]) => known.get(key)));
  const missing = [...known].filter(([key, {verdict}]) => verdict === true && !found.has(key));
  return [
    ...by_entry(unknown).map((findings) => `not in findings.yaml; decide on it and add it:\n${written(findings)}`),
    ...alarms.filter(([, {severity}]) => severity === 'error').map(([key]) => `false error: ${key}`),
    ...(warnings.size > 1 ? [...warnings].map(({rule, place}) => `false warning: ${rule} | ${place}`) : []),
    ...missing.map(([key]) => `true finding that was not found again: ${key}`),
  ];
}
