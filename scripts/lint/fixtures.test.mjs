// The lint of the fixtures finds each kind of problem.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import test from "node:test";

import { problemsOf, readFixtures } from "./fixtures.mjs";

const fixtures = readFixtures(fileURLToPath(new URL("../../fixtures", import.meta.url)));

const history = (changed) => changed.subscriptions[changed.subjects.subscription].usage_history;
const payment = (changed) => changed.payments[changed.subjects.payments[0]];

const faults = [
  ["a wrong price", (c) => (history(c)[7].meters[1].total_price += 1), /usage_history\/7 mtr_\w+ total_price must be \d+, but is/],
  ["wrong chargeable units", (c) => (history(c)[249].meters[2].chargeable_units = "73"), /usage_history\/249 .*chargeable_units/],
  ["a gap between periods", (c) => (history(c)[100].start_date = "2025-03-06T09:14:07.318205Z"), /usage_history\/100 must start when/],
  ["a period that ends before it starts", (c) => (history(c)[249].end_date = "2025-08-02T09:14:07.318204Z"), /usage_history\/249 must end after/],
  ["a meter twice in a period", (c) => history(c)[0].meters.push(history(c)[0].meters[0]), /usage_history\/0 must have each meter/],
  ["a customer that does not exist", (c) => (c.subscriptions.subscription_id.customer_id = "cus_1"), /subscription_id: customer_id cus_1/],
  ["a customer of another business", (c) => (payment(c).business_id = "bus_1"), /business_id must be that of the customer/],
  ["a record under another's key", (c) => (c.brands.id.brand_id = "other"), /brands\/id: brand_id must be/],
  ["a wrong amount of a line", (c) => (payment(c).lines[1].amount = 11449), /lines\/1\/amount must be 11450, but is 11449/],
  ["a wrong subtotal", (c) => (payment(c).subtotal += 1), /subtotal must be/],
  ["a wrong tax", (c) => (payment(c).taxes[0].amount -= 1), /tax VAT must be/],
  ["a wrong total", (c) => (payment(c).total -= 1), /total must be subtotal/],
  ["a seller that does not exist", (c) => (payment(c).seller.brand_id = "brnd_1"), /seller\/brand_id/],
  ["a subscription that does not exist", (c) => (payment(c).subscription_id = "sub_1"), /subscription_id must be a subscription/],
  ["subjects that do not exist", (c) => Object.assign(c.subjects, { customer: "a", brand: "b", other_brand: "b", primary_brand: "c", subscription: "d", payments: ["e", "f"], licence: {} }), /^subjects: .*/],
];

test("the fixtures of the repository have no problems", () => {
  assert.deepEqual(problemsOf(fixtures), []);
});

for (const [name, change, expected] of faults) {
  test(`the lint finds ${name}`, () => {
    const changed = structuredClone(fixtures);
    change(changed);

    const problems = problemsOf(changed);

    assert.ok(problems.some((problem) => expected.test(problem)), problems.join("\n") || "no problem found");
  });
}

test("every subject is checked", () => {
  const changed = structuredClone(fixtures);
  faults.at(-1)[1](changed);

  assert.equal(problemsOf(changed).filter((problem) => problem.startsWith("subjects: ")).length, 8);
});
