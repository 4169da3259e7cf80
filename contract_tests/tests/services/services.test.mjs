// The suite on services of other makers: node services.test.mjs NAME...
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';

import {run_suite, state_of, subjects_file, with_service} from './harness.mjs';
import {compare} from './findings.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

// Runs the suite where everything may be lost, and checks that every row that differs is listed.
async function lists_what_is_left(service, reports) {
  await with_service(service, async (running) => {
    const before = (await state_of(service, running)).rows;

    const {out, report} = await run_suite(service, running, ['--sandbox']);

    assert.ok(report?.counts.requests > 0, out);
    reports.push(report);
    const after = (await state_of(service, running)).rows;
    const left = report.writes.not_put_back.flatMap(({what}) => what.split(/[ ,]+|\/?$/));
    const differs = Object.keys({...before, ...after}).filter((key) => !isDeepStrictEqual(before[key], after[key]));
    const listed = (key) => left.includes(key) || left.includes(path.dirname(key));  // itself, or its collection
    assert.deepEqual(differs.filter((key) => !listed(key)), [], JSON.stringify(report.writes.not_put_back));
  });
}

// Runs the suite and checks that every row and file is as before; adds the report.
async function changes_nothing(service, reports, flags) {
  await with_service(service, async (running) => {
    const before = await state_of(service, running);

    const {out, report} = await run_suite(service, running, flags(running));

    assert.ok(report?.counts.requests > 0, out);
    reports.push(report);
    assert.ok(running.alive() || service.mortal, 'the service ended during the run');
    assert.deepEqual(await state_of(service, running), before, JSON.stringify(report.writes.not_put_back));
  });
}

for (const name of process.argv.slice(2)) {
  const {default: service} = await import(`./${name}/service.mjs`);
  describe(service.name, () => {
    const reports = [];
    for (const flags of service.reading ?? [[]]) {
      test(`nothing changes without consent ${flags.join(' ')}`,
           () => changes_nothing(service, reports, () => ['--allow-probes', ...flags]));
    }
    if (service.subjects) {
      test('with --allow-writes, everything is put back', () => changes_nothing(
          service, reports, (running) => ['--allow-writes', '--subjects', subjects_file(running, service.subjects)]));
    }
    if (service.sandbox) {
      test('with --sandbox, what is left is listed', () => lists_what_is_left(service, reports));
    }
    test('every finding is known, and none is a false alarm', () => {
      const wrong = compare(path.join(here, name, 'findings.yaml'), reports);

      assert.ok(wrong.length === 0, wrong.join('\n'));
    });
  });
}
