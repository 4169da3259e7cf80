// Honest and hostile clients at one server for a while, which is told to reload now and then; ends
// with 1 if an honest request was lost or a reload rejected, or if the server does not come to rest
// when the hostile clients are gone. "tight" is for a server whose limits also honest clients meet:
// while the hostile ones are there, a 503 or a connection closed is no loss.
//   node soak.mjs URL SECONDS PID [tight]
import http from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';

import {ask_honestly, exchange, learn} from './honest.mjs';
import {attack} from './hostile.mjs';

const [base, seconds, pid, mode] = process.argv.slice(2);
const is_tight = mode === 'tight';
const until = Date.now() + Number(seconds) * 1000;
const tally = {asked: 0, lost: 0, turned_away: 0, slowest_ms: 0};
const struck = {};
const reload_ms = 3_000;
const rest_ms = 30_000;
const longest = is_tight ? 9_000_000 : 100_000;

const agent = new http.Agent();  // each connection is for one request
const health = async () => JSON.parse((await exchange(agent, base, {path: '/_mock/health'})).body);

// What is still held once everybody has left: nothing, but for the connection that asks.
async function at_rest() {
  const deadline = Date.now() + rest_ms;
  for (;;) {
    const told = await health().catch((error) => ({error}));
    const held = told.transport?.connections;
    if (held !== undefined && held.body_memory_bytes === 0 && held.open <= 1) {
      return told;
    }
    if (Date.now() > deadline) {
      console.log(`not at rest: ${held ? JSON.stringify(held) : told.error}`);
      process.exit(1);
    }
    await pause(100);
  }
}

const known = await learn(base);
const reloads = setInterval(() => process.kill(Number(pid), 'SIGHUP'), reload_ms);
await Promise.all([
  ...Array.from({length: is_tight ? 4 : 16}, () => ask_honestly(base, known, until, tally, is_tight)),
  attack('strike', 32, base, until, struck),
  attack('leave', 48, base, until, struck, longest),
  attack('drip', is_tight ? 10 : 200, base, until, struck),
  attack('ignore_answers', is_tight ? 4 : 20, base, until, struck),
  attack('idle', is_tight ? 10 : 500, base, until, struck),
]);
clearInterval(reloads);
const {reload, transport} = await at_rest();
// What honest clients are answered now is what they were answered before.
const after = await learn(base);
const changed = known.filter((print, at) => print !== after[at]).length;
console.log(`honest: ${tally.asked} requests, ${tally.lost} lost, ${tally.turned_away} turned away, ` +
            `the slowest took ${tally.slowest_ms.toFixed(0)} ms; hostile: ${JSON.stringify(struck)}`);
console.log(`reloads: ${reload.done} done, ${reload.rejected} rejected; ` +
            `front door: ${JSON.stringify(transport.connections)}`);
process.exit(tally.lost === 0 && tally.asked > 0 && changed === 0 && reload.rejected === 0 ? 0 : 1);
