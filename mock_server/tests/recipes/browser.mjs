// The symptoms of each fault in Chromium, in the words of the table of RECIPES.md.
import {createRequire} from 'node:module';

const {chromium} = createRequire(new URL('../../clients/node/package.json', import.meta.url))('@playwright/test');

// In the page: one call with the fault, and the same one without.
async function call(fault) {
  const get = (query) => fetch(`/customers/cus_L9xVQ2zg4mZaouqKLiMcV${query}`,
                               {headers: {Authorization: 'Bearer dodo_test_me'}});
  const whole = await (await get('')).text();
  const start = performance.now();
  const result = {};
  try {
    const response = await get(`?__fault=${fault}`);
    result.status = response.status;
    const text = await response.text();
    result.part = text === whole ? 'all' : text === whole.slice(0, whole.length / 2) ? 'half' : text;
  } catch (error) {
    result.error = String(error);
  }
  return {...result, late: performance.now() - start > 250};
}

function in_words(fault, {status, part, error, late}, code) {
  if (error) {
    if (error !== 'TypeError: Failed to fetch') return error;
    return `${status ? `status ${status}, text()` : 'fetch'} fails: ${code}`;
  }
  const rest = part === 'half' ? ', no error' : fault === 'slow-body' && late ? ', late' : '';
  return `status ${status}, ${part} of the text${rest}`;
}

// [{name, browser}] for each fault, on the mock at this address.
export async function measured(executablePath, url, names) {
  const browser = await chromium.launch({executablePath});
  try {
    const page = await browser.newPage();
    let code;
    page.on('requestfailed', (request) => {
      code = request.failure().errorText;
    });
    await page.goto(`${url}/_mock/health`);
    const rows = [];
    for (const name of names) {
      code = undefined;
      const result = await page.evaluate(call, name);
      rows.push({name, browser: in_words(name, result, code)});
    }
    return rows;
  } finally {
    await browser.close();
  }
}
