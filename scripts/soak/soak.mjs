// Honest and hostile clients at one server for a while, which is told to reload now and then; ends
// with 1 if an honest request was lost or a reload refused.
//   node soak.mjs URL SECONDS PID
import {ask_honestly, learn} from './honest.mjs';
import {attack} from './hostile.mjs';

const [base, seconds, pid] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1000;
const tally = {asked: 0, lost: 0, slowest_ms: 0};
const struck = {};
const reload_ms = 3_000;

const known = await learn(base);
const reloads = setInterval(() => process.kill(Number(pid), 'SIGHUP'), reload_ms);
await Promise.all([
  ...Array.from({length: 16}, () => ask_honestly(base, known, until, tally)),
  attack('strike', 32, base, until, struck),
  attack('drip', 200, base, until, struck),
  attack('ignore_answers', 20, base, until, struck),
  attack('idle', 500, base, until, struck),
]);
clearInterval(reloads);
const health = await (await fetch(`${base}/_mock/health`)).json();
const {reload, transport} = health;
console.log(`honest: ${tally.asked} requests, ${tally.lost} lost, the slowest took ` +
            `${tally.slowest_ms.toFixed(0)} ms; hostile: ${JSON.stringify(struck)}`);
console.log(`reloads: ${reload.done} done, ${reload.refused} refused; ` +
            `front door: ${JSON.stringify(transport.connections)}`);
process.exit(tally.lost === 0 && tally.asked > 0 && reload.refused === 0 ? 0 : 1);
