// The contract as forms need it: parameters, bodies, and what a schema says of a value. Nothing is validated here:
// what is sent is judged by the mock.

const MAX_SHAPE_DEPTH = 6;
const METHODS_WITHOUT_BODY = ['GET', 'HEAD'];

const contract = {
  async load() {
    contract.loading ??= call('GET', '/_mock/spec').catch((problem) => {
      contract.loading = null;
      throw problem;
    });
    contract.document = await contract.loading;
    return contract.document;
  },

  forget() {
    contract.loading = null;
  },

  // What a reference leads to; references into other files lead nowhere.
  resolved(value) {
    for (let steps = 0; typeof value?.$ref === 'string' && steps < 20; ++steps) {
      const {$ref, ...beside} = value;
      if (!$ref.startsWith('#/')) return beside;
      const found = $ref.slice(2).split('/').map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce((at, part) => at?.[part], contract.document);
      value = found && typeof found === 'object' ? {...found, ...beside} : beside;
    }
    return value;
  },

  // {operation, parameters, body, security} of an operation as the contract writes it.
  operation({method, path}) {
    const item = contract.resolved(contract.document?.paths?.[path]) ?? {};
    const operation = item[method.toLowerCase()] ?? item.additionalOperations?.[method] ?? {};
    const parameters = new Map();
    for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(contract.resolved)) {
      if (parameter?.name) parameters.set(`${parameter.in}/${parameter.name}`, parameter);
    }
    return {operation, parameters: [...parameters.values()], body: contract.resolved(operation.requestBody), security: contract.schemes(operation)};
  },

  // The security schemes of the first way in that needs any: [{name, type, in, scheme}].
  schemes(operation) {
    const ways = operation.security ?? contract.document?.security ?? [];
    const names = Object.keys(ways.find((way) => Object.keys(way).length > 0) ?? {});
    return names.map((name) => contract.resolved(contract.document.components?.securitySchemes?.[name])).filter(Boolean);
  },

  // The tag of an operation with those above it: of several, the one that is for navigation. Since OpenAPI 3.2 tags
  // have a summary, a parent and a kind.
  tags({method, path}) {
    const item = contract.document?.paths?.[path];
    const tags = (item?.[method.toLowerCase()] ?? item?.additionalOperations?.[method])?.tags;
    if (!Array.isArray(tags) || !tags.length) return '';
    const described = String(contract.document.openapi).startsWith('3.2') && Array.isArray(contract.document.tags) ? contract.document.tags : [];
    const row_of = (name) => described.find((tag) => tag?.name === name);
    const names = new Map();
    let name = tags.find((one) => row_of(one)?.kind === 'nav') ?? tags[0];
    for (; name !== undefined && !names.has(name); name = row_of(name)?.parent) names.set(name, String(row_of(name)?.summary ?? name));
    return [...names.values()].reverse().join(' / ');
  }
};

// A schema in one piece: references followed, `allOf` merged, of alternatives the first that is not null.
function shape_of(schema, depth = 0) {
  const own = contract.resolved(schema);
  if (!own || typeof own !== 'object') return {};
  let shape = {...own};
  const add = (more) => {
    shape = {...more, ...shape, properties: more.properties || shape.properties ? {...more.properties, ...shape.properties} : undefined,
             required: [...new Set([...(more.required ?? []), ...(shape.required ?? [])])]};
  };
  if (depth > MAX_SHAPE_DEPTH) return shape;
  (own.allOf ?? []).forEach((part) => add(shape_of(part, depth + 1)));
  const alternatives = (own.oneOf ?? own.anyOf ?? []).map(contract.resolved);
  const real = alternatives.filter((one) => one?.type !== 'null');
  if (real.length && !shape.properties) add(shape_of(real[0], depth + 1));
  const types = [shape.type].flat().filter(Boolean);
  shape.is_nullable = shape.nullable === true || types.includes('null') || real.length < alternatives.length;
  shape.type = types.find((type) => type !== 'null') ?? (shape.properties ? 'object' : shape.items ? 'array' : undefined);
  return shape;
}

