// A service to put behind the mock: by the first word of the path it is fast, slow, or sends more than it
// seems. Prints its URL and ends with its standard input.
import http from 'node:http';
import zlib from 'node:zlib';
import {setTimeout as pause} from 'node:timers/promises';

const drip_bytes = 50;
const drip_ms = 200;
const long_part = Buffer.alloc(1_000_000, 'x');

const compressed = (text) => zlib.gzipSync(Buffer.from(text));
const blanks = compressed(' '.repeat(63_000_000));
const numbers = compressed(`[${'0,'.repeat(4_000_000)}0]`);

const send_compressed = (response, body) =>
    response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'}).end(body);

const kinds = {
  fast: (response) => response.writeHead(200, {'content-type': 'application/json'}).end('{}'),
  drip: async (response) => {
    response.writeHead(200, {'content-type': 'text/plain', 'content-length': drip_bytes});
    for (let sent = 0; sent < drip_bytes && !response.destroyed; sent += 1) {
      response.write('x');
      await pause(drip_ms);
    }
    response.end();
  },
  silent: () => {},
  long: (response) => {
    response.writeHead(200, {'content-type': 'text/plain', 'content-length': 20 * long_part.length});
    for (let sent = 0; sent < 20; sent += 1) {
      response.write(long_part);
    }
    response.end();
  },
  blanks: (response) => send_compressed(response, blanks),
  numbers: (response) => send_compressed(response, numbers),
};

const server = http.createServer((request, response) => {
  response.on('error', () => {});
  request.resume();
  const kind = kinds[request.url.split(/[/?]/)[1]];
  kind ? kind(response) : response.writeHead(404).end();
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.resume().once('end', () => process.exit(0));
