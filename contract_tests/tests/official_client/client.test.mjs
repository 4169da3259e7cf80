// The service's official client, unchanged, over all five operations of the mock.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import DodoPayments from 'dodopayments';

import {start_mock} from '../../../scripts/lib/programs.mjs';

const customer_id = 'cus_L9xVQ2zg4mZaouqKLiMcV';
const brand_id = 'brnd_F5ZR3qa7yEeeby3abP3E2';
const primary_brand_id = 'bus_Ky9Pf34qY6Nb3wWD25RQ4';
const subscription_id = 'sub_QYNdaKy8isWydfhl3Tvtn';
const meter_id = 'mtr_CpFqPlpECXVMk11oHUGCi';
const payment_ids = ['pay_dr0UwfMpf5rg7wOojmCUu', 'pay_BRoeL5pykPTPly5kAA819'];

const errors = DodoPayments;

let mock;
before(async () => {
  mock = await start_mock();
});
after(() => mock.stop());

function client_with(options = {}) {
  return new DodoPayments(
      {baseURL: mock.url, bearerToken: 'My Bearer Token', logLevel: 'off', ...options});
}

// Resolves to the error that `promise` was rejected with, after checking its class and body.
async function rejected(promise, error_class, status, code) {
  const error = await promise.then(() => assert.fail('must be rejected'), (reason) => reason);
  assert.ok(error instanceof error_class, `${error} is of another class`);
  assert.equal(error.status, status);
  assert.equal(error.error.code, code);
  assert.equal(typeof error.error.message, 'string');
  return error;
}

// A `fetch` that orders a response for the first attempt of a call only, and counts attempts.
function failing_once(preference) {
  const counted = async (url, options) => {
    const headers = new Headers(options.headers);
    if (counted.attempts === 0) {
      headers.set('Prefer', preference);
    }
    counted.attempts += 1;
    return fetch(url, {...options, headers});
  };
  counted.attempts = 0;
  return counted;
}

async function pdf_of(payment_id, client = client_with()) {
  const response = await client.invoices.payments.retrieve(payment_id);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  return Buffer.from(await response.arrayBuffer());
}

describe('customers.retrieve', () => {
  test('gives every field of the record', async () => {
    const customer = await client_with().customers.retrieve(customer_id);

    assert.deepEqual(customer, {
      business_id: 'bus_Ky9Pf34qY6Nb3wWD25RQ4',
      created_at: '2024-11-26T09:14:07.318204Z',
      customer_id,
      email: 'amara.okafor@tidal-freight.example',
      name: 'Amara Okafor',
      metadata: {account_manager: 'Ines', crm_id: '48213', plan: 'fleet'},
      phone_number: '+442079460123',
    });
  });

  test('is rejected as not found for an unknown customer', async () => {
    await rejected(client_with().customers.retrieve('cus_nobody'), errors.NotFoundError, 404,
                  'NOT_FOUND');
  });

  test('is rejected without a token that is known', async () => {
    await rejected(client_with({bearerToken: 'dodo_test_revoked'}).customers.retrieve(customer_id),
                  errors.AuthenticationError, 401, 'UNAUTHORIZED');
  });
});

describe('brands.update', () => {
  test('changes what was named, keeps the rest, and shows the image', async () => {
    const client = client_with();
    const first = await client.brands.update(brand_id, {});

    const changed = await client.brands.update(
        brand_id, {name: 'Counterpart & Söhne', image_id: '3f2a9c1e-7d4b-4e0a-9b65-1c8d2f7a6e90'});

    assert.deepEqual(changed, {
      ...first,
      name: 'Counterpart & Söhne',
      image: 'https://assets.example.test/3f2a9c1e-7d4b-4e0a-9b65-1c8d2f7a6e90',
    });
    assert.deepEqual(await client.brands.update(brand_id, {}), changed);
  });

  test('is rejected for a body of the wrong shape, and changes nothing', async () => {
    const client = client_with();
    const first = await client.brands.update(brand_id, {});

    await rejected(client.brands.update(brand_id, {name: 'New', image_id: 'not-a-uuid'}),
                  errors.UnprocessableEntityError, 422, 'INVALID_REQUEST_BODY');

    assert.deepEqual(await client.brands.update(brand_id, {}), first);
  });

  test('is rejected for the primary brand', async () => {
    await rejected(client_with().brands.update(primary_brand_id, {name: 'Mine'}),
                  errors.PermissionDeniedError, 403, 'UNABLE_TO_EDIT_PRIMARY_BRAND');
  });
});

