// What was typed and not saved, by session and place: it stays when another view is shown, and when the page is
// loaded again in the same tab.

const DRAFTS_KEY = 'counterpart-drafts';

const drafts = {
  all: (() => {
    try {
      return new Map(JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '[]'));
    } catch {
      return new Map();
    }
  })(),

  key: (place) => `${app.session} ${place}`,
  get: (place) => drafts.all.get(drafts.key(place)),

  // Without a value the draft is deleted.
  set(place, value) {
    if (value === undefined) drafts.all.delete(drafts.key(place));
    else drafts.all.set(drafts.key(place), value);
    try {
      sessionStorage.setItem(DRAFTS_KEY, JSON.stringify([...drafts.all]));
    } catch {
      // The browser stores nothing, or not so much: drafts last as long as the page.
    }
  }
};

// The field, with what was typed into it before.
function kept(place, input) {
  const at_first = input.value;
  input.value = drafts.get(place) ?? at_first;
  input.addEventListener('input', () => drafts.set(place, input.value === at_first ? undefined : input.value));
  return input;
}

// Empties the field after its text was sent.
function clear_kept(place, input) {
  input.value = '';
  drafts.set(place, undefined);
}
