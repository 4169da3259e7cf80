// A page that the server renders: /statement?customer=ID. It calls the service itself, in the session of the
// request that it works on.
import {sessionFetch, withSession} from 'counterpart-mock/server';
import DodoPayments from 'dodopayments';

export function statement(url) {
  const client = new DodoPayments({baseURL: url, bearerToken: 'dodo_test_me', maxRetries: 0, fetch: sessionFetch(url)});
  return (request, response) => withSession(request, async () => {
    const id = new URL(request.url, 'http://server').searchParams.get('customer');
    const text = await client.customers.retrieve(id).then(({name}) => `Statement for ${name}`, ({status}) => `Error ${status}`);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(text);
  });
}
