// Starts the mock on a free port and stops it again.
import {spawn} from 'node:child_process';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const program = process.env.COUNTERPART_MOCK_SERVER ||
                       path.join(root, 'build/release/mock_server/mock_server');

// Resolves to {url, errors, stop}; rejects with the output of the program when it ends before it listens.
export function start_mock(...args) {
  const child = spawn(program, ['--port', '0', ...args], {stdio: ['ignore', 'pipe', 'pipe']});
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  const ended = new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (status) => done(`ended with status ${status}`));
  });
  return new Promise((resolve, reject) => {
    createInterface({input: child.stdout}).on('line', (line) => {
      const match = /^listening on (http:\S+)$/.exec(line);
      if (match) {
        resolve({
          url: match[1],
          errors: () => said,
          async stop(signal = 'SIGTERM') {
            child.kill(signal);
            await ended;
          }
        });
      }
    });
    ended.then((how) => reject(new Error(`${program} ${how}\n${said}`)));
  });
}
