// Programs run by the lints: one, and as many at a time as there are cores; and what is known to be good.
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {availableParallelism, cpus, homedir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

// Runs the program to its end: {status, stdout, stderr}.
export function run(program, args, cwd = root) {
  return new Promise((done) => {
    execFile(program, args, {cwd, maxBuffer: 1 << 28}, (error, stdout, stderr) => {
      done({status: error ? error.code ?? 1 : 0, stdout, stderr});
    });
  });
}

// Calls `work` with each element of the queue, the last first, until it is empty.
export async function work_off(queue, work) {
  const worker = async () => {
    while (queue.length > 0) {
      await work(queue.pop());
    }
  };
  const parallel = availableParallelism ? availableParallelism() : cpus().length;
  await Promise.all(Array.from({length: parallel}, worker));
}

// The inputs that passed a check of this name, by a hash of all that the check reads; kept between runs.
export class Passed {
  constructor(name) {
    this.folder = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'counterpart', name);
    mkdirSync(this.folder, {recursive: true});
  }

  has(hash) {
    return existsSync(path.join(this.folder, hash));
  }

  add(hash) {
    writeFileSync(path.join(this.folder, hash), '');
  }
}
