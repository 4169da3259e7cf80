'use strict';
// Small helpers for making elements. Text goes in as text, never as markup: all of it comes from the
// mock, and from whoever calls it.

// Text with characters that a page obeys instead of showing them as escapes: C1, separators of lines, and what turns
// the direction of text.
const plain = (text) => text.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

// make('p', {class: 'soft', onclick: act}, 'words', otherElement)
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
  }
  const shown = (child) => child !== null && child !== undefined && child !== false;
  element.append(...children.flat(Infinity).filter(shown).map((child) => child instanceof Node ? child : plain(String(child))));
  return element;
}

// Puts the children into the element, unless they look as those that are there: a click that meets a new element
// half way is lost.
function redraw(element, ...children) {
  const drawn = make(element.localName, {}, ...children);
  if (drawn.innerHTML !== element.innerHTML) element.replaceChildren(...drawn.childNodes);
}

const by_id = (id) => document.getElementById(id);
const many = (number, word) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
const chip = (words, kind = '') => make('span', {class: `chip ${kind}`}, words);
const code = (words) => make('code', {}, words);
const soft = (...words) => make('span', {class: 'soft'}, words);

// Read aloud by screen readers, and shown for a moment.
function say(words) {
  const said = by_id('said');
  said.textContent = words;
  said.classList.add('shown');
  clearTimeout(say.timer);
  say.timer = setTimeout(() => said.classList.remove('shown'), 4000);
}

// A message below the view, where it moves nothing under the pointer; one for each id, until it is dismissed or taken back.
function notice(id, words, kind = 'warning', actions = []) {
  const close = make('button', {type: 'button', class: 'plain', 'aria-label': 'Dismiss', onclick: () => unnotice(id)}, '\u00d7');
  const line = make('div', {class: `notice ${kind}`, 'data-id': id}, make('span', {}, words), actions, close);
  unnotice(id);
  by_id('notices').append(line);
}

function unnotice(id) {
  for (const line of [...by_id('notices').children]) {
    if (line.dataset.id === id) line.remove();
  }
}

// True if `verb`, which names what happens then, was chosen.
function confirmed(question, consequence, verb) {
  return new Promise((resolve) => {
    const dialog = make('dialog', {class: 'ask', 'aria-labelledby': 'ask-title', onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    }}, make('form', {method: 'dialog'}, make('h2', {id: 'ask-title'}, question), make('p', {}, consequence),
      make('p', {class: 'actions'}, make('button', {value: 'no', autofocus: true}, 'Cancel'), make('button', {value: 'yes', class: 'danger'}, verb))));
    document.body.append(dialog);
    dialog.showModal();
  });
}

// A button that carries out `act`, shows while it does, and says what went wrong.
function button(words, act, attributes = {}) {
  const element = make('button', {type: 'button', ...attributes}, words);
  element.addEventListener('click', async () => {
    element.setAttribute('aria-busy', 'true');
    try {
      await act(element);
    } catch (problem) {
      show_problem(problem);
    } finally {
      element.removeAttribute('aria-busy');
    }
  });
  return element;
}

// A labelled field.
function field(label, input) {
  field.count = (field.count ?? 0) + 1;
  input.id ||= `field-${field.count}`;
  return make('div', {class: 'field'}, make('label', {for: input.id}, label), input);
}

function select(options, chosen, attributes = {}) {
  return make('select', attributes, options.map(([value, words]) =>
    make('option', {value, selected: value === chosen}, words)));
}

// A definition list of [label, value] pairs; empty values are left out.
function facts(pairs) {
  const list = make('dl', {class: 'facts'});
  for (const [label, value] of pairs) {
    if (value !== '' && value !== null && value !== undefined && value !== false) {
      list.append(make('dt', {}, label), make('dd', {}, value));
    }
  }
  return list;
}

// Preformatted text; it can be reached by keyboard because it may scroll.
function block(text, label) {
  return make('pre', {tabindex: '0', role: 'group', 'aria-label': label}, make('code', {}, coloured(text)));
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${what}`);
  } catch {
    say('The browser does not allow copying; the text is shown: select it');
  }
}

function size_text(bytes) {
  if (bytes < 1000) return many(bytes, 'byte');
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function duration_text(microseconds) {
  if (microseconds < 1000) return `${microseconds} \u00b5s`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(2)} s`;
}

// The clock's part of an instant, as the mock wrote it (UTC).
const time_text = (instant) => /T([0-9:]{8}(?:\.[0-9]{1,3})?)/.exec(instant)?.[1] ?? instant;

// How long ago, in words; the exact instant on hover.
function ago_text(instant) {
  const seconds = Math.round((Date.now() - Date.parse(instant)) / 1000);
  if (!(seconds >= 0) || seconds >= 86400) return `${instant.slice(0, 10) === new Date().toISOString().slice(0, 10) ? '' : `${instant.slice(5, 10)} `}${time_text(instant).slice(0, 5)}`;
  if (seconds < 5) return 'now';
  return seconds < 60 ? `${seconds} s ago` : seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3600)} h ago`;
}

const ago = (instant) => make('time', {class: 'time', title: instant, datetime: instant}, ago_text(instant));

setInterval(() => {
  for (const element of document.querySelectorAll('time.time')) {
    const words = ago_text(element.dateTime);
    if (element.textContent !== words) element.textContent = words;
  }
}, 5000);

// "file.yaml:12"
const place_text = (place) => place?.file ? `${place.file}${place.line ? `:${place.line}` : ''}` : '';

function status_class(status) {
  if (status === 0) return 'bad';
  return ['', 'idle', 'good', 'idle', 'unsure', 'bad'][Math.floor(status / 100)] ?? '';
}

const method_of = (method) => make('span', {class: `method ${{GET: 'get', POST: 'post', PUT: 'put', PATCH: 'put', DELETE: 'delete'}[method] ?? ''}`}, method);

const status_chip = (status) => chip(status === 0 ? 'no status' : String(status), `status ${status_class(status)}`);

// A meter with its value in words.
function meter(seen, points, label) {
  const part = points === 0 ? 1 : seen / points;
  return make('span', {class: 'meter'},
    make('meter', {min: '0', max: String(points || 1), value: String(points ? seen : 1), 'aria-label': label}),
    ` ${Math.floor(part * 100)} %`);
}
