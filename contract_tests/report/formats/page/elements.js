'use strict';
// Small helpers for making elements. Text goes in as text, never as markup: most of it comes
// from a server.

// Text with characters that a page obeys instead of showing them as escapes: C1, separators of lines, and what turns
// the direction of text.
const plain = (text) => text.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

// make('p', {class: 'soft'}, 'words', otherElement)
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  return add(element, ...children);
}

function add(element, ...children) {
  element.append(...children.flat().filter((child) => child !== null && child !== undefined)
                            .map((child) => child instanceof Node ? child : plain(String(child))));
  return element;
}

const SIGNS = {'passed': '✓', 'failed': '✗', 'known': '≈', 'inconclusive': '?', 'skipped': '–'};
const ORDER = ['failed', 'known', 'inconclusive', 'passed', 'skipped'];

const class_of = (word) => word.replaceAll(' ', '-');
const chip = (word) => make('span', {class: `chip ${class_of(word)}`}, word);
const count_of = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

function duration(microseconds) {
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(2)} s`;
}

// A definition list of [label, value] pairs; empty values are left out.
function facts(pairs) {
  const list = make('dl', {class: 'facts'});
  for (const [label, value] of pairs) {
    if (value !== '' && value !== null && value !== undefined && value.textContent !== '') {
      list.append(make('dt', {}, label), make('dd', {}, value));
    }
  }
  return list;
}

function say(words) {
  document.getElementById('said').textContent = words;
}

// A command line with a button that copies it.
function command(line) {
  const button = make('button', {type: 'button'}, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(line);
      say('Copied');
    } catch {
      const range = document.createRange();
      range.selectNodeContents(text);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      say('Selected; copy it with the keyboard');
    }
  });
  const text = make('pre', {}, make('code', {}, line));
  return make('div', {class: 'copy'}, text, button);
}
