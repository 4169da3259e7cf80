// Walks the collections that a mock infers from any OpenAPI document (JSON): what is created is
// read, listed, changed and deleted again. One line for each document, the reasons with --why.
// With --state sqlite:FILE each document has a file of its own, FILE.NAME.
//   node scripts/walk_state.mjs [--mock PROGRAM] [--state PLACE] [--why] FILE...
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

const { values: flags, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { mock: { type: "string", default: "build/release/mock_server/mock_server" }, state: { type: "string" }, why: { type: "boolean" } },
});
const maxDepth = 6;
const maxCollections = 150;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const plain = (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]).sort()) : Array.isArray(value) ? value.map(plain) : value);
const same = (a, b) => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

function resolve(root, node) {
  for (let hops = 0; node?.$ref && hops < 20; ++hops) {
    node = node.$ref.slice(2).split("/").reduce((at, token) => at?.[decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")], root);
  }
  return node ?? {};
}

const texts = { "date-time": "2024-05-06T07:08:09Z", date: "2024-05-06", uuid: "6f0e7e0c-8c7d-4b0e-9a55-0c1f2f6a4b11", email: "ada@example.com", uri: "https://example.com/a", ipv4: "192.0.2.1", ipv6: "2001:db8::1", hostname: "example.com", byte: "YWJj" };

function numberOf(schema) {
  let value = schema.minimum ?? Math.min(1, schema.maximum ?? 1);
  if (schema.exclusiveMinimum === true || typeof schema.exclusiveMinimum === "number") {
    value = (typeof schema.exclusiveMinimum === "number" ? schema.exclusiveMinimum : value) + 1;
  }
  return schema.multipleOf ? Math.ceil(value / schema.multipleOf) * schema.multipleOf : value;
}

function merged(root, schema) {
  const whole = { ...schema, properties: { ...schema.properties }, required: [...(schema.required ?? [])] };
  for (const part of schema.allOf ?? []) {
    const own = merged(root, resolve(root, part));
    Object.assign(whole, { ...own, ...schema, properties: { ...whole.properties, ...own.properties }, required: [...whole.required, ...own.required] });
  }
  return whole;
}

// A small valid value of most schemas: required members and scalar ones; undefined if unknown.
function valueOf(root, given, depth = 0) {
  const schema = merged(root, resolve(root, given));
  const alternative = (schema.oneOf ?? schema.anyOf)?.[0];
  if (schema.example !== undefined && !isObject(schema.example)) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const type = [schema.type].flat().find((one) => one !== "null");
  const isRecord = type === "object" || Object.keys(schema.properties).length > 0;
  if (alternative && !isRecord) return depth < maxDepth ? valueOf(root, alternative, depth + 1) : undefined;
  if (isRecord) {
    const chosen = alternative && depth < maxDepth ? (valueOf(root, alternative, depth + 1) ?? {}) : {};
    const value = isObject(chosen) ? chosen : {};
    for (const [name, inner] of Object.entries(schema.properties)) {
      const own = resolve(root, inner);
      const isScalar = !own.properties && !own.allOf && !own.items && !own.oneOf && !own.anyOf && own.type !== "object" && !own.pattern;
      const isNeeded = schema.required.includes(name);
      if (own.readOnly || !(isNeeded || (isScalar && depth === 0 && !/(^|_)id$/i.test(name)))) continue;
      if (depth < maxDepth) value[name] = valueOf(root, inner, depth + 1);
    }
    return value;
  }
  if (type === "array") return schema.minItems ? [valueOf(root, schema.items ?? {}, depth + 1)] : [];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return numberOf(schema);
  const text = texts[schema.format] ?? "text";
  return text.padEnd(schema.minLength ?? 0, "x").slice(0, schema.maxLength ?? 1000);
}

function form(value) {
  const fields = new URLSearchParams();
  for (const [name, one] of Object.entries(value)) {
    if (isObject(one)) Object.entries(one).forEach(([key, inner]) => fields.append(`${name}[${key}]`, inner));
    else if (!Array.isArray(one)) fields.append(name, one);
  }
  return fields.toString();
}

// The request body, its type, and what of it a record should show.
function bodyOf(root, operation) {
  const contents = resolve(root, operation.requestBody).content ?? {};
  const type = Object.keys(contents).find((one) => /json/.test(one) && !/json-patch/.test(one)) ?? Object.keys(contents).find((one) => /urlencoded/.test(one));
  if (!type) return {};
  const sent = valueOf(root, contents[type].schema ?? {});
  return { type, sent, bytes: /json/.test(type) ? JSON.stringify(sent) : form(sent ?? {}) };
}

const at = (value, pointer) => pointer.split("/").slice(1).reduce((inner, token) => inner?.[token.replaceAll("~1", "/").replaceAll("~0", "~")], value);
const bindingText = (played, name) => new RegExp(`${name}: "?([^,}"]*)`).exec(played.binding.split("operations:\n")[1] ?? "")?.[1] ?? "";

class Api {
  constructor(root, address, operations) {
    Object.assign(this, { root, address, byPlace: new Map(operations.map((one) => [`${one.method} ${one.path}`, one])) });
  }

  contractOf(operation) {
    const item = resolve(this.root, this.root.paths[operation.path]);
    const own = item[operation.method.toLowerCase()];
    return { ...own, parameters: [...(item.parameters ?? []), ...(own.parameters ?? [])].map((one) => resolve(this.root, one)) };
  }

  async call(operation, key) {
    const contract = this.contractOf(operation);
    const names = [...operation.path.matchAll(/{([^}]*)}/g)].map((found) => found[1]);
    const valueFor = (name) => contract.parameters.find((one) => one.in === "path" && one.name === name);
    let target = operation.path;
    names.forEach((name, index) => {
      const isKey = key !== undefined && index === names.length - 1;
      const value = isKey ? key : valueOf(this.root, valueFor(name)?.schema ?? { type: "string" });
      target = target.replace(`{${name}}`, encodeURIComponent(value));
    });
    const query = new URLSearchParams();
    const headers = {};
    for (const one of contract.parameters.filter((each) => each.required)) {
      const value = valueOf(this.root, one.schema ?? {});
      if (one.in === "query") query.append(one.name, Array.isArray(value) ? value.join() : value);
      if (one.in === "header") headers[one.name] = String(value);
    }
    const body = bodyOf(this.root, contract);
    if (body.type) headers["content-type"] = body.type;
    const response = await fetch(`${this.address}${target}${query.size ? `?${query}` : ""}`, { method: operation.method, headers, body: operation.method === "GET" ? undefined : body.bytes, redirect: "manual", signal: AbortSignal.timeout(20000) });
    const text = await response.text();
    let value;
    try { value = JSON.parse(text); } catch { value = undefined; }
    return { status: response.status, value, sent: body.sent, warning: response.headers.get("x-counterpart-warning") ?? "", text };
  }
}

const isGood = (answer) => answer.status >= 200 && answer.status < 300;

// The steps of one collection, each "ok" or what went wrong.
async function walk(api, name, operations) {
  const of = (behaviour) => operations.find((one) => one.played.behaviour === behaviour);
  const [create, read, list, remove] = ["create", "read", "list", "delete"].map(of);
  const change = of("update") ?? of("replace");
  const steps = {};
  if (!create) return steps;
  const made = await api.call(create);
  const idAt = new RegExp(` ${name}: {id: ([^,}]*)`).exec(create.played.binding)?.[1]?.replace(/"/g, "") ?? "/id";
  const record = at(made.value, bindingText(create.played, "into"));
  const key = at(record, idAt);
  const isKept = isGood(made) && !/example|cannot be shown/.test(made.warning) && key !== undefined && typeof key !== "object";
  steps.create = isKept ? "ok" : `${made.status} ${made.warning || made.text.slice(0, 200)}`;
  if (!isKept) return steps;
  if (read) {
    const answer = await api.call(read, key);
    const shown = at(answer.value, bindingText(read.played, "into"));
    const lost = Object.entries(record).filter(([member, value]) => isObject(shown) && member in shown && !same(shown[member], value));
    steps.read = !isGood(answer) ? `${answer.status} ${answer.text.slice(0, 200)}` : !isObject(shown) || !same(at(shown, idAt) ?? key, key) ? "another record" : lost.length ? `differs in ${lost[0][0]}` : "ok";
  }
  if (list) {
    const answer = await api.call(list);
    const listed = at(answer.value, bindingText(list.played, "into"));
    steps.list = isGood(answer) && Array.isArray(listed) && listed.some((one) => same(at(one, idAt), key)) ? "ok" : `${answer.status} not listed ${answer.warning}`;
  }
  if (change) {
    const answer = await api.call(change, key);
    steps.change = isGood(answer) && !/example|not stored|not replaced/.test(answer.warning) ? "ok" : `${answer.status} ${answer.warning || answer.text.slice(0, 200)}`;
  }
  if (remove) {
    const answer = await api.call(remove, key);
    const after = read && await api.call(read, key);
    steps.delete = !isGood(answer) && answer.status >= 400 ? `${answer.status} ${answer.text.slice(0, 200)}` : after && after.status !== 404 && after.status < 500 ? `${after.status} after deletion` : "ok";
  }
  return steps;
}

async function start(file) {
  const state = flags.state === undefined ? [] : ["--state", flags.state.startsWith("sqlite:") ? `${flags.state}.${basename(file)}` : flags.state];
  const mock = spawn(flags.mock, [...state, "--contract", file, "--no-default-fixtures", "--tolerate", "--port", "0", "--until-stdin-closes"], { stdio: ["pipe", "pipe", "pipe"] });
  let log = "";
  mock.stderr.on("data", (data) => { log = (log + data).slice(-2000); });
  const address = await new Promise((done) => {
    let text = "";
    mock.stdout.on("data", (data) => {
      text += data;
      const found = /listening on (\S+)/.exec(text);
      if (found) done(found[1]);
    });
    mock.on("exit", () => done(undefined));
    setTimeout(() => done(undefined), 60000).unref();
  });
  return { mock, address, log };
}

async function walkFile(file, folder) {
  const root = JSON.parse(readFileSync(file, "utf8"));
  delete root.security;
  for (const item of Object.values(root.paths ?? {})) {
    for (const operation of Object.values(item)) if (isObject(operation)) delete operation.security;
  }
  const open = join(folder, basename(file));
  writeFileSync(open, JSON.stringify(root));
  const { mock, address, log } = await start(open);
  if (!address) {
    mock.kill();
    return { file, problem: log.split("\n").filter(Boolean).at(-1) ?? "did not start" };
  }
  const operations = (await (await fetch(`${address}/_mock/operations`)).json()).operations;
  const api = new Api(root, address, operations);
  const collections = new Map();
  for (const one of operations.filter((each) => each.played?.by === "inference")) {
    collections.set(one.played.collection, [...(collections.get(one.played.collection) ?? []), one]);
  }
  const tally = {};
  const reasons = [];
  for (const [name, own] of [...collections].slice(0, maxCollections)) {
    let steps;
    await fetch(`${address}/_mock/reset`, { method: "POST" });
    try { steps = await walk(api, name, own); } catch (error) { steps = { walk: String(error) }; }
    for (const [step, outcome] of Object.entries(steps)) {
      tally[step] ??= [0, 0];
      ++tally[step][1];
      if (outcome === "ok") ++tally[step][0];
      else reasons.push(`${name} ${step}: ${outcome}`);
    }
  }
  mock.kill();
  const bound = operations.filter((one) => one.played?.by === "inference").length;
  return { file, operations: operations.length, bound, collections: collections.size, tally, reasons };
}

const folder = mkdtempSync(join(tmpdir(), "walk_state_"));
const sums = {};
for (const file of files) {
  let found;
  try { found = await walkFile(file, folder); } catch (error) { found = { file, problem: String(error) }; }
  if (found.problem) {
    console.log(`${basename(file)}: ${found.problem.slice(0, 300)}`);
    continue;
  }
  const steps = Object.entries(found.tally).map(([step, [good, all]]) => `${step} ${good}/${all}`);
  console.log(`${basename(file)}: ${found.operations} operations, ${found.bound} inferred, ${found.collections} collections: ${steps.join(", ")}`);
  if (flags.why) found.reasons.forEach((reason) => console.log(`  ${reason.replaceAll("\n", " ")}`));
  for (const [step, [good, all]] of Object.entries(found.tally)) sums[step] = [(sums[step]?.[0] ?? 0) + good, (sums[step]?.[1] ?? 0) + all];
}
console.log(`together: ${Object.entries(sums).map(([step, [good, all]]) => `${step} ${good}/${all}`).join(", ")}`);
rmSync(folder, { recursive: true });
