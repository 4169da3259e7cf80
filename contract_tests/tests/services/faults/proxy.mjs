// A proxy that makes one fault. A fault is a function of the request {method, target, body} and of
// `ask`, which asks the service, with some of these changed; it returns the response {status, headers, body}.
import http from 'node:http';

function forward(base, {method, target, headers, body}) {
  return new Promise((done, failed) => {
    const {hostname, port} = new URL(base);
    const request = http.request(
        {hostname, port, method, path: target, headers: {...headers, 'content-length': body.length}});
    request.on('error', failed);
    request.on('response', (response) => {
      const chunks = [];
      response.on('data', (bytes) => chunks.push(bytes));
      response.on('end', () => done(
          {status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks)}));
    });
    request.end(body);
  });
}

export class Proxy {
  constructor(base, fault) {
    this.server = http.createServer((request, response) => {
      const chunks = [];
      request.on('data', (bytes) => chunks.push(bytes));
      request.on('end', async () => {
        const {connection, 'transfer-encoding': chunked, ...headers} = request.headers;
        const call = {method: request.method, target: request.url, headers, body: Buffer.concat(chunks)};
        const got = await fault(call, (other) => forward(base, {...call, ...other}));
        const {'content-length': length, 'transfer-encoding': coding, connection: kept, ...kind} = got.headers;
        const bodiless = got.status === 204 || request.method === 'HEAD';
        response.writeHead(got.status, {...kind, ...(!bodiless && {'content-length': got.body.length})});
        response.end(bodiless ? undefined : got.body);
      });
    });
  }
}

// Listens on a free port; resolves to the URL.
export async function listen(server) {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}`;
}

export function close(server) {
  server.closeAllConnections?.();
  return new Promise((done) => server.close(done));
}
