// Values for requests, made from the schemas of a description. Small, and apart from the generator of `spec`: what is
// sent must not come from the program that is measured.

const kFormats = {
  'date-time': (n) => `2026-03-${String(10 + (n % 10))}T09:30:00Z`,
  date: (n) => `2026-03-${String(10 + (n % 10))}`,
  time: () => '09:30:00Z',
  email: (n) => `walker${n}@example.com`,
  uuid: (n) => `5f0c1b1e-8f5a-4c57-9d2b-${String(n).padStart(12, '0')}`,
  uri: (n) => `https://example.com/${n}`,
  url: (n) => `https://example.com/${n}`,
  hostname: (n) => `host${n}.example.com`,
  ipv4: (n) => `192.0.2.${1 + (n % 200)}`,
  ipv6: (n) => `2001:db8::${1 + (n % 200)}`,
  byte: () => 'd2Fsaw==',
  duration: () => 'P1D',
  password: (n) => `Secret-${n}x`
};

// A text of a simple pattern: characters, classes, groups, counts. The caller sees whether it fits.
export function text_of_pattern(pattern, n) {
  let at = 0;
  const class_member = (body) => {
    const range = /^(?:\\.|[^\\])-(?:\\.|[^\\])/.exec(body);
    if (body.startsWith('\\d')) return String(n % 10);
    if (body.startsWith('\\w')) return 'w';
    if (body.startsWith('\\s')) return ' ';
    if (body.startsWith('^')) return 'x';
    return range ? body[0] : body[0] === '\\' ? body[1] : body[0];
  };
  const atom = () => {
    const c = pattern[at++];
    if (c === '[') {
      const start = at;
      while (at < pattern.length && (pattern[at] !== ']' || at === start)) at += pattern[at] === '\\' ? 2 : 1;
      return class_member(pattern.slice(start, at++));
    }
    if (c === '(') {
      const skip = /^\?(?::|<[^=!>]*>)/.exec(pattern.slice(at));
      at += skip ? skip[0].length : 0;
      const text = alternatives();
      at += 1;
      return text;
    }
    if (c === '\\') {
      const escaped = pattern[at++];
      return {d: String(n % 10), w: 'w', s: ' '}[escaped] ?? escaped;
    }
    return c === '^' || c === '$' ? '' : c === '.' ? 'x' : c;
  };
  const sequence = () => {
    let text = '';
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const one = atom();
      const count = /^(?:\{(\d+)(?:,(\d*))?\}|[*+?])\??/.exec(pattern.slice(at));
      at += count ? count[0].length : 0;
      const times = !count ? 1 : count[1] !== undefined ? Math.min(Math.max(Number(count[1]), count[2] === '' ? 1 : 0), 200)
                                                        : count[0][0] === '+' ? 3 : 0;
      text += one.repeat(times);
    }
    return text;
  };
  const alternatives = () => {
    const first = sequence();
    while (pattern[at] === '|') {
      at += 1;
      sequence();
    }
    return first;
  };
  return alternatives();
}

export class Samples {
  constructor(document) {
    this.document = document;
  }

  resolve(node) {
    for (let i = 0; i < 20 && node && typeof node === 'object' && typeof node.$ref === 'string'; i += 1) {
      if (!node.$ref.startsWith('#')) return {};
      node = node.$ref.slice(1).split('/').filter((token, at) => at > 0 || token)
        .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce((value, token) => value?.[token], this.document);
    }
    return node ?? {};
  }

  // The schema with what its allOf, and the first of its alternatives, add.
  whole(schema, depth = 0) {
    const own = this.resolve(schema);
    if (typeof own !== 'object' || depth > 8) return {};
    const choice = (own.oneOf ?? own.anyOf ?? []).find((one) => this.resolve(one).type !== 'null');
    const parts = [...(own.allOf ?? []), ...(choice ? [choice] : [])];
    return parts.reduce((whole, part) => {
      const added = this.whole(part, depth + 1);
      return {...added, ...whole, required: [...(whole.required ?? []), ...(added.required ?? [])],
              properties: {...added.properties, ...whole.properties}};
    }, {...own});
  }

