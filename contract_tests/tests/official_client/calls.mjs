// A command for `mock_server run`: the official client, configured by its environment only,
// calls all five operations. With "badly", one request violates the contract, which the client allows.
import DodoPayments from 'dodopayments';

const client = new DodoPayments({bearerToken: 'My Bearer Token', logLevel: 'off', maxRetries: 0});

await client.customers.retrieve('cus_L9xVQ2zg4mZaouqKLiMcV');
await client.brands.update('brnd_F5ZR3qa7yEeeby3abP3E2', {name: 'Run'});
await client.licenses.validate({license_key: 'PRO-4F7K-9QXM-2WTR-8HVD'});
const usage = await client.subscriptions.retrieveUsageHistory('sub_QYNdaKy8isWydfhl3Tvtn');
const invoice = await client.invoices.payments.retrieve('pay_dr0UwfMpf5rg7wOojmCUu');
if (usage.items.length === 0 || !(await invoice.text()).startsWith('%PDF-')) {
  process.exit(3);
}
if (process.argv[2] === 'badly') {
  await client.brands.update('brnd_F5ZR3qa7yEeeby3abP3E2', {name: 7}).catch(() => undefined);
}
