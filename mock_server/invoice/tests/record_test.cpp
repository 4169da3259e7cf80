#include "mock_server/invoice/invoice_record.hpp"
#include "mock_server/invoice/tests/payments.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace mock_server::invoice {
namespace {

using nlohmann::json;

// The violation in `payment`; "" for none.
std::string violation_about(const json& payment) {
  const auto invoice = read_invoice(payment);
  return invoice ? std::string() : invoice.error();
}

// A change that makes a record unusable, as a JSON merge patch, and what is said about it.
struct Fault {
  const char* name;
  const char* patch;
  const char* violation;

  friend void PrintTo(const Fault& shown, std::ostream* out) { *out << shown.name; }
};

using BrokenRecord = spec::tests::RowTest;

TEST_P(BrokenRecord, is_rejected_with_the_place_and_the_rule) {
  const Fault& row = GetParam();

  json payment = sample_payment();
  payment.merge_patch(json::parse(row.patch));

  EXPECT_EQ(violation_about(payment), row.violation);
}

const std::vector<Fault> kRecordBrokenRecord = {
    {"no_payment_id", R"({"payment_id": null})", "payment_id must be a non-empty string"},
    {"number_as_payment_id", R"({"payment_id": 7})", "payment_id must be a string"},
    {"no_customer", R"({"customer": null})", "customer must be an object"},
    {"customer_is_a_list", R"({"customer": []})", "customer must be an object"},
    {"nameless_seller", R"({"seller": {"name": ""}})", "seller/name must be a non-empty string"},
    {"address_of_numbers", R"({"customer": {"address": [1]}})",
     "customer/address must be an array with at most 500 strings"},
    {"long_currency", R"({"currency": "dollars"})",
     "currency must be a currency code of three letters"},
    {"fractional_total", R"({"total": 1.5})", "total must be a 64-bit integer"},
    {"huge_total", R"({"total": 9223372036854775808})", "total must be a 64-bit integer"},
    {"lines_is_an_object", R"({"lines": {}})", "lines must be an array with at most 500 elements"},
    {"line_is_a_text", R"({"lines": ["x"]})", "lines/0 must be an object"},
    {"line_without_amount",
     R"({"lines": [{"description": "x", "quantity": "1", "unit_price": "2"}]})",
     "lines/0/amount must be a 64-bit integer"},
    {"quantity_in_words", R"({"lines": [{"quantity": "one", "unit_price": "2", "amount": 2}]})",
     "lines/0/quantity must be a string with a decimal number of at most 24 characters"},
    {"quantity_with_bare_point",
     R"({"lines": [{"quantity": "1.", "unit_price": "2", "amount": 2}]})",
     "lines/0/quantity must be a string with a decimal number of at most 24 characters"},
    {"discount_without_amount", R"({"discount": {"amount": null}})",
     "discount/amount must be a 64-bit integer"},
    {"rate_as_a_number", R"({"taxes": [{"name": "VAT", "rate": 20, "amount": 1}]})",
     "taxes/0/rate must be a string"}};

INSTANTIATE_TEST_SUITE_P(Record, BrokenRecord,
                         testing::ValuesIn(spec::tests::rows(kRecordBrokenRecord)),
                         spec::tests::kRowNames);

TEST(PaymentRecord, that_is_no_object_is_rejected) {
  EXPECT_EQ(violation_about(json::array()), "the record must be an object");
}

TEST(PaymentRecord, with_too_long_a_text_is_rejected) {
  json payment = sample_payment();
  payment["note"] = std::string(kMaxTextBytes + 1, 'x');

  EXPECT_EQ(violation_about(payment), "note must have at most 2000 bytes");
}

TEST(PaymentRecord, with_too_many_lines_is_rejected) {
  json payment = sample_payment();
  payment["lines"] = json(kMaxElements + 1, payment["lines"][0]);

  EXPECT_EQ(violation_about(payment), "lines must be an array with at most 500 elements");
}

TEST(PaymentRecord, may_leave_out_what_is_optional) {
  json payment = sample_payment();
  for (const char* const name :
       {"paid_at", "payment_method", "subscription_id", "discount", "taxes", "note"}) {
    payment.erase(name);
  }

  const auto invoice = read_invoice(payment);

  ASSERT_TRUE(invoice.has_value());
  EXPECT_EQ(invoice->note, "");
  EXPECT_FALSE(invoice->discount.has_value());
}

TEST(PaymentRecord, that_is_not_paid_has_no_payment_method) {
  json payment = sample_payment();
  ASSERT_NE(read_invoice(payment)->payment_method, "");
  payment.erase("paid_at");

  EXPECT_EQ(read_invoice(payment)->payment_method, "");
}

TEST(PaymentRecord, may_spell_an_amount_with_a_point_or_an_exponent) {
  json payment = sample_payment();
  payment["total"] = spec::json::read("49.507e3").value();

  EXPECT_EQ(read_invoice(payment)->total, 49507);
}

}  // namespace
}  // namespace mock_server::invoice
