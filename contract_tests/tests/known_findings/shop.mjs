// A small service that is correct but for the faults that a test plants.
import http from 'node:http';

const item_of = (id) => ({
  id, name: `Item ${id}`, price: 1250, currency: 'EUR', created_at: '2024-05-06T07:08:09Z', tags: ['new'], weight: 1.5,
});
const ids = ['it_1', 'it_2', 'it_3'];

// What is wrong with an item of the list, with one that is read, and with its stock.
const of_list = {
  list_price: (item) => { item.price = '12.50'; },
  list_currency: (item) => { item.currency = 'eur'; },
  list_created_at: (item) => { item.created_at = 'last May'; },
};
const of_item = {
  item_name: (item) => { item.name = null; },
  item_tags: (item) => { item.tags = [7]; },
  item_weight: (item) => { item.weight = -1; },
};
const of_stock = {
  stock_count: (stock) => { stock.count = -1; },
  stock_updated_at: (stock) => { delete stock.updated_at; },
  stock_shelf: (stock) => { stock.shelf = 'A-1000-B'; },
  stock_reserved: (stock) => { stock.reserved = 'two'; },
  stock_count_missing: (stock) => { delete stock.count; },
};

// The first twelve.
export const twelve = [
  ...Object.keys(of_list), 'list_total', ...Object.keys(of_item), 'stock_count', 'stock_updated_at', 'stock_shelf',
  'limit_too_large', 'limit_too_small',
];

export class Shop {
  constructor(faults = []) {
    this.faults = new Set(faults);
    this.asked = 0;
    this.server = http.createServer((request, response) => {
      const {status, body, headers = {}} = this.respond(request);
      const bytes = Buffer.from(JSON.stringify(body));
      response.writeHead(status, {'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers});
      response.end(request.method === 'HEAD' ? undefined : bytes);
    });
  }

  async start() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  spoil(value, faults) {
    for (const [name, change] of Object.entries(faults)) {
      if (this.faults.has(name)) change(value);
    }
    return value;
  }

  respond(request) {
    const {pathname, searchParams} = new URL(request.url, 'http://shop.example');
    const [collection, id] = pathname.split('/').slice(1).map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return '';
      }
    });
    if (!['items', 'stock'].includes(collection)) return this.error(404, 'there is no such path');
    if (!['GET', 'HEAD'].includes(request.method)) {
      return {...this.error(405, 'only GET and HEAD'), headers: {Allow: 'GET, HEAD'}};
    }
    if (collection === 'items' && id === undefined) return this.list(searchParams);
    // Now and then.
    if (this.faults.has('busy') && collection === 'stock' && ++this.asked % 2 === 0) {
      return {...this.error(429, 'later'), headers: {'Retry-After': '3600'}};
    }
    if (!ids.includes(id)) {
      const message = 'TypeError at Items.find (/srv/app/dist/items.js:10:15)';
      return this.error(404, this.faults.has('leak') ? message : 'there is no such item');
    }
    const body = collection === 'items'
        ? this.spoil(item_of(id), of_item)
        : this.spoil({count: 3, reserved: 1, updated_at: '2024-05-06T07:08:09Z', shelf: 'A-1'}, of_stock);
    return {status: 200, body};
  }

  list(query) {
    const limits = query.getAll('limit');
    const limit = limits.length === 0 ? 10 : Number(/^-?\d+$/.test(limits[0]) ? limits[0] : 'none');
    const min = this.faults.has('limit_too_small') ? -Infinity : 1;
    const max = this.faults.has('limit_too_large') ? 99 : 50;
    if (!(limit >= min && limit <= max)) return this.error(400, 'limit must be from 1 to 50');
    const items = ids.slice(0, Math.max(limit, 0)).map((id) => this.spoil(item_of(id), of_list));
    return {status: 200, body: this.faults.has('list_total') ? {items} : {items, total: ids.length}};
  }

  error(status, message) {
    return {status, body: {message}};
  }
}
