// The names of the options of startMock; index.d.ts describes them.
const NAMES = ['url', 'token', 'contract', 'fixtures', 'args', 'port', 'program', 'env', 'log'];
const NEAR = 2; // letters

// How many letters are inserted, deleted or replaced between two words.
function distance(one, other) {
  let row = Array.from({length: other.length + 1}, (_, at) => at);
  for (const letter of one) {
    const next = [row[0] + 1];
    for (let at = 0; at < other.length; at++)
      next.push(Math.min(next[at] + 1, row[at + 1] + 1, row[at] + (other[at] === letter ? 0 : 1)));
    row = next;
  }
  return row[other.length];
}

// Throws a TypeError where an option has another name.
export function requireKnown(options) {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown === undefined) return;
  const [nearest] = [...NAMES].sort((a, b) => distance(unknown, a) - distance(unknown, b));
  const hint = distance(unknown, nearest) <= NEAR ? `; did you mean "${nearest}"?` : '';
  throw new TypeError(`startMock has no option "${unknown}"${hint || `; known: ${NAMES.join(', ')}`}`);
}
