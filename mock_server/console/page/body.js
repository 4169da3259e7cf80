// Bodies as text. Nothing of them is executed or loaded: what is not text is shown as bytes.

const FIRST_CHARACTERS = 20000;
const MAX_INDENTED = 1e6;
const FIRST_BYTES = 512;

// The JSON text with line breaks. Numbers stay as they were written, which parsing would lose.
function indent_json(text) {
  let out = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const last = out.at(-1);
    if (token === '}' || token === ']') {
      depth -= 1;
      out += (last === '{' || last === '[' ? '' : line()) + token;
    } else {
      if (last === '{' || last === '[' || last === ',') out += line();
      out += token === ':' ? ': ' : token;
      if (token === '{' || token === '[') depth += 1;
    }
  }
  return out;
}

function is_json(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const readable = (text) => text.length <= MAX_INDENTED && /^\s*[[{]/.test(text) && is_json(text) ? indent_json(text) : text;

const fields_named = (message, name) => message.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
const field_of = (message, name) => fields_named(message, name)[0] ?? '';

// "00000000  89 50 4e 47 ...  .PNG"
function dump(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.slice(at, at + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = part.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.').join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join('\n');
}

function bytes_of(base64, count) {
  const text = atob(base64.slice(0, Math.ceil(count / 3) * 4));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0)).slice(0, count);
}

const MAX_COLOURED = 60000;

// JSON text with its keys, texts, numbers and words as elements, to be coloured.
function coloured(text) {
  if (text.length > MAX_COLOURED || !/^\s*[[{]/.test(text)) return [text];
  const parts = [];
  let from = 0;
  for (const {0: token, 1: key, 2: words, 3: number, index} of text.matchAll(/("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(-?[0-9][0-9.eE+-]*)|\b(?:true|false|null)\b/g)) {
    if (index > from) parts.push(text.slice(from, index));
    parts.push(make('span', {class: key ? 'json-key' : words ? 'json-text' : number ? 'json-number' : 'json-word'}, token));
    from = index + token.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function text_body(text, label) {
  const holder = make('div', {});
  const show = (length) => {
    const left = text.length - length;
    holder.replaceChildren(block(text.slice(0, length), label));
    if (left > 0) {
      holder.append(make('p', {class: 'actions'}, button(`Show more (${size_text(left)} left)`, () => show(length + 10 * FIRST_CHARACTERS))));
    }
  };
  show(FIRST_CHARACTERS);
  return holder;
}

function binary_body(message, label) {
  const holder = make('div', {}, button('Show the start', () => {
    holder.replaceChildren(block(dump(bytes_of(message.body_base64, FIRST_BYTES)), label));
  }));
  return holder;
}

// The body of a message of the journal, with what is known of it.
function body_view(message, label) {
  if (message.body_bytes === 0) return make('p', {class: 'soft'}, 'No body');
  const is_text = message.body !== undefined;
  const type = field_of(message, 'content-type');
  const size = [is_text ? '' : 'Binary, ', size_text(message.body_bytes), type ? `, ${type}` : ''].join('');
  const cut = message.body_is_cut ? '; the journal has only the start' : '';
  return make('div', {},
    make('p', {class: 'soft'}, size + cut),
    is_text ? text_body(readable(message.body), label) : binary_body(message, label));
}