  properties(schema) {
    return this.whole(schema).properties ?? {};
  }

  type_of(schema) {
    const types = [schema.type].flat().filter((type) => type && type !== 'null');
    if (types.length > 0) return types[0];
    return Object.keys(schema.properties ?? {}).length > 0 || schema.additionalProperties ? 'object'
                                                         : schema.items ? 'array' : 'string';
  }

  text(schema, name, n) {
    const min = schema.minLength ?? 0;
    const max = schema.maxLength ?? Infinity;
    let text = kFormats[schema.format]?.(n) ?? `${name} ${n}`;
    if (schema.pattern) text = text_of_pattern(schema.pattern, n);
    else if (!kFormats[schema.format]) text = text.padEnd(min, 'x').slice(-max);
    return text;
  }

  number(schema, n) {
    const step = schema.multipleOf ?? 1;
    const low = schema.minimum ?? (typeof schema.exclusiveMinimum === 'number' ? schema.exclusiveMinimum + step : 1);
    const high = schema.maximum ?? (typeof schema.exclusiveMaximum === 'number' ? schema.exclusiveMaximum - step : Infinity);
    const start = schema.exclusiveMinimum === true ? low + step : low;
    const value = Math.ceil(start / step) * step + (n % 50) * step;
    return value <= high ? value : Math.floor(high / step) * step;
  }

  // A value that a request can send: what is required, and the scalars that are not. `without`: names that are left
  // out at the top.
  of(schema, {name = 'value', n = 1, depth = 0, without = new Set()} = {}) {
    const whole = this.whole(schema);
    if (whole.const !== undefined) return whole.const;
    if (Array.isArray(whole.enum)) {
      const values = whole.enum.filter((value) => value !== null && value !== '');
      return (values.length > 0 ? values : whole.enum)[(n - 1) % Math.max(values.length, 1)];
    }
    const type = this.type_of(whole);
    const example = whole.example ?? whole.examples?.[0];
    const is_given = example !== undefined && example !== null && typeof example !== 'object' && type !== 'boolean';
    if (is_given && (type === 'string') === (typeof example === 'string') && (whole.pattern || whole.format)) {
      return example;
    }
    if (type === 'object') return this.object(whole, {n, depth, without});
    if (type === 'array') {
      const count = Math.min(Math.max(whole.minItems ?? 0, depth > 2 ? 0 : 1), whole.maxItems ?? 1);
      const inner = depth === 0 ? 0 : depth + 1;  // a body that is a list of records
      return Array.from({length: count}, (_, i) => this.of(whole.items ?? {}, {name, n: n + i, depth: inner}));
    }
    if (type === 'boolean') return n % 2 === 1 && name !== 'stream';  // JSON is read
    if (type === 'integer' || type === 'number') return this.number(whole, n);
    return this.text(whole, name, n);
  }

  object(whole, {n, depth, without}) {
    const made = {};
    const required = new Set(whole.required ?? []);
    if (depth > 6) return made;
    const is_scalar = (schema) => !['object', 'array'].includes(this.type_of(schema));
    const is_envelope = depth === 0 && !Object.values(whole.properties ?? {}).some((one) => is_scalar(this.whole(one)));
    for (const [name, schema] of Object.entries(whole.properties ?? {})) {
      const inner = this.whole(schema);
      const is_wanted = required.has(name) || is_envelope ||
          (depth <= (whole.is_inside ? 1 : 0) && is_scalar(inner) && !inner.deprecated && !inner.nullable);
      if (is_wanted && !inner.readOnly && !(without.has(name) && !required.has(name))) {
        made[name] = this.of(is_envelope ? {...inner, is_inside: true} : schema, {name, n, depth: depth + 1});
      }
    }
    return made;
  }
}
