// A description as the walk sees it: collections by path alone, and requests for their operations.
import {Samples} from './samples.mjs';

const kMethods = ['get', 'put', 'post', 'delete', 'patch'];

export const plain = (name) => String(name).toLowerCase().replaceAll(/[^a-z0-9]/g, '');
export const singular = (name) => name.replace(/ies$/, 'y').replace(/(ss|sh|ch|x)es$/, '$1').replace(/([^s])s$/, '$1');

const json_of = (contents = {}) => Object.entries(contents).find(([type]) => /json|\*\/\*/.test(type) && !/patch/.test(type));

export class Description {
  constructor(document) {
    this.document = document;
    this.samples = new Samples(document);
    this.operations = new Map();
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      const whole = this.samples.resolve(item);
      for (const method of kMethods) {
        if (whole[method]) this.operations.set(`${method} ${path}`, this.operation(path, method, whole));
      }
    }
  }

  operation(path, method, item) {
    const own = item[method];
    const parameters = new Map();
    for (const one of [...(item.parameters ?? []), ...(own.parameters ?? [])]) {
      const parameter = this.samples.resolve(one);
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    const success = Object.entries(own.responses ?? {}).filter(([status]) => /^2|default/.test(status)).sort()[0];
    const response = json_of(this.samples.resolve(success?.[1] ?? {}).content)?.[1].schema;
    const contents = this.samples.resolve(own.requestBody ?? {}).content ?? {};
    const [type, content] = json_of(contents) ?? Object.entries(contents)[0] ?? [];
    const shows_address = Object.keys(this.samples.resolve(success?.[1] ?? {}).headers ?? {}).some((name) => /location/i.test(name));
    return {path, method, type, body: content?.schema, response, shows_address, security: own.security ?? this.document.security ?? [],
            parameters: [...parameters.values()], is_successful: success !== undefined};
  }

  at(method, path) {
    return path ? this.operations.get(`${method} ${path}`) : undefined;
  }

  // Those that can be walked: something is created, and what was created can be asked for.
  collections() {
    const found = [];
    const paths = [...new Set([...this.operations.values()].map((one) => one.path))];
    for (const path of paths) {
      const item = paths.find((one) => {
        const stem = path.replace(/(\.json|\/)$/, '');
        return one.startsWith(`${stem}/`) && /^\{[^{}]+\}(\.json|\/)?$/.test(one.slice(stem.length + 1));
      });
      const one = {path, item, name: path.replace(/\.json$/, '').split('/').filter(Boolean).pop() ?? '', create: this.at('post', path),
                   list: this.at('get', path), read: this.at('get', item), remove: this.at('delete', item),
                   change: this.at('put', item) ?? this.at('patch', item) ?? this.at('post', item)};
      const is_made = one.create?.body && one.create.is_successful && !path.endsWith('}');
      const is_seen = item ? one.read?.response || (one.list?.response && (one.remove || one.change)) : this.lists_alike(one);
      if (is_made && is_seen) found.push(one);
    }
    return found;
  }

  // The properties of elements of the arrays in a response that are scalar, or say nothing of their elements, and of
  // those that have some of the names that were sent, or a member that may be a key.
  elements_of(schema, sent, depth = 0) {
    const whole = this.samples.whole(schema ?? {});
    if (whole.items) {
      const own = this.samples.properties(whole.items);
      const inner = Object.values(own).length === 1 ? this.samples.properties(Object.values(own)[0]) : {};
      const names = [...Object.keys(own), ...Object.keys(inner)];
      const is_shown = names.some((name) => Object.hasOwn(sent ?? {}, name) || /(id|key|name|number|code|slug)$/i.test(name));
      return is_shown || names.length === 0 ? [own] : [];
    }
    return depth > 2 ? [] : Object.values(whole.properties ?? {}).flatMap((one) => this.elements_of(one, sent, depth + 1));
  }

  // The names of members that a value of the schema may have, and of those in it.
  member_names(schema, depth = 0) {
    const own = this.samples.resolve(schema);
    const whole = own.additionalProperties === false ? own : this.samples.whole(schema ?? {});  // what allOf adds is forbidden
    if (depth > 3) return [];
    if (whole.items) return this.member_names(whole.items, depth + 1);
    return Object.entries(whole.properties ?? {}).flatMap(([name, inner]) => [name, ...this.member_names(inner, depth + 1)]);
  }

  // True if the elements of the list have at least half of the members that the creation sends.
  lists_alike({create, list}) {
    if (!create?.body || !list?.response) return false;
    const sent = this.samples.properties(create.body);
    const names = Object.keys(sent);
    return names.length > 0 && this.elements_of(list.response, sent).some((own) => names.filter((name) => own[name]).length * 2 >= names.length);
  }

  // The schema of the member under `tokens`; undefined where nothing is said.
  schema_at(schema, tokens) {
    return tokens.reduce((at, token) => {
      const whole = at && this.samples.whole(at);
      return typeof token === 'number' ? whole?.items : whole?.properties?.[token];
    }, schema);
  }

  credentials(operation) {
    const sent = {headers: {}, query: []};
    for (const name of Object.keys(operation.security[0] ?? {})) {
      const scheme = this.samples.resolve(this.document.components?.securitySchemes?.[name] ?? {});
      if (scheme.type === 'apiKey' && scheme.in === 'query') sent.query.push([scheme.name, 'walk-key']);
      else if (scheme.type === 'apiKey' && scheme.in === 'cookie') sent.headers.Cookie = `${scheme.name}=walk-key`;
      else if (scheme.type === 'apiKey') sent.headers[scheme.name] = 'walk-key';
      else sent.headers.Authorization = scheme.scheme?.toLowerCase() === 'basic' ? 'Basic dTpw' : 'Bearer walk-token';
    }
    return sent;
  }
}
