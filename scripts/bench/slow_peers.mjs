// Measures fast requests through a mock, alone and beside requests for a slow resource of the service.
// Prints both medians in ms.
//   node slow_peers.mjs URL SLOW FAST
import {once} from 'node:events';
import http from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';

const [base, slow, fast] = process.argv.slice(2);
const agent = new http.Agent({maxSockets: Infinity});  // each request has a connection of its own

const get = (path) => new Promise((resolve, reject) => {
  http.get(new URL(path, base), {agent}, resolve).once('error', reject);
});
const whole = async (path) => {
  const response = await get(path);
  response.resume();
  await once(response, 'end');
};

// One begins every 10 ms, whether the one before has ended or not.
async function median(path) {
  const times = await Promise.all(Array.from({length: Number(fast)}, async (_, at) => {
    await pause(10 * at);
    const began = performance.now();
    await whole(path);
    return performance.now() - began;
  }));
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
}

await median('/_mock/health');  // warm
// First of all: no connection to the service is kept that could be used.
const slow_ones = Array.from({length: Number(slow)}, () => whole('/drip'));
await pause(500);  // until the service has them
const beside = await median('/fast');
await Promise.all(slow_ones);
const alone = await median('/fast');
console.log(alone.toFixed(2), beside.toFixed(2));
