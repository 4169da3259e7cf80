// The validator on the contract that it is for: both of its forms load without a word, and each
// kind of message is validated with its place.

#include "spec/contract/checking/request_credentials.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace spec::contract {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kFile = test_paths::source() + "/spec/payments.openapi.yaml";

const Contract& payments() {
  static const Contract contract = load_contract(kFile);
  return contract;
}

const Contract& document_only() {
  static const Contract contract = load_contract(kFile, {.document_only = true});
  return contract;
}

std::vector<std::string> validate(const Contract& contract, const http::Request& request) {
  const Match match = contract.route(request.method, http::path_of(request.target));
  std::vector<std::string> lines;
  for (const Violation& violation :
       validate_request(contract, *match.operation, request, match.path_values).violations) {
    lines.push_back(to_line(contract, violation));
  }
  return lines;
}

std::vector<std::string> validate(const Contract& contract, std::string_view operation,
                                  const http::Response& response) {
  std::vector<std::string> lines;
  for (const Violation& violation :
       validate_response(contract, *contract.operation(operation), response)) {
    lines.push_back(to_line(contract, violation));
  }
  return lines;
}

http::Response json_response(int status, std::string body) {
  return {.status = status,
          .reason = "",
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

TEST(Payments, both_forms_load_without_warnings) {
  EXPECT_THAT(payments().warnings(), IsEmpty());
  EXPECT_THAT(document_only().warnings(), IsEmpty());
}

TEST(Payments, has_the_five_operations_in_document_order) {
  std::vector<std::string> ids;
  for (const Operation& operation : payments().operations()) {
    ids.push_back(operation.id);
  }

  EXPECT_THAT(ids, ElementsAre("get_payment_invoice_no_auth", "patch_brand_handler",
                               "list_usage_history_handler", "get_customer_handler",
                               "validate_license_key"));
}

TEST(Payments, a_bound_is_named_with_its_section) {
  EXPECT_THAT(
      validate(payments(),
               {"GET", "/subscriptions/s/usage-history?page_size=101&page_number=x", {}, ""}),
      ElementsAre(
          "GET /subscriptions/{subscription_id}/usage-history query/page_size: must be at "
          "most 100, but is 101 [/paths/~1subscriptions~1{subscription_id}~1usage-history/"
          "get/parameters/4/schema/maximum] (§4.3)",
          "GET /subscriptions/{subscription_id}/usage-history query/page_number: must be an "
          "integer, but is \"x\" [/paths/~1subscriptions~1{subscription_id}~1usage-history/"
          "get/parameters/5/schema/type] (§4.3)"));
}

TEST(Payments, an_empty_date_is_not_given) {
  EXPECT_THAT(
      validate(payments(), {"GET",
                            "/subscriptions/s/"
                            "usage-history?start_date=&end_date=2025-08-04T05:43:19.882409%2b"
                            "02:00&page_size=0",
                            {},
                            ""}),
      IsEmpty());
}

TEST(Payments, a_body_field_is_named_with_its_place) {
  const http::Headers as_json{{"Content-Type", "application/json"}};

  EXPECT_THAT(
      validate(payments(), {"PATCH", "/brands/b", as_json, R"({"image_id":"abc","name":5})"}),
      ElementsAre(testing::HasSubstr("body/image_id: must be a UUID"),
                  "PATCH /brands/{id} body/name: must be a string, but is 5 "
                  "[/components/schemas/BrandPatch/properties/name/anyOf/0/type] (§4.2)"));
  EXPECT_THAT(validate(payments(), {"PATCH", "/brands/b", as_json, R"({"name":null,"other":1})"}),
              IsEmpty());
}

TEST(Payments, an_assumed_response_is_undeclared_without_the_assumptions) {
  const http::Response not_found = json_response(404, R"({"code":"NOT_FOUND","message":"none"})");

  EXPECT_THAT(validate(payments(), "get_customer_handler", not_found), IsEmpty());
  EXPECT_THAT(
      validate(document_only(), "get_customer_handler", not_found),
      ElementsAre("GET /customers/{customer_id} status: must be a declared status (200), but is "
                  "404 [/paths/~1customers~1{customer_id}/get/responses] (§4.4, §5)"));
}

TEST(Payments, without_the_assumptions_names_and_required_lists_are_gone) {
  EXPECT_THAT(
      validate(document_only(), {"GET", "/subscriptions/s/usage-history?page_size=101", {}, ""}),
      IsEmpty());
  EXPECT_THAT(validate(document_only(), "get_customer_handler", json_response(200, "{}")),
              IsEmpty());
  EXPECT_THAT(
      validate(document_only(), "list_usage_history_handler", json_response(200, "{}")),
      ElementsAre(testing::HasSubstr("[/components/schemas/UsageHistory/required] (§4.3)")));
  EXPECT_THAT(
      validate(document_only(), "patch_brand_handler", json_response(200, R"({"url":null})")),
      ElementsAre(testing::HasSubstr("must be a string, but is null")));
}

TEST(Payments, statements_have_a_class) {
  const auto find = [](const Contract& contract, std::string_view pointer) {
    const auto& all = contract.statements();
    return *std::find_if(all.begin(), all.end(),
                         [pointer](const Statement& one) { return one.pointer == pointer; });
  };
  const Statement required = find(payments(), "/components/schemas/Customer/required");
  const Statement type = find(payments(), "/components/schemas/Customer/properties/email/type");
  const Statement status = find(payments(), "/paths/~1customers~1{customer_id}/get/responses/404");

  EXPECT_EQ(required.statement_class, StatementClass::kAssumption);
  EXPECT_THAT(required.reason, testing::StartsWith("§2: which fields are required"));
  EXPECT_EQ(required.clause, "§2");
  EXPECT_EQ(type.statement_class, StatementClass::kDocument);
  EXPECT_EQ(status.statement_class, StatementClass::kAssumption);
  EXPECT_GT(status.line, 0U);
}

TEST(Payments, the_list_of_assumptions_has_one_entry_for_each_mark) {
  EXPECT_GT(payments().assumptions().size(), 50U);
  EXPECT_THAT(document_only().assumptions(), IsEmpty());
  for (const Statement& entry : payments().assumptions()) {
    EXPECT_FALSE(entry.reason.empty()) << entry.pointer;
  }
}

TEST(Payments, the_invoice_is_bytes_and_never_a_json_array) {
  http::Response pdf{.status = 200,
                     .reason = "",
                     .headers = {{"Content-Type", "application/pdf"}},
                     .body = std::string("%PDF-\xFF\0", 7)};

  EXPECT_THAT(validate(payments(), "get_payment_invoice_no_auth", pdf), IsEmpty());
  EXPECT_THAT(
      validate(payments(), "get_payment_invoice_no_auth", json_response(200, "[37,80,68,70]")),
      ElementsAre(
          testing::HasSubstr("media type: must be application/pdf, but is application/json")));
}

TEST(Payments, credentials_are_read_where_they_are_asked_for) {
  const http::Request request{
      "GET", "/customers/c", {{"authorization", "bearer My Bearer Token"}}, ""};

  const auto given = read_credentials(*payments().operation("get_customer_handler"), request).given;
  ASSERT_EQ(given.size(), 1U);
  ASSERT_EQ(given[0].size(), 1U);
  EXPECT_EQ(given[0][0].scheme->name, "bearer");
  EXPECT_EQ(given[0][0].text, "My Bearer Token");
  EXPECT_TRUE(
      read_credentials(*payments().operation("validate_license_key"), {}).satisfied_by_anyone);
  EXPECT_FALSE(
      read_credentials(*payments().operation("patch_brand_handler"), {}).satisfied_by_anyone);
}

// A pointer alone would be looked for in the wrong text.
TEST(ManyFiles, a_violation_names_the_file_of_its_statement) {
  const Contract contract = load_contract(
      test_paths::source() + "/spec/contract/tests/cases/loading/part-many/openapi.yaml");

  EXPECT_THAT(validate(contract, {.method = "GET", .target = "/pets/x", .headers = {}, .body = {}}),
              ElementsAre(testing::HasSubstr(" [shared/types.yaml#/PetId/type]")));
}

}  // namespace

}  // namespace spec::contract
