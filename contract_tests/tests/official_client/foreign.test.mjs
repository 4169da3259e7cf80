// The official client's calls with the values of its own generated tests, to a mock of a contract
// without fixtures and flags: no token is needed then.
import assert from 'node:assert/strict';
import {copyFileSync, mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import DodoPayments from 'dodopayments';

import {start_mock} from '../../../scripts/lib/programs.mjs';

const payments = fileURLToPath(new URL('../../../spec/payments.openapi.yaml', import.meta.url));

let folder;
let mock;
let client;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'counterpart-'));
  const contract = path.join(folder, 'openapi.yaml');
  copyFileSync(payments, contract);
  mock = await start_mock('--contract', contract);
  client = new DodoPayments({baseURL: mock.url, bearerToken: 'My Bearer Token', logLevel: 'off'});
});
after(async () => {
  await mock?.stop();
  rmSync(folder, {recursive: true});
});

test('a customer is retrieved', async () => {
  const customer = await client.customers.retrieve('customer_id');
  assert.equal(customer.customer_id, 'customer_id');
});

test('a brand is updated', async () => {
  const brand = await client.brands.update('id', {
    description: 'description',
    image_id: '182bd5e5-6e1a-4fe4-a799-aa6d9a6ab26e',
    name: 'name',
    statement_descriptor: 'statement_descriptor',
    support_email: 'support_email'
  });
  assert.equal(typeof brand.brand_id, 'string');
});

test('usage history is listed', async () => {
  const page = await client.subscriptions.retrieveUsageHistory('subscription_id', {
    end_date: '2019-12-27T18:11:19.117Z',
    meter_id: 'meter_id',
    page_number: 0,
    page_size: 0,
    start_date: '2019-12-27T18:11:19.117Z'
  });
  assert.ok(Array.isArray(page.items));
});

test('a licence is validated', async () => {
  const answer = await client.licenses.validate({
    license_key: '2b1f8e2d-c41e-4e8f-b2d3-d9fd61c38f43',
    license_key_instance_id: 'lki_123'
  });
  assert.equal(typeof answer.valid, 'boolean');
});

test('an invoice is retrieved', async () => {
  const response = await client.invoices.payments.retrieve('payment_id');
  assert.match(await response.text(), /^%PDF-/);
});

test('a call without a token is still rejected', async () => {
  const response = await fetch(`${mock.url}/customers/customer_id`);
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('www-authenticate'), 'Bearer');
});
