// The mock with one fault: the email of customers is a number, and their name contains
// markup and turns the direction of text. Everything else passes through unchanged.
import http from 'node:http';

export function start_faulty_server(mock_url) {
  const server = http.createServer((request, response) => {
    const {hostname, port} = new URL(mock_url);
    const onward = http.request(
      // A new connection each time: an idle one may just be closing.
      {hostname, port, path: request.url, method: request.method, headers: request.headers,
       agent: false},
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const body = with_fault(request, answer, Buffer.concat(chunks));
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

function with_fault(request, answer, body) {
  if (!request.url.startsWith('/customers/') || answer.statusCode !== 200 || body.length === 0 ||
      'content-encoding' in answer.headers) {
    return body;
  }
  const customer = JSON.parse(body);
  return Buffer.from(JSON.stringify(
    {...customer, email: 4711, name: '</script><img src=x onerror="document.title=1">\u202e\u009b'}));
}
