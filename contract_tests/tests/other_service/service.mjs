// Another implementation of the payments service, written on node's own HTTP server from the contract: other data,
// one token, no control API, nothing of ours. Prints "listening on URL".
import http from 'node:http';

const TOKEN = 'sk_one_good_token';
const IMAGE = '5b0c9a34-7a2e-4d0e-9b1f-3f1f4a0c2d11';
const MAX_INT32 = 2 ** 31 - 1;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

const customers = {
  cus_north: {
    customer_id: 'cus_north', business_id: 'bus_north', name: 'Ragnhild Åse',
    email: 'ragnhild@fjord-supply.example', created_at: '2023-05-17T07:00:00Z', phone_number: null,
  },
};
const imageOf = (id) => id && `https://img.fjord.example/${id}`;
const brand = (brand_id, name, more = {}) => ({
  brand_id, business_id: 'bus_north', enabled: true, statement_descriptor: name.toUpperCase(),
  verification_enabled: true, verification_status: 'Success', name, support_email: null, ...more,
});
const brands = {
  brnd_one: brand('brnd_one', 'Fjord Supply', { image: imageOf(IMAGE) }),
  brnd_two: brand('brnd_two', 'Skerry'),
  bus_north: brand('bus_north', 'North'),
};
const licences = {
  'NORTH-1111': { valid: true, instances: ['lki_ship'] },
  'NORTH-2222': { valid: false, instances: [] },
};

const periods = Array.from({ length: 130 }, (_, day) => {
  const at = (days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString();
  const meter = (id, name, used, free, cents) => ({
    id, name, consumed_units: String(used), chargeable_units: String(Math.max(0, used - free)),
    free_threshold: free, price_per_unit: (cents / 100).toFixed(2),
    total_price: Math.max(0, used - free) * cents, currency: 'NOK',
  });
  const meters = [meter('mtr_fish', 'Crates of fish', 40 + day, 100, 250)];
  if (day % 3 !== 0) meters.push(meter('mtr_salt', 'Sacks of salt', day, 10, 75));
  return { start_date: at(day), end_date: at(day + 1), meters };
});

// A page with one line of text.
function pdf(text) {
  const stream = `BT /F1 14 Tf 60 760 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`, 'latin1');
}
const invoices = {
  pay_first: pdf('Invoice for pay_first: 3 crates, 750.00 NOK'),
  pay_second: pdf('Invoice for pay_second: 9 sacks, 675.00 NOK'),
};

class Rejected extends Error {
  constructor(status, code, message, headers = {}) {
    super(message);
    Object.assign(this, { status, code, headers });
  }
}

function found(records, key, what) {
  if (!Object.hasOwn(records, key)) throw new Rejected(404, 'NOT_FOUND', `There is no such ${what}`);
  return records[key];
}

function needToken(request) {
  const [scheme, token] = (request.headers.authorization ?? '').split(/ +(.*)/s);
  if (scheme.toLowerCase() !== 'bearer' || token !== TOKEN) {
    throw new Rejected(401, 'UNAUTHORIZED', 'A good bearer token is needed', { 'WWW-Authenticate': 'Bearer' });
  }
}

function queryOf(url) {
  const values = new Map();
  for (const [name, value] of url.searchParams) {
    if (values.has(name)) throw new Rejected(400, 'INVALID_QUERY_PARAMS', `${name} is given twice`);
    values.set(name, value);
  }
  const given = (name) => values.get(name) || undefined;  // empty is not given
  const whole = (name, max) => {
    const text = given(name);
    if (text === undefined) return undefined;
    if (!/^-?\d+$/.test(text) || Math.abs(Number(text)) > MAX_INT32) {
      throw new Rejected(400, 'INVALID_QUERY_PARAMS', `${name} must be an integer`);
    }
    if (Number(text) < 0 || Number(text) > max) {
      throw new Rejected(422, 'INVALID_REQUEST_PARAMETERS', `${name} must be from 0 to ${max}`);
    }
    return Number(text);
  };
  const instant = (name) => {
    const text = given(name);
    if (text === undefined) return undefined;
    // Date.parse moves the thirtieth of February on into March.
    const day = text.slice(0, 10);
    const midnight = new Date(`${day}T00:00:00Z`);
    const real = INSTANT.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
    if (!real || Number.isNaN(Date.parse(text.toUpperCase()))) {
      throw new Rejected(400, 'INVALID_QUERY_PARAMS', `${name} must be a date-time`);
    }
    return Date.parse(text.toUpperCase());
  };
  return { given, whole, instant };
}

