// Clicks through the HTML report of a run against a server with one fault.
import assert from 'node:assert/strict';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {chromium, withoutChromium as skip} from '../../../scripts/lib/chromium.mjs';
import {contract_tests, run, start_mock, temporary_folder} from '../../../scripts/lib/programs.mjs';
import {start_browser} from './browser.mjs';
import {start_faulty_server} from './faulty_server.mjs';

const token = 'dodo_test_a_token_that_must_not_be_shown';
let folder, browser, page;

async function validate(url, flags = []) {
  const args = ['--base-url', url, '--report', folder, '--gtest_filter=GET_customers*', ...flags];
  return (await run(contract_tests, args, {env: {DODO_PAYMENTS_API_KEY: token}})).code;
}

before(async () => {
  if (skip) return;
  folder = temporary_folder('report');
  const mock = await start_mock('--quiet');
  const faulty = await start_faulty_server(mock.url);
  assert.equal(await validate(faulty.url), 1);
  faulty.stop();
  await mock.stop();
  browser = await start_browser(chromium);
  page = browser.page;
  await page.open(pathToFileURL(path.join(folder, 'report.html')).href);
});

after(async () => {
  if (skip) return;
  const kept = process.env.COUNTERPART_SCREENSHOTS;
  if (kept) {
    await page.evaluate('scrollTo(0, 0)');
    writeFileSync(path.join(kept, 'dark.png'), await page.screenshot());
    await page.send('Emulation.setEmulatedMedia', {features: []});
    writeFileSync(path.join(kept, 'light.png'), await page.screenshot());
    for (const part of ['matrix', 'coverage', 'cases']) {
      await page.evaluate(`document.getElementById('${part}').scrollIntoView({behavior: 'instant'})`);
      writeFileSync(path.join(kept, `${part}.png`), await page.screenshot());
    }
  }
  await browser.stop();
  rmSync(folder, {recursive: true, force: true});
});

test('the verdict is at the top', {skip}, async () => {
  assert.match(await page.evaluate('document.querySelector("#verdict").textContent'), /failed/);
  assert.match(await page.evaluate('document.title'), /failed/);
});

test('the page begins with causes, by the names of their cases', {skip}, async () => {
  assert.equal(await page.evaluate('document.querySelector("main > section").id'), 'causes');
  const headings = await page.evaluate(
    '[...document.querySelectorAll("#causes h3")].map((heading) => heading.textContent)');
  assert.ok(headings.includes('a third of a token is rejected'), headings.join('; '));
  assert.ok(!headings.some((words) => /^must be (a rejection|401)/.test(words)), headings.join('; '));
  const link = '#causes a[href^="#finding-"]';
  await page.click(link);
  const card = await page.evaluate(`document.querySelector('${link}').hash`);
  await page.until(`document.querySelector('${card}').open`);
});

test('a finding opens by a click and marks the place in the response', {skip}, async () => {
  const card = await page.evaluate(`(() => {
    const cards = [...document.querySelectorAll('details.finding[data-severity=error]')];
    cards.forEach((card) => { card.open = false; });
    return cards.find((card) => card.textContent.includes('body/email'))?.id;
  })()`);
  assert.ok(card, 'there is a finding about the email');
  await page.click(`#${card} > summary`);
  await page.until(`document.querySelector('#${card}').open`);
  assert.match(await page.evaluate(`document.querySelector('#${card} mark').textContent`), /4711/);
  assert.doesNotMatch(await page.evaluate('document.body.innerText'), /[\u007f-\u009f\u202e]/);
  const words = await page.evaluate(`document.querySelector('#${card}').textContent`);
  for (const wanted of ['GET /customers/', 'Authorization: Bearer $TOKEN', 'HTTP/1.1 200', 'curl ',
                        'payments.openapi.yaml:']) {
    assert.ok(words.includes(wanted), wanted);
  }
});

test('severities are switched off and on', {skip}, async () => {
  const hidden = '[...document.querySelectorAll(".finding[data-severity=error]")].every((c) => c.hidden)';
  await page.click('#findings .bar button');
  await page.until(hidden);
  await page.click('#findings .bar button');
  await page.until(`!${hidden}`);
});

test('a cell of the matrix shows its cases', {skip}, async () => {
  const wanted = await page.evaluate(
    'document.querySelector("#matrix .cell.failed").getAttribute("aria-label")');
  await page.click('#matrix .cell.failed');
  await page.until('document.querySelector("#filter-clause").value !== ""');
  assert.ok(wanted.includes(await page.evaluate('document.querySelector("#filter-clause").value')));
  assert.match(await page.evaluate('document.querySelector("#cases-shown").textContent'),
               /^\d+ of \d+ cases$/);
});

test('cases are found by words and show what was sent', {skip}, async () => {
  await page.evaluate('show_cases({operation: "", clause: ""})');
  await page.click('#filter-words');
  await page.type('no case has these words');
  await page.until('document.querySelector("#cases-shown").textContent.startsWith("0 of")');
  await page.evaluate('show_cases({operation: "", clause: ""})');
  await page.click('.case[data-verdict=failed] > summary');
  await page.until('document.querySelector(".case[open] ol li")');
  assert.match(await page.evaluate('document.querySelector(".case[open]").textContent'), /curl /);
});

