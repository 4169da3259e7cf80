// A mock server for the tests of a JavaScript project; index.d.ts describes everything.
import {randomBytes} from 'node:crypto';

import {Calls} from './lib/calls.js';
import {requireKnown} from './lib/options.js';
import {startProgram} from './lib/program.js';
import {Session} from './lib/session.js';

export {MockError} from './lib/calls.js';

class Mock {
  #calls;
  #end;

  constructor(calls, program) {
    this.url = calls.url;
    this.started = program !== undefined;
    this.#calls = calls;
    this.#end = async () => program?.end();
  }

  // The session of that name; without a name, a new one.
  session(name = `node-${randomBytes(6).toString('hex')}`) {
    if (!/^[\w.-]{1,64}$/.test(name))
      throw new TypeError(`session "${name}": a name has 1 to 64 letters, digits, "_", "." and "-"`);
    return new Session(this.#calls, name);
  }

  sessions() {
    return this.#calls.call('', 'GET', 'sessions').then(({sessions}) => sessions);
  }

  health() {
    return this.#calls.call('', 'GET', 'health');
  }

  // Ends the program, if it was started here.
  end() {
    return this.#end();
  }
}

// Starts a mock, or uses the one at `url`. It ends with `end`, else when this process ends.
export async function startMock(options = {}) {
  requireKnown(options);
  const token = options.token ?? process.env.COUNTERPART_CONTROL_TOKEN;
  const program = options.url ? undefined : await startProgram({...options, token});
  const calls = new Calls((options.url ?? program.url).replace(/\/+$/, ''), token, program?.whyEnded);
  const mock = new Mock(calls, program);
  try {
    await mock.health();
  } catch (error) {
    await mock.end();
    throw error;
  }
  return mock;
}
