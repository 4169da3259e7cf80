// The form in which two responses are compared: values that are equal for the contract become the
// same, and no others.

#include "contract_tests/checks/normal_form.hpp"

#include "contract_tests/checks/response_rules.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {
namespace {

using nlohmann::json;

constexpr std::string_view kSchema = R"(
type: object
properties:
  at: {type: string, format: date-time}
  price: {type: string, format: decimal}
  id: {type: string, format: uuid}
  link: {type: string, format: uri-reference}
  version: {type: string}
  count: {type: number}
  tags: {type: array, uniqueItems: true, items: {type: string}}
  steps: {type: array, items: {type: string}}
)";

json normal(const json& value, const std::vector<ResponseRule>& rules = {}) {
  spec::document::Library library;
  const auto schema = library.add("test:normal", "schema.yaml", std::string(kSchema),
                                  spec::document::Format::kYaml);
  spec::schema::SchemaSet set;
  spec::schema::compiler::Compiler compiler(library, {}, set);
  const auto id = compiler.compile(schema);
  spec::schema::Summaries summaries(set.program());
  return normal_form(summaries, id, rules, value);
}

struct Pair {
  std::string name;
  json left;
  json right;
  bool equal = true;
};

using NormalForm = spec::tests::RowTest;

TEST_P(NormalForm, is_the_same_for_values_that_are_equal_for_the_contract) {
  const Pair& row = GetParam();

  EXPECT_EQ(normal(row.left) == normal(row.right), row.equal) << normal(row.left) << '\n'
                                                              << normal(row.right);
}

const std::vector<Pair> kNormalFormRows = {
    {"decimals_by_value", {{"price", "12.50"}}, {{"price", "012.5"}}},
    {"minus_nothing", {{"price", "-0.00"}}, {{"price", "0"}}},
    {"other_decimals", {{"price", "12.50"}}, {{"price", "12.51"}}, false},
    {"signs", {{"price", "-1"}}, {{"price", "1"}}, false},
    {"plain_texts_by_letter", {{"version", "1.10"}}, {{"version", "1.1"}}, false},
    {"instants", {{"at", "2025-01-01T02:00:00.500+02:00"}}, {{"at", "2025-01-01t00:00:00.5z"}}},
    {"other_instants",
     {{"at", "2025-01-01T00:00:00.5Z"}},
     {{"at", "2025-01-01T00:00:00.51Z"}},
     false},
    {"a_leap_second", {{"at", "2016-12-31T23:59:60Z"}}, {{"at", "2017-01-01T00:59:60+01:00"}}},
    {"not_the_second_after_it",
     {{"at", "2016-12-31T23:59:60Z"}},
     {{"at", "2017-01-01T00:00:00Z"}},
     false},
    {"beyond_the_years",
     {{"at", "9999-12-31T23:59:59-14:00"}},
     {{"at", "9999-12-31T23:59:59Z"}},
     false},
    {"uuids",
     {{"id", "6F1D7C1E-4b0e-4c57-9a7c-2f4f0f5d9a11"}},
     {{"id", "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a11"}}},
    {"escapes_of_a_uri", {{"link", "/a%7Eb%2f"}}, {{"link", "/a~b%2F"}}},
    {"an_escaped_slash", {{"link", "/a%2Fb"}}, {{"link", "/a/b"}}, false},
    {"web_addresses_without_a_format",
     {{"version", "HTTPS://Me@Example.test/~A"}},
     {{"version", "https://Me@example.test/%7EA"}}},
    {"paths_by_letter", {{"link", "http://x/A"}}, {{"link", "http://x/a"}}, false},
    {"numbers", {{"count", 100.0}}, {{"count", 100}}},
    {"sets", {{"tags", {"a", "b"}}}, {{"tags", {"b", "a"}}}},
    {"other_sets", {{"tags", {"a", "b"}}}, {{"tags", {"a", "c"}}}, false},
    {"lists_in_their_order", {{"steps", {"a", "b"}}}, {{"steps", {"b", "a"}}}, false}};

INSTANTIATE_TEST_SUITE_P(, NormalForm, testing::ValuesIn(spec::tests::rows(kNormalFormRows)),
                         spec::tests::kRowNames);

TEST(NormalFormByRules, uses_decimals_and_sets_that_rules_name) {
  const std::vector<ResponseRule> rules{
      {.rule = "response/inexact-decimal", .at = "/items/*/price"},
      {.rule = "response/unique", .at = "/items", .key = "/id"}};
  const json left = {{"items", {{{"id", "a"}, {"price", "1.0"}}, {{"id", "b"}, {"price", "2"}}}}};
  const json right = {{"items", {{{"id", "b"}, {"price", "2.00"}}, {{"id", "a"}, {"price", "1"}}}}};

  EXPECT_EQ(normal(left, rules), normal(right, rules));
  EXPECT_NE(normal(left), normal(right));
}

TEST(WithoutOrder, ignores_only_the_order_of_lists_at_any_depth) {
  EXPECT_EQ(without_order({{"a", {1, {{"b", {"x", "y"}}}}}}),
            without_order({{"a", {{{"b", {"y", "x"}}}, 1}}}));
  EXPECT_NE(without_order({1, 1, 2}), without_order({1, 2, 2}));
}

TEST(PlainDecimal, is_nothing_for_other_texts) {
  for (const auto* text : {"", "-", "1e5", "+1", "1.", ".5", "1.2.3", " 1", "abc"}) {
    EXPECT_EQ(plain_decimal(text), std::nullopt) << text;
  }
  EXPECT_EQ(plain_decimal("-007.50"), "-7.5");
}

}  // namespace
}  // namespace contract_tests::checks
