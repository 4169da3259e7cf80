import {inWords, makeApi} from './api.js';

const api = makeApi(`${location.origin}/api`);
const CUSTOMER = 'cus_L9xVQ2zg4mZaouqKLiMcV';
const BRAND = 'brnd_F5ZR3qa7yEeeby3abP3E2';
const SUBSCRIPTION = 'sub_QYNdaKy8isWydfhl3Tvtn';
const PAYMENTS = ['pay_dr0UwfMpf5rg7wOojmCUu', 'pay_BRoeL5pykPTPly5kAA819'];

// Another customer: /?customer=ID
const idOf = (name, standard) => new URLSearchParams(location.search).get(name) ?? standard;

// Runs the work of a section; its alert says what went wrong.
async function show(section, work) {
  const part = (selector) => document.querySelector(`#${section} ${selector}`);
  part('[role=alert]').textContent = '';
  try {
    await work(part);
  } catch (error) {
    part('[role=alert]').textContent = inWords(error);
  }
}

const onSubmit = (section, work) => document.querySelector(`#${section} form`).addEventListener('submit', (event) => {
  event.preventDefault();
  work(new FormData(event.target));
});

const showCustomer = () => show('customer', async (part) => {
  const {name, email} = await api.customer(idOf('customer', CUSTOMER));
  part('h1').textContent = name;
  part('.email').textContent = email;
});

const showUsage = (page) => show('usage', async (part) => {
  const {rows, isLast} = await api.usage(idOf('subscription', SUBSCRIPTION), page);
  const lines = rows.map(({start_date: start}) => Object.assign(document.createElement('li'), {textContent: start.slice(0, 10)}));
  part('ol').replaceChildren(...lines);
  part('button').disabled = isLast;
  part('button').onclick = () => showUsage(page + 1);
});

async function showInvoices() {
  const list = document.querySelector('#invoices ul');
  for (const id of PAYMENTS) {
    const line = list.appendChild(Object.assign(document.createElement('li'), {textContent: `${id}: ...`}));
    line.textContent = `${id}: ${await api.invoice(id)}`;
  }
}

onSubmit('brand', (form) => show('brand', async (part) => {
  const brand = await api.rename(idOf('brand', BRAND), form.get('name'));
  part('.status').textContent = `${brand.name}: ${brand.verification_status}`;
}));

onSubmit('licence', (form) => show('licence', async (part) => {
  part('.status').textContent = await api.isValid(form.get('key')) ? 'valid' : 'not valid';
}));

document.querySelector('#customer button').onclick = showCustomer;
await Promise.all([showCustomer(), showUsage(0), showInvoices()]);