test('of many cases the first are shown, the failed ones before all', {skip}, async () => {
  const shown = 'document.querySelectorAll(".case:not([hidden])").length';
  await page.evaluate('show_cases({operation: "", clause: ""})');
  assert.equal(await page.evaluate(shown), 50);
  assert.equal(await page.evaluate('document.querySelector(".case").dataset.verdict'), 'failed');
  await page.click('#more-cases');
  await page.until(`${shown} > 50`);
  assert.equal(await page.evaluate('document.getElementById("more-cases").hidden'), true);
});

test('the page shows what was not covered', {skip}, async () => {
  const words = await page.evaluate('document.querySelector("#coverage").textContent');
  assert.match(words, /This run saw \d+ of the \d+ points/);
  assert.ok(words.length > 40, words);
});

test('light and dark differ, and text is readable in both', {skip}, async () => {
  const contrast = `(() => {
    const light = (color) => {
      const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => {
        const value = part / 255;
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = getComputedStyle(at).backgroundColor;
        if (!/, 0\\)$/.test(color)) return color;
      }
      return 'rgb(255, 255, 255)';
    };
    return [...document.querySelectorAll('p, .chip, .badge, .soft, .cell, mark, a, th, code')]
      .filter((element) => element.offsetParent && element.textContent.trim())
      .map((element) => {
        const [one, other] = [light(getComputedStyle(element).color), light(ground(element))];
        return {ratio: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05),
                what: element.className + ' ' + element.textContent.slice(0, 40)};
      }).filter(({ratio}) => ratio < 4.5);
  })()`;
  const ground = 'getComputedStyle(document.body).backgroundColor';
  const grounds = [];
  for (const value of ['light', 'dark']) {
    await page.send('Emulation.setEmulatedMedia',
                    {features: [{name: 'prefers-color-scheme', value}]});
    grounds.push(await page.evaluate(ground));
    assert.deepEqual(await page.evaluate(contrast), [], value);
  }
  assert.notEqual(grounds[0], grounds[1]);
});

test('every control has an accessible name', {skip}, async () => {
  const {nodes} = await page.send('Accessibility.getFullAXTree');
  const used = new Set(['button', 'link', 'combobox', 'searchbox', 'DisclosureTriangle', 'region']);
  const nameless = nodes.filter((node) => !node.ignored && used.has(node.role?.value) &&
                                          !node.name?.value?.trim());
  assert.deepEqual(nameless.map((node) => node.role.value), []);
  assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
  assert.equal(await page.evaluate('document.querySelectorAll("h1").length'), 1);
});

test('causes, then what was tested of each operation, then cases', {skip}, async () => {
  const sections = await page.evaluate('[...document.querySelectorAll("main > section")].map(({id}) => id).join(" ")');
  assert.match(sections, /^causes tested cases /);
  const text = await page.evaluate('document.getElementById("tested").textContent');
  assert.match(text, /GET \/customers\/\{customer_id\}.*read/);
});

test('nothing is fetched and there are no errors', {skip}, async () => {
  const fetched = page.events('Network.requestWillBeSent')
                      .map((event) => event.params.request.url)
                      .filter((url) => !url.startsWith('file:'));
  assert.deepEqual(fetched, []);
  assert.deepEqual(page.events('Runtime.exceptionThrown'), []);
  assert.deepEqual(page.events('Log.entryAdded').map((event) => event.params.entry.text), []);
  assert.equal(await page.evaluate('document.querySelectorAll("img").length'), 0);
});

test('the token is in no report', {skip}, () => {
  for (const name of ['run.json', 'junit.xml', 'report.html', 'summary.txt']) {
    const text = readFileSync(path.join(folder, name), 'utf8');
    assert.ok(!text.includes(token), name);
    assert.ok(!text.includes(token.slice(0, 24)), name);
  }
  assert.ok(readFileSync(path.join(folder, 'report.html'), 'utf8').includes('$TOKEN'));
});

test('known findings say so, with their entries', {skip}, async () => {
  const mock = await start_mock('--quiet');
  const faulty = await start_faulty_server(mock.url);
  const flags = ['--baseline', path.join(folder, 'baseline.yaml')];
  const write = ['--baseline-write', '--baseline-reason', 'mended <soon>', '--baseline-owner', 'the team'];
  assert.equal(await validate(faulty.url, [...flags, ...write]), 1);
  assert.equal(await validate(faulty.url, flags), 0);
  faulty.stop();
  await mock.stop();
  await page.send('Page.reload');
  await page.until('document.querySelector("#verdict").textContent.includes("passed")');

  const words = await page.evaluate('document.querySelector("#baseline").textContent');
  for (const wanted of ['baseline.yaml: 0 new, ', 'mended <soon>', 'the team', 'GET /customers/']) {
    assert.ok(words.includes(wanted), `${wanted}: ${words}`);
  }
  assert.equal(await page.evaluate('document.querySelectorAll(".case[data-verdict=failed]").length'), 0);
  const card = '.finding[data-severity=error]';
  assert.equal(await page.evaluate(`document.querySelector('${card} .chip.known').textContent`), 'known');
  await page.evaluate(`document.querySelectorAll('${card}').forEach((one) => { one.open = true; })`);
  await page.until(`document.querySelector('${card} .inside')?.textContent.includes('mended <soon>')`);
  assert.deepEqual(page.events('Runtime.exceptionThrown'), []);
});
