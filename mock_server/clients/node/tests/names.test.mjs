// Names of sessions after titles of tests.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {sessionNameOf} from '../lib/names.js';

const slugs = [
  ['pays an invoice', 'pays-an-invoice'],
  ['GET /todos/{id} -> 404 (no “todo”)', 'get-todos-id-404-no-todo'],
  ['Überweisung für Zoë', 'uberweisung-fur-zoe'],
  ['支払い', 'test'],
  ['', 'test'],
  ['x'.repeat(200), 'x'.repeat(55)],
];

for (const [title, slug] of slugs)
  test(`the session of "${title.slice(0, 40)}" is called ${slug}`, () => {
    const [first, second] = [sessionNameOf(title), sessionNameOf(title)];

    assert.equal(first.slice(0, -9), slug);
    assert.match(first, /^[\w.-]{1,64}$/);
    assert.notEqual(first, second);
  });