describe('subscriptions.retrieveUsageHistory', () => {
  const page = (query) => client_with().subscriptions.retrieveUsageHistory(subscription_id, query);

  test('paged by hand from 0, ends at an empty page and misses nothing', async () => {
    const starts = [];
    const sizes = [];
    for (let page_number = 0; sizes.at(-1) !== 0; page_number += 1) {
      const {items} = await page({page_number, page_size: 100});
      sizes.push(items.length);
      starts.push(...items.map(({start_date}) => start_date));
    }

    assert.deepEqual(sizes, [100, 100, 50, 0]);
    assert.equal(new Set(starts).size, 250);
    assert.deepEqual(starts, [...starts].sort());
  });

  test('paged by the client itself, gives the same periods', async () => {
    let count = 0;
    for await (const item of page({page_number: 0, page_size: 70})) {
      assert.equal(typeof item.meters[0].consumed_units, 'string');
      count += 1;
    }

    assert.equal(count, 250);
  });

  test('gives ten periods when nothing is asked for, and takes null as not given', async () => {
    assert.equal((await page()).items.length, 10);
    assert.equal((await page({start_date: null, meter_id: null, page_size: 3})).items.length, 3);
  });

  test('keeps to one meter', async () => {
    const {items} = await page({meter_id, page_size: 100});

    assert.equal(items.length, 100);
    assert.ok(items.every(({meters}) => meters.length === 1 && meters[0].id === meter_id));
  });

  test('is rejected for a page that is too large, and for a date that is none', async () => {
    await rejected(page({page_size: 101}), errors.UnprocessableEntityError, 422,
                  'INVALID_REQUEST_PARAMETERS');
    await rejected(page({start_date: 'yesterday'}), errors.BadRequestError, 400,
                  'INVALID_QUERY_PARAMS');
  });
});

describe('licenses.validate', () => {
  const valid = async (license_key, license_key_instance_id) =>
      (await client_with().licenses.validate({license_key, license_key_instance_id})).valid;

  test('knows active keys and their activations from others', async () => {
    assert.equal(await valid('PRO-4F7K-9QXM-2WTR-8HVD'), true);
    assert.equal(await valid('PRO-4F7K-9QXM-2WTR-8HVD', 'lki_8Y9XW1tSnBc0np9B9Udk7'), true);
    assert.equal(await valid('PRO-4F7K-9QXM-2WTR-8HVD', 'lki_unknown'), false);
    assert.equal(await valid('23231e1e-e201-4522-80cb-acd0249a4584'), false);
    assert.equal(await valid('no-such-key'), false);
  });

  test('needs no known token', async () => {
    const client = client_with({bearerToken: 'dodo_test_revoked'});

    assert.deepEqual(await client.licenses.validate({license_key: 'PRO-4F7K-9QXM-2WTR-8HVD'}),
                     {valid: true});
  });

  test('is rejected without a key', async () => {
    await rejected(client_with().licenses.validate({}), errors.UnprocessableEntityError, 422,
                  'INVALID_REQUEST_BODY');
  });
});

describe('invoices.payments.retrieve', () => {
  test('gives the bytes of a PDF, another one for another payment', async () => {
    const [first, second] = await Promise.all(payment_ids.map((id) => pdf_of(id)));

    for (const pdf of [first, second]) {
      assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
      assert.match(pdf.subarray(-16).toString('latin1'), /%%EOF\s*$/);
    }
    assert.notDeepEqual(first, second);
  });

  test('is rejected as not found for an unknown payment', async () => {
    await rejected(client_with().invoices.payments.retrieve('pay_nothing'), errors.NotFoundError,
                  404, 'NOT_FOUND');
  });

  test('is tried again after 429, and then succeeds', async () => {
    const fetch_once = failing_once('code=429');

    const pdf = await pdf_of(payment_ids[0], client_with({fetch: fetch_once}));

    assert.equal(fetch_once.attempts, 2);
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  });

  test('gives up on a 500 that stays, after two more attempts', async () => {
    let attempts = 0;
    const counted = (...args) => {
      attempts += 1;
      return fetch(...args);
    };
    const client = client_with({fetch: counted, defaultHeaders: {Prefer: 'code=500'}});

    await rejected(client.invoices.payments.retrieve(payment_ids[0]), errors.InternalServerError,
                  500, 'INTERNAL_SERVER_ERROR');

    assert.equal(attempts, 3);
  });
});
