// Checks what no schema can say of the fixtures: sums are right, periods follow one another, and records
// that are referred to exist.
// Usage: node fixtures.mjs FOLDER. Prints each problem; status 1 if there is one.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { parse } from "yaml";

const read = (file) => parse(readFileSync(file, "utf8"), { uniqueKeys: true, version: "1.2" });

function readFolder(folder) {
  const entries = readdirSync(folder).map((name) => [basename(name, extname(name)), read(join(folder, name))]);
  return Object.fromEntries(entries);
}

// The collections of a fixtures folder, each an object of records by key, and the subjects.
export function readFixtures(folder) {
  const collections = {};
  for (const name of ["brands", "customers", "licences", "payments", "subscriptions"]) {
    const file = join(folder, `${name}.yaml`);
    collections[name] = {
      ...(existsSync(file) ? read(file) : {}),
      ...(existsSync(join(folder, name)) ? readFolder(join(folder, name)) : {}),
    };
  }
  return { ...collections, subjects: read(join(folder, "subjects.yaml")) };
}

// Decimals as multiples of 10^-12, enough for every product of the fixtures.
const kScale = 12;
function scaled(decimal) {
  const [whole, fraction = ""] = String(decimal).split(".");
  return BigInt(whole + fraction.padEnd(kScale, "0"));
}

const minorDigits = (currency) => (currency === "JPY" ? 0 : currency === "KWD" ? 3 : 2);

// quantity x price in the smallest unit, halves rounded up. Neither is negative.
function product(quantity, price, currency) {
  const unit = 10n ** BigInt(2 * kScale - minorDigits(currency));
  return Number((scaled(quantity) * scaled(price) * 2n + unit) / (unit * 2n));
}

function meterProblems(meter) {
  const problems = [];
  const beyond = scaled(meter.consumed_units) - scaled(meter.free_threshold);
  const chargeable = beyond > 0n ? beyond : 0n;
  if (scaled(meter.chargeable_units) !== chargeable) {
    problems.push("chargeable_units must be consumed_units - free_threshold, or 0");
  }
  const price = product(meter.chargeable_units, meter.price_per_unit, meter.currency);
  if (meter.total_price !== price) problems.push(`total_price must be ${price}, but is ${meter.total_price}`);
  return problems.map((problem) => `${meter.id} ${problem}`);
}

function periodProblems(period, before) {
  const problems = period.meters.flatMap(meterProblems);
  if (before && period.start_date !== before.end_date) problems.push("must start when the previous period ends");
  if (Date.parse(period.start_date) >= Date.parse(period.end_date)) problems.push("must end after it starts");
  const ids = period.meters.map((meter) => meter.id);
  if (new Set(ids).size !== ids.length) problems.push("must have each meter once");
  return problems;
}

function subscriptionProblems(key, subscription, fixtures) {
  const history = subscription.usage_history;
  const problems = history.flatMap((period, index) =>
    periodProblems(period, history[index - 1]).map((problem) => `usage_history/${index} ${problem}`));
  if (subscription.subscription_id !== key) problems.push("subscription_id must be the record's key");
  return [...problems, ...ownerProblems(subscription, fixtures)];
}

function ownerProblems(record, { customers }) {
  const owner = customers[record.customer_id];
  if (!owner) return [`customer_id ${record.customer_id}: there is no such customer`];
  const belongs = record.business_id === undefined || owner.business_id === record.business_id;
  return belongs ? [] : ["business_id must be that of the customer"];
}

const kPerCent = 100n * 10n ** BigInt(kScale);
const sum = (records) => records.reduce((total, { amount }) => total + amount, 0);

function paymentProblems(key, payment, fixtures) {
  const problems = payment.lines.flatMap((line, index) => {
    const amount = product(line.quantity, line.unit_price, payment.currency);
    return line.amount === amount ? [] : [`lines/${index}/amount must be ${amount}, but is ${line.amount}`];
  });
  const discount = payment.discount?.amount ?? 0;
  if (payment.subtotal !== sum(payment.lines)) problems.push("subtotal must be the sum of its lines");
  if (payment.total !== payment.subtotal - discount + sum(payment.taxes)) problems.push("total must be subtotal - discount + taxes");
  for (const tax of payment.taxes) {
    const taxed = BigInt(payment.subtotal - discount) * scaled(tax.rate);
    const amount = Number((taxed * 2n + kPerCent) / (kPerCent * 2n));
    if (tax.amount !== amount) problems.push(`tax ${tax.name} must be ${amount}, but is ${tax.amount}`);
  }
  if (payment.payment_id !== key) problems.push("payment_id must be the record's key");
  if (!fixtures.brands[payment.seller.brand_id]) problems.push("seller/brand_id must be a brand");
  if (payment.subscription_id && !fixtures.subscriptions[payment.subscription_id]) {
    problems.push("subscription_id must be a subscription");
  }
  const owner = { customer_id: payment.customer.customer_id, business_id: payment.business_id };
  return [...problems, ...ownerProblems(owner, fixtures)];
}

const keyProblems = (member) => (key, record) =>
  record[member] === key ? [] : [`${member} must be the record's key`];

const rules = {
  brands: keyProblems("brand_id"),
  customers: keyProblems("customer_id"),
  licences: (key, licence, fixtures) =>
    [...keyProblems("license_key")(key, licence), ...ownerProblems({ customer_id: licence.customer_id }, fixtures)],
  payments: paymentProblems,
  subscriptions: subscriptionProblems,
};

function subjectProblems({ subjects, brands, customers, licences, payments, subscriptions }) {
  const { licence } = subjects;
  const meters = subscriptions[subjects.subscription]?.usage_history.flatMap((period) => period.meters) ?? [];
  const checks = {
    "customer must be a customer": subjects.customer in customers,
    "brand must be a brand": subjects.brand in brands,
    "other_brand must be another brand": subjects.other_brand in brands && subjects.other_brand !== subjects.brand,
    "primary_brand must be the brand of its business":
      brands[subjects.primary_brand]?.business_id === subjects.primary_brand,
    "subscription must have 250 periods": subscriptions[subjects.subscription]?.usage_history.length === 250,
    "meter must be one of the subscription's": meters.some((meter) => meter.id === subjects.meter),
    "licence must have the keys valid and invalid, and an instance of the valid one":
      licence.invalid in licences && licence.instance in (licences[licence.valid]?.instances ?? {}),
    "payments must be two payments":
      subjects.payments.length === 2 && subjects.payments.every((payment) => payment in payments),
  };
  return Object.entries(checks).filter(([, holds]) => !holds).map(([problem]) => `subjects: ${problem}`);
}

// Every problem of the fixtures, as lines.
export function problemsOf(fixtures) {
  const problems = subjectProblems(fixtures);
  for (const [collection, rule] of Object.entries(rules)) {
    for (const [key, record] of Object.entries(fixtures[collection])) {
      problems.push(...rule(key, record, fixtures).map((problem) => `${collection}/${key}: ${problem}`));
    }
  }
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = problemsOf(readFixtures(process.argv[2]));
  problems.forEach((problem) => console.error(`${process.argv[2]}: ${problem}`));
  if (problems.length === 0) console.log(`${process.argv[2]}: no problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