// In two parts: the page itself holds no address.
const EXAMPLE_URL = ['https:', '', 'example.test', ''].join('/');
const FORMAT_EXAMPLES = {
  'date-time': () => `${new Date().toISOString().slice(0, 19)}Z`, date: () => new Date().toISOString().slice(0, 10), time: () => '12:00:00Z',
  email: () => 'somebody@example.test', uuid: () => '3f1c1a52-9d3c-4c53-8f0e-2b8d1c6f7a10', uri: () => EXAMPLE_URL, url: () => EXAMPLE_URL,
  hostname: () => 'example.test', ipv4: () => '192.0.2.1', ipv6: () => '2001:db8::1', byte: () => 'AAAA', duration: () => 'PT1H'
};

// A value to begin with: the example of the contract, else one of the schema's type.
function example_of(schema, depth = 0) {
  const shape = shape_of(schema);
  const given = [shape.example, shape.examples?.[0], shape.const, shape.default, shape.enum?.find((one) => one !== null)].find((one) => one !== undefined);
  if (given !== undefined) return given;
  if (shape.type === 'object') return depth > MAX_SHAPE_DEPTH ? {} : object_example(shape, depth);
  if (shape.type === 'array') return depth > MAX_SHAPE_DEPTH || !shape.items ? [] : [example_of(shape.items, depth + 1)];
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(shape.minimum ?? 1, shape.exclusiveMinimum === undefined || shape.exclusiveMinimum === true ? 1 : shape.exclusiveMinimum + 1);
  if (shape.type === 'boolean') return true;
  if (shape.type === undefined) return depth === 0 ? {} : null;
  return (FORMAT_EXAMPLES[shape.format]?.() ?? 'text').padEnd(Math.min(shape.minLength ?? 0, 200), 'x').slice(0, shape.maxLength ?? 200);
}

// Members that the schema requires and, of the outermost object, the others too.
function object_example(shape, depth) {
  const names = Object.keys(shape.properties ?? {}).filter((name) => depth === 0 || (shape.required ?? []).includes(name));
  const shapes = names.map((name) => [name, shape.properties[name]]).filter(([, member]) => contract.resolved(member)?.readOnly !== true);
  return Object.fromEntries(shapes.map(([name, member]) => [name, example_of(member, depth + 1)]));
}

// [[name, value]] of the examples of a media type; one made from the schema where the contract has none.
function examples_of(media_type) {
  const named = Object.entries(media_type.examples ?? {}).map(([name, one]) => [name, contract.resolved(one)?.value ?? contract.resolved(one)?.dataValue]).filter(([, value]) => value !== undefined);
  if (media_type.example !== undefined) return [['example', media_type.example]];
  return named.length ? named : [['made from the schema', example_of(media_type.schema)]];
}

// The text of a parameter's values, by its style. Source: OpenAPI 3.1, Style Values.
const SEPARATORS = {spaceDelimited: ' ', pipeDelimited: '|'};

function parts_of(text) {
  if (/^\s*[[{]/.test(text) && is_json(text)) return JSON.parse(text);
  return text.split(',').map((one) => one.trim());
}

// [[name, value]] for the query; an array or object is given as JSON, or as values with commas between.
function query_pairs(parameter, text) {
  const {name, schema, content, style = 'form'} = parameter;
  const shape = shape_of(schema);
  const explode = parameter.explode ?? style === 'form';
  if (content || (shape.type !== 'array' && shape.type !== 'object')) return [[name, text]];
  const value = parts_of(text);
  const words = (one) => typeof one === 'object' ? JSON.stringify(one) : String(one);
  if (Array.isArray(value)) return explode && style === 'form' ? value.map((one) => [name, words(one)]) : [[name, value.map(words).join(SEPARATORS[style] ?? ',')]];
  if (style === 'deepObject') return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, words(one)]);
  return explode ? Object.entries(value).map(([key, one]) => [key, words(one)]) : [[name, Object.entries(value).flat().map(words).join(',')]];
}
