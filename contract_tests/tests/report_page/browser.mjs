// Headless Chromium, driven over its own pipe (the DevTools protocol, messages ended by NUL): needs
// no package.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';

class Connection {
  constructor(child) {
    this.child = child;
    this.next = 1;
    this.waiting = new Map();
    this.events = [];
    this.left = '';
    child.stdio[3].on('error', () => {});  // it ended: every call is rejected
    child.stdio[4].setEncoding('utf8').on('data', (text) => this.#read(text));
    child.once('exit', () => this.waiting.forEach(({reject}) => reject(new Error('it ended'))));
  }

  #read(text) {
    const messages = (this.left + text).split('\0');
    this.left = messages.pop();
    for (const message of messages.map((one) => JSON.parse(one))) {
      const asked = this.waiting.get(message.id);
      if (!asked) {
        this.events.push(message);
      } else if (message.error) {
        asked.reject(new Error(`${asked.method}: ${message.error.message}`));
      } else {
        asked.resolve(message.result);
      }
      this.waiting.delete(message.id);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.child.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, {method, resolve, reject}));
  }
}

// A page, with the actions of a reader.
export class Page {
  constructor(connection, session) {
    this.connection = connection;
    this.session = session;
  }

  send(method, params) {
    return this.connection.send(method, params, this.session);
  }

  events(method) {
    return this.connection.events.filter((event) => event.method === method);
  }

  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send(
      'Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression);
    return result.value;
  }

  // Polls until the expression is true, for at most a minute; a page that is just closing
  // returns nothing.
  async until(expression) {
    let problem = '';
    for (let tries = 0; tries < 1200; ++tries) {
      try {
        if (await this.evaluate(`Boolean(${expression})`)) return;
      } catch (error) {
        problem = `, ${error.message}`;
      }
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`never true: ${expression}${problem}`);
  }

  async open(url) {
    await this.send('Page.enable');
    await this.send('Runtime.enable');
    await this.send('Network.enable');
    await this.send('Log.enable');
    await this.send('Page.navigate', {url});
    // The page that was there before is complete, too.
    await this.until(
      `location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
  }

  // A click of the mouse in the middle of the element, where a person would see it: once it is
  // still and nothing covers it.
  async click(selector) {
    const {x, y} = await this.evaluate(`(async () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      for (let tries = 0; tries < 1200; ++tries) {
        element.scrollIntoView({block: 'center', behavior: 'instant'});
        const before = element.getBoundingClientRect();
        await frame();
        await frame();
        const box = element.getBoundingClientRect();
        const place = {x: box.x + Math.min(box.width / 2, 300), y: box.y + box.height / 2};
        const still = before.x === box.x && before.y === box.y;
        if (still && element.contains(document.elementFromPoint(place.x, place.y))) return place;
      }
      throw new Error('never to be clicked: ' + ${JSON.stringify(selector)});
    })()`);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.send('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
    }
  }

  type(text) {
    return this.send('Input.insertText', {text});
  }

  async screenshot() {
    const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
    return Buffer.from(data, 'base64');
  }
}

// Its helpers may write for a moment yet; a folder that stays is no failure of the page.
function remove(folder) {
  try {
    rmSync(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50});
  } catch (error) {
    console.error(`${folder} stays: ${error.message}`);
  }
}

// Resolves to {page, stop}.
export async function start_browser(program) {
  const profile = mkdtempSync(path.join(tmpdir(), 'counterpart-browser-'));
  const child = spawn(program, [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
    '--disable-background-networking', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
    '--window-size=1280,900', 'about:blank'
  ], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    // What it writes beside its profile goes away with it.
    env: {...process.env, HOME: profile, TMPDIR: profile, XDG_RUNTIME_DIR: profile}
  });
  const connection = new Connection(child);
  const {targetId} = await connection.send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await connection.send('Target.attachToTarget', {targetId, flatten: true});
  return {
    page: new Page(connection, sessionId),
    async stop() {
      const ended = new Promise((done) => child.once('exit', done));
      connection.send('Browser.close').catch(() => {});  // rejected where it ends before it answers
      await ended;
      remove(profile);
    }
  };
}
