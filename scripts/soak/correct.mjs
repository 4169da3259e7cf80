// Correct clients: they request existing and missing records, compare every response with the first one, and
// count each request that was lost or got another response. The server may close a connection between
// requests, as HTTP allows.
import {createHash} from 'node:crypto';
import http from 'node:http';

const authorization = 'Bearer dodo_test_soak';

// Sends one request; rejects if the connection breaks or there is no response within 10 seconds.
export function exchange(agent, base, {method = 'GET', path, body}) {
  return new Promise((resolve, reject) => {
    const headers = {authorization};
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(body);
    }
    const request = http.request(new URL(path, base), {agent, method, headers, timeout: 10_000});
    request.once('timeout', () => request.destroy(new Error('no response within 10 s')));
    request.once('error', reject);
    request.once('response', (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => resolve({status: response.statusCode, body: Buffer.concat(parts)}));
    });
    request.end(body);
  });
}

const requests = [
  {path: '/customers/cus_L9xVQ2zg4mZaouqKLiMcV'},
  {path: '/customers/cus_nobody'},
  {path: '/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=100&page_number=1'},
  {path: '/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu'},
  {method: 'POST', path: '/licenses/validate', body: '{"license_key": "PRO-4F7K-9QXM-2WTR-8HVD"}'},
  {method: 'PATCH', path: '/brands/brnd_F5ZR3qa7yEeeby3abP3E2', body: '{}'},
];

const print_of = ({status, body}) => `${status} ${createHash('sha256').update(body).digest('hex')}`;

// The expected response to each request: the response before the test starts.
export async function learn(base) {
  const agent = new http.Agent();
  const known = [];
  for (const request of requests) {
    known.push(print_of(await exchange(agent, base, request)));
  }
  return known;
}

// True if the server rejected the request for its limits, by a status or by closing the connection.
const is_rejected = (problem) => /^status (503|408) |ECONNRESET|EPIPE|socket hang up/.test(problem);

// Sends requests until `until` (a time in ms) and counts in `tally` {sent, lost, rejected, slowest_ms}; a
// rejected request counts as lost unless `is_tight`.
export async function send_correct_requests(base, known, until, tally, is_tight) {
  const agent = new http.Agent({keepAlive: true, maxSockets: 1});
  while (Date.now() < until) {
    const which = Math.floor(Math.random() * requests.length);
    const begin = performance.now();
    const problem = await exchange(agent, base, requests[which])
                          .then((response) => print_of(response) === known[which] ?
                                    undefined :
                                    `status ${response.status} ${response.body.subarray(0, 200)}`,
                                (error) => error.message);
    tally.sent += 1;
    tally.slowest_ms = Math.max(tally.slowest_ms, performance.now() - begin);
    if (problem !== undefined && is_tight && is_rejected(problem)) {
      tally.rejected += 1;
    } else if (problem !== undefined) {
      tally.lost += 1;
      console.log(`lost: ${requests[which].path}: ${problem}`);
    }
  }
  agent.destroy();
}
