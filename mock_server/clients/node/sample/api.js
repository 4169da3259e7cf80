// What the page asks of the service: by its official client, and by fetch.
import DodoPayments from 'dodopayments';

// `url` is the service, or a proxy that adds the token.
export function makeApi(url, bearerToken = 'added by the proxy') {
  const client = new DodoPayments({baseURL: url, bearerToken, maxRetries: 0});
  return {
    customer: (id) => client.customers.retrieve(id),
    rename: (id, name) => client.brands.update(id, {name}),

    // {rows, isLast}; pages are counted from 0.
    async usage(id, page_number) {
      const {items} = await client.subscriptions.retrieveUsageHistory(id, {page_number, page_size: 10});
      return {rows: items, isLast: items.length < 10};
    },

    async isValid(license_key) {
      const response = await fetch(`${url}/licenses/validate`, {
        method: 'POST',
        headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({license_key}),
      });
      const content = await response.json();
      if (!response.ok) throw new Error(content.message);
      return content.valid;
    },

    // "ready", or why not.
    async invoice(id) {
      try {
        const response = await fetch(`${url}/invoices/payments/${id}`);
        if (response.ok) return `ready, ${(await response.blob()).size} bytes`;
        return response.status === 404 ? 'not ready' : `error ${response.status}`;
      } catch {
        return 'connection lost';
      }
    },
  };
}

// An error for people.
export function inWords({status, message}) {
  if (status === 404) return 'Not found';
  if (status === 403) return 'Not allowed';
  if (status === 429) return 'Too many requests: wait a minute';
  if (status >= 500) return 'The service does not work: try again';
  return message;
}