function usage(url) {
  const query = queryOf(url);
  const [from, to] = [query.instant('start_date'), query.instant('end_date')];
  const size = query.whole('page_size', 100) ?? 10;
  const number = query.whole('page_number', MAX_INT32) ?? 0;
  const meter = query.given('meter_id');
  const items = periods
    .filter((each) => from === undefined || Date.parse(each.start_date) >= from)
    .filter((each) => to === undefined || Date.parse(each.end_date) <= to)
    .map((each) => (meter ? { ...each, meters: each.meters.filter(({ id }) => id === meter) } : each))
    .filter((each) => each.meters.length > 0);
  return { items: items.slice(size * number, size * (number + 1)) };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Rejected(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json');
  }
  const wrong = (message) => new Rejected(422, 'INVALID_REQUEST_BODY', message);
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw wrong('The body must be JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong('The body must be an object');
  return { value, wrong };
}

const isText = (value) => value === undefined || value === null || typeof value === 'string';

async function change(request, record) {
  const { value, wrong } = await bodyOf(request);
  const fields = ['name', 'statement_descriptor', 'support_email', 'image_id'];
  const bad = fields.find((field) => !isText(value[field])) ??
    (typeof value.image_id === 'string' && !UUID.test(value.image_id) ? 'image_id' : undefined) ??
    (value.statement_descriptor === null ? 'statement_descriptor' : undefined);
  if (bad) throw wrong(`${bad} has a value that it cannot have`);
  for (const field of ['name', 'statement_descriptor', 'support_email']) {
    if (value[field] !== undefined) record[field] = value[field];
  }
  if (value.image_id !== undefined) record.image = imageOf(value.image_id);
  return record;
}

async function validate(request) {
  const { value, wrong } = await bodyOf(request);
  if (typeof value.license_key !== 'string') throw wrong('license_key must be a string');
  if (!isText(value.license_key_instance_id)) throw wrong('license_key_instance_id must be a string');
  const licence = Object.hasOwn(licences, value.license_key) ? licences[value.license_key] : { valid: false, instances: [] };
  const instance = value.license_key_instance_id;
  return { valid: licence.valid && (instance == null || licence.instances.includes(instance)) };
}

const routes = [
  [/^\/invoices\/payments\/([^/]+)$/, 'GET', (_, [id]) => found(invoices, id, 'payment')],
  [/^\/customers\/([^/]+)$/, 'GET', (request, [id]) => (needToken(request), found(customers, id, 'customer'))],
  [/^\/subscriptions\/([^/]+)\/usage-history$/, 'GET', (request, [id], url) => {
    needToken(request);
    found({ sub_north: true }, id, 'subscription');
    return usage(url);
  }],
  [/^\/brands\/([^/]+)$/, 'PATCH', (request, [id]) => {
    needToken(request);
    const record = found(brands, id, 'brand');
    if (record.brand_id === record.business_id) {
      throw new Rejected(403, 'UNABLE_TO_EDIT_PRIMARY_BRAND', 'The primary brand cannot be edited');
    }
    return change(request, record);
  }],
  [/^\/licenses\/validate$/, 'POST', validate],
];

function decoded(segments) {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    throw new Rejected(400, 'BAD_REQUEST', 'The path must be percent-encoded UTF-8');
  }
}

async function handle(request) {
  const [path, query = ''] = request.url.split(/\?(.*)/s);
  const url = new URL(`http://service.example/?${query}`);
  for (const [pattern, method, action] of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    const asked = request.method === 'HEAD' ? 'GET' : request.method;
    if (asked !== method) {
      const allowed = method === 'GET' ? 'GET, HEAD' : method;
      throw new Rejected(405, 'METHOD_NOT_ALLOWED', `Only ${allowed} is allowed here`, { Allow: allowed });
    }
    return action(request, decoded(match.slice(1)), url);
  }
  throw new Rejected(404, 'NOT_FOUND', 'There is nothing here');
}

const server = http.createServer(async (request, response) => {
  let status = 200;
  let headers = {};
  let value;
  try {
    value = await handle(request);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    ({ status, headers } = error);
    value = { code: error.code, message: error.message };
  }
  const isFile = Buffer.isBuffer(value);
  const bytes = isFile ? value : Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...headers,
    'Content-Type': isFile ? 'application/pdf' : 'application/json',
    'Content-Length': bytes.length,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
