#include "spec/schema/generate/identifiers.hpp"

#include "spec/json/read.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/generate/tests/one_schema.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::schema::generate {
namespace {

using testing::StartsWith;

struct Described {
  std::string name;
  std::string text;
  std::string start;
};

using DescribedIdentifiers = spec::tests::RowTest;

TEST_P(DescribedIdentifiers, begin_as_the_text_shows) {
  const Described& row = GetParam();

  EXPECT_EQ(id_start_in(row.text), row.start);
}

const std::vector<Described> kTextsOfIdentifiers = {
    {"an_example", "The customer, e.g. cus_NffrFeUfNV2Hib.", "cus_"},
    {"an_example_with_a_hyphen", "Like file-abc123", "file-"},
    {"the_start_alone", "Starts with `sub_`.", "sub_"},
    {"the_start_and_points", "Such as in_...", "in_"},
    {"hidden_characters", "prod_xxxxxx", "prod_"},
    {"two_words", "sub_sched_1MowQULkdIwHu7ixraBm864M", "sub_sched_"},
    {"a_name_of_a_member", "The customer_id of the order", ""},
    {"a_model", "One of gpt-4o and gpt-4o-2024", ""},
    {"a_date", "Since 2024-01-01, utf-8, ISO-8601, X-Request-Id", ""},
    {"a_uuid", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", ""}};

INSTANTIATE_TEST_SUITE_P(Texts, DescribedIdentifiers,
                         testing::ValuesIn(spec::tests::rows(kTextsOfIdentifiers)),
                         spec::tests::kRowNames);

TEST(Identifiers, begin_as_the_thing_is_called) {
  EXPECT_EQ(id_start_of_thing("Customer"), "cus_");
  EXPECT_EQ(id_start_of_thing("InvoiceResponse"), "inv_");
  EXPECT_EQ(id_start_of_thing("CreateOrderResponse"), "ord_");
  EXPECT_EQ(id_start_of_thing("data"), "");
  EXPECT_EQ(id_start_of_component("OpenAIFile", "files"), "fil_");
  EXPECT_EQ(id_start_of_component("Invoice", "cancel"), "inv_");
}

nlohmann::json generated(const std::string& schema, const std::string& thing) {
  const OneSchema one(schema);
  return Generator(one.schemas).generate(one.id, {.seed = 3, .thing = thing}).value();
}

TEST(Identifiers, of_objects_without_a_name_begin_as_the_subject_of_the_call) {
  const auto made = generated(
      R"({"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}})",
      "orders");

  EXPECT_THAT(made["id"].get<std::string>(), StartsWith("ord_"));
}

TEST(Identifiers, stand_for_a_record_that_may_be_there_instead) {
  const auto made = generated(
      R"({"type": "object", "required": ["owner"], "properties": {"owner": {"anyOf": [
            {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}},
            {"type": "string", "description": "own_8aZ31kd0"}]}}})",
      "");

  EXPECT_TRUE(made["owner"].is_string()) << made;
}

}  // namespace
}  // namespace spec::schema::generate
