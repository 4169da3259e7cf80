'use strict';
// JSON as it was sent, laid out in lines, with one place marked. The tokens are the response's own
// (1.10 stays 1.10, a duplicate key stays), so this reads text and never goes through JSON.parse.
// A body that is cut short, or no JSON at all, is shown as far as it goes.

function unescape_token(token) {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

// [{kind: 'open'|'close'|'comma'|'key'|'value', text}, ...]; null when the text is no JSON.
function tokens_of(text) {
  const pattern = /\s+|[{}[\]]|,|:|"(?:[^"\\]|\\.)*"|[-+0-9.eE]+|true|false|null/gsuy;
  const tokens = [];
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null) return tokens.length > 0 ? tokens : null;
    const token = found[0];
    if (token === ':') {
      if (tokens.length > 0) tokens.at(-1).kind = 'key';
    } else if (token.trim() !== '') {
      const kind = '{['.includes(token) ? 'open' : '}]'.includes(token) ? 'close'
                   : token === ','      ? 'comma' : 'value';
      tokens.push({kind, text: token});
    }
  }
  return tokens;
}

function key_text(token) {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1, -1);
  }
}

// Every piece of text with the JSON pointer that it belongs to, as a list of names.
function pieces_of(tokens) {
  const pieces = [];
  const open = [];  // {array, index, key}
  const here = () => open.map((level) => (level.array ? String(level.index) : level.key));
  const line = (depth) => pieces.push({text: '\n' + '  '.repeat(depth), path: null});
  tokens.forEach((token, at) => {
    if (token.kind === 'comma') {
      pieces.push({text: ',', path: null});
      if (open.length > 0 && open.at(-1).array) open.at(-1).index += 1;
      line(open.length);
    } else if (token.kind === 'key') {
      if (open.length > 0) open.at(-1).key = key_text(token.text);
      pieces.push({text: token.text + ': ', path: here()});
    } else if (token.kind === 'open') {
      pieces.push({text: token.text, path: here()});
      open.push({array: token.text === '[', index: 0, key: ''});
      if (tokens[at + 1] && tokens[at + 1].kind !== 'close') line(open.length);
    } else if (token.kind === 'close') {
      open.pop();
      if (at > 0 && tokens[at - 1].kind !== 'open') line(open.length);
      pieces.push({text: token.text, path: here()});
    } else {
      pieces.push({text: token.text, path: here()});
    }
  });
  return pieces;
}

function is_within(path, place) {
  return path !== null && path.length >= place.length &&
         place.every((name, at) => path[at] === name);
}

// The longest beginning of `place` that the body has, so that what is missing marks its parent.
function nearest(pieces, place) {
  let wanted = place;
  while (wanted.length > 0 && !pieces.some((piece) => is_within(piece.path, wanted))) {
    wanted = wanted.slice(0, -1);
  }
  return wanted;
}

// Elements for the body, with what is at the JSON pointer marked. "" marks nothing.
function json_elements(text, pointer) {
  const tokens = tokens_of(text);
  if (tokens === null) return [text];
  const pieces = pieces_of(tokens);
  const place = pointer.split('/').slice(1).map(unescape_token);
  const wanted = nearest(pieces, place);
  const first = pieces.findIndex((piece) => is_within(piece.path, wanted));
  const last = pieces.findLastIndex((piece) => is_within(piece.path, wanted));
  const words = (from, to) => pieces.slice(from, to).map((piece) => piece.text).join('');
  if (wanted.length === 0 || first < 0) return [words(0)];
  const marked = make('mark', {}, words(first, last + 1));
  if (wanted.length < place.length) {
    marked.title = `${unescape_token(place[wanted.length])} is not there`;
  }
  return [words(0, first), marked, words(last + 1)];
}
