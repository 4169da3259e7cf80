// Runs a program with the arguments, terminal, signals and exit code of this process.
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import os from 'node:os';

import {findProgram} from './program.js';

const UNUSABLE = 2;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

function fail(message) {
  console.error(`counterpart-mock: ${message}`);
  process.exit(UNUSABLE);
}

// True in the foreground of a terminal, which sends its signals (Ctrl-C) to the program, too.
function isInForeground() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}

function start(name) {
  try {
    return spawn(findProgram(undefined, process.env, name), process.argv.slice(2), {stdio: 'inherit'});
  } catch (error) {
    return fail(error.message);
  }
}

export function runCommand(name) {
  const child = start(name);
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (signal === 'SIGTERM' || !isInForeground()) child.kill(signal);
    });
  }
  child.once('error', (error) => fail(error.message));
  child.once('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
}
