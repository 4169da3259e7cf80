// The mock with one lie: customers come with an email that is a number, and a name that tries to
// be markup. Everything else passes through unchanged.
import http from 'node:http';

export function start_lying_server(honest) {
  const server = http.createServer((request, response) => {
    const {hostname, port} = new URL(honest);
    const onward = http.request(
      // A connection of its own each time: a kept one may just be closing.
      {hostname, port, path: request.url, method: request.method, headers: request.headers,
       agent: false},
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const body = lied(request, answer, Buffer.concat(chunks));
          const headers = {...answer.headers};
          if ('content-length' in headers) headers['content-length'] = body.length;
          response.writeHead(answer.statusCode, headers);
          response.end(body);
        });
      });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    }
  })));
}

function lied(request, answer, body) {
  if (!request.url.startsWith('/customers/') || answer.statusCode !== 200 || body.length === 0 ||
      'content-encoding' in answer.headers) {
    return body;
  }
  const customer = JSON.parse(body);
  return Buffer.from(JSON.stringify(
    {...customer, email: 4711, name: '</script><img src=x onerror="document.title=1">'}));
}
