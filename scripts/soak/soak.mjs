// Runs correct and hostile clients against one server and makes it reload every 3 seconds. Ends with 1 if a
// correct request was lost, if a reload failed, or if connections or memory are still in use 30 seconds
// after the clients are gone. "service" is for a server in front of slow_service.mjs; so is "tight", with
// small limits: there a 503 or a closed connection does not count as lost while the hostile clients run.
//   node soak.mjs URL SECONDS PID [normal|service|tight]
import http from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';

import {exchange, learn, send_correct_requests} from './correct.mjs';
import {attack} from './hostile.mjs';

const [base, seconds, pid, mode] = process.argv.slice(2);
const is_tight = mode === 'tight';
const until = Date.now() + Number(seconds) * 1000;
const tally = {sent: 0, lost: 0, rejected: 0, slowest_ms: 0};
const attacks = {};
const reload_ms = 3_000;
const rest_ms = 30_000;
const longest = is_tight ? 9_000_000 : 100_000;

const agent = new http.Agent();  // each connection is for one request
const health = async () => JSON.parse((await exchange(agent, base, {path: '/_mock/health'})).body);

// Waits until no connection is open except the one of this request, and no memory for bodies is in use.
async function at_rest() {
  const deadline = Date.now() + rest_ms;
  for (;;) {
    const state = await health().catch((error) => ({error}));
    const held = state.transport?.connections;
    if (held !== undefined && held.body_memory_bytes === 0 && held.open <= 1) {
      return state;
    }
    if (Date.now() > deadline) {
      console.log(`still in use: ${held ? JSON.stringify(held) : state.error}`);
      process.exit(1);
    }
    await pause(100);
  }
}

const is_in_front = mode === 'service' || is_tight;
if (is_in_front) {  // of a request that says nothing else, the mock itself responds
  const own = {method: 'PUT', path: '/_mock/upstream', body: '{"mode": "mock"}'};
  await exchange(agent, base, own);
}
const known = await learn(base);
const reloads = setInterval(() => process.kill(Number(pid), 'SIGHUP'), reload_ms);
await Promise.all([
  ...Array.from({length: is_tight ? 4 : 16}, () => send_correct_requests(base, known, until, tally, is_tight)),
  attack('send_invalid', 32, base, until, attacks),
  attack('leave', 48, base, until, attacks, longest),
  attack('drip', is_tight ? 10 : 200, base, until, attacks),
  attack('ignore_responses', is_tight ? 4 : 20, base, until, attacks),
  attack('idle', is_tight ? 10 : 500, base, until, attacks),
  attack('wait_for_requests', is_tight ? 4 : 32, base, until, attacks),
  attack('match_slowly', 2, base, until, attacks),
  attack('use_service', is_in_front ? 48 : 0, base, until, attacks),
]);
clearInterval(reloads);
const {reload, transport} = await at_rest();
// The responses are the same as before.
const after = await learn(base);
const changed = known.filter((print, at) => print !== after[at]).length;
console.log(`correct clients: ${tally.sent} requests, ${tally.lost} lost, ${tally.rejected} rejected, ` +
            `slowest response ${tally.slowest_ms.toFixed(0)} ms; hostile clients: ${JSON.stringify(attacks)}`);
console.log(`reloads: ${reload.done} done, ${reload.rejected} rejected; ` +
            `connections: ${JSON.stringify(transport.connections)}`);
process.exit(tally.lost === 0 && tally.sent > 0 && changed === 0 && reload.rejected === 0 ? 0 : 1);
