// Many official clients in one process, each in a session of its own with a script of its own:
// nothing of one is ever seen by another. COUNTERPART_ROUNDS says how often each goes through its
// script (20), COUNTERPART_CLIENTS how many there are (64).
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import DodoPayments from 'dodopayments';

import {start_mock} from '../../../scripts/lib/programs.mjs';

const rounds = Number(process.env.COUNTERPART_ROUNDS || 20);
const clients = Number(process.env.COUNTERPART_CLIENTS || 64);
const brand_id = 'brnd_F5ZR3qa7yEeeby3abP3E2';
const customer_id = 'cus_L9xVQ2zg4mZaouqKLiMcV';
const brand_name = 'Marigold Maps';

let mock;
before(async () => {
  mock = await start_mock('--quiet');
});
after(() => mock.stop());

// A session, reached by the path or by the header, with what the control API does for it.
class Session {
  constructor(index) {
    this.index = index;
    this.name = `client-${index}`;
    this.by_path = index % 2 === 0;
    this.base = this.by_path ? `${mock.url}/_s/${this.name}` : mock.url;
    this.headers = this.by_path ? {} : {'X-Counterpart-Session': this.name};
    this.client = new DodoPayments({
      baseURL: this.base,
      bearerToken: 'My Bearer Token',
      logLevel: 'off',
      maxRetries: 0,
      defaultHeaders: this.headers
    });
  }

  async control(method, path, body) {
    const response = await fetch(`${this.base}/_mock/${path}`, {
      method,
      headers: {...this.headers, 'Content-Type': 'application/json'},
      body: body === undefined ? undefined : JSON.stringify(body)
    });
    const answer = await response.json();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  fails(promise, status) {
    return promise.then(() => assert.fail(`${this.name}: must be ${status}`),
                        (error) => assert.equal(error.status, status, this.name));
  }
}

// A brand's name is the session's own until its reset.
async function names_its_brand(session, round) {
  const name = `${session.name}, round ${round}`;
  assert.equal((await session.client.brands.update(brand_id, {})).name, brand_name);
  assert.equal((await session.client.brands.update(brand_id, {name})).name, name);
  assert.equal((await session.client.brands.update(brand_id, {})).name, name);
}

// A customer that only this session has; the shared one is gone in it.
async function has_its_own_customer(session, round) {
  const id = `cus_of_${session.index}`;
  const shared = await session.client.customers.retrieve(customer_id);
  await session.control('PUT', `records/customers/${id}`,
                      {...shared, customer_id: id, name: `${round}`});
  await session.control('DELETE', `records/customers/${customer_id}`);
  assert.equal((await session.client.customers.retrieve(id)).name, `${round}`);
  await session.fails(session.client.customers.retrieve(customer_id), 404);
  await session.fails(session.client.customers.retrieve(`cus_of_${(session.index + 1) % clients}`), 404);
}

// Two calls are 429, and no other session's calls take them.
async function meets_a_rate_limit(session) {
  await session.control('POST', 'scenarios/rate_limited_twice/arm');
  await session.fails(session.client.customers.retrieve(customer_id), 429);
  await session.fails(session.client.customers.retrieve(customer_id), 429);
  assert.equal((await session.client.customers.retrieve(customer_id)).customer_id, customer_id);
}

// The licence ends on a day of the session's own clock.
async function outlives_its_licence(session) {
  const year = 2030 + session.index;
  await session.control('PUT', 'records/licences/LIC', {
    license_key: 'LIC',
    status: 'active',
    expires_at: `${year}-01-01T00:00:00Z`,
    instances: {}
  });
  await session.control('PUT', 'clock', {now: `${year - 1}-12-31T23:59:59Z`, frozen: true});
  assert.equal((await session.client.licenses.validate({license_key: 'LIC'})).valid, true);
  await session.control('POST', 'clock/advance', {seconds: 1});
  assert.equal((await session.client.licenses.validate({license_key: 'LIC'})).valid, false);
}

// However many calls come at once, one takes the step.
test('of 1,000 simultaneous calls one takes a step that is for one', async () => {
  const session = new Session(clients + 1);
  await session.control('PUT', 'scenarios/once', {
    description: 'The first call is 500.',
    rules: [{steps: [{times: 1, error: {use: 'internal', message: 'the one'}}]}]
  });
  const statuses = await Promise.all(Array.from({length: 1000}, async () => {
    const answer = await fetch(`${session.base}/customers/${customer_id}`,
                               {headers: {...session.headers, Authorization: 'Bearer dodo_test_x'}});
    await answer.arrayBuffer();
    return answer.status;
  }));
  assert.equal(statuses.filter((status) => status === 500).length, 1);
  assert.equal(statuses.filter((status) => status === 200).length, 999);
  await fetch(`${mock.url}/_mock/sessions/${session.name}`, {method: 'DELETE'});
});

const scripts = [names_its_brand, has_its_own_customer, meets_a_rate_limit, outlives_its_licence];

async function play(session) {
  const script = scripts[session.index % scripts.length];
  for (let round = 0; round < rounds; round += 1) {
    await session.control('POST', 'reset');
    await script(session, round);
    const {window, requests} = await session.control('GET', 'requests');
    assert.equal(window.noted - window.kept, window.lost);
    assert.ok(window.noted >= 2 && window.noted <= 4, `${session.name}: ${window.noted} calls noted`);
    assert.ok(requests.length <= window.noted);
  }
}

test(`${clients} clients in ${clients} sessions see nothing of each other in ${rounds} rounds`,
     async () => {
       const all = Array.from({length: clients}, (_, index) => new Session(index));
       await Promise.all(all.map(play));

       const {sessions} = await all[0].control('GET', 'sessions');
       assert.equal(sessions.length, clients + 1);
       assert.equal(sessions[0].requests.noted, 0, 'the default session was not asked');
     });
