// Schemas that ask for more than a name or a format gives away: each has instances, for every seed.

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/generate/tests/one_schema.hpp"
#include "spec/schema/tests/twin/evaluate.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace spec::schema::generate {
namespace {

using nlohmann::json;

constexpr CompileOptions kOpenApi{.dialect = Dialect::kOpenApi31};

struct HardRow {
  std::string name;
  std::string schema;
};

using HardSchema = spec::tests::RowTest;

// Validated by the twin and, for the formats of OpenAPI, by the validator.
TEST_P(HardSchema, has_instances_for_every_seed) {
  const HardRow& row = GetParam();

  const OneSchema one(row.schema, kOpenApi);
  const Generator generator(one.schemas);
  twin::Documents documents;
  const twin::Place place =
      documents.add("https://example.test/root", spec::json::read(row.schema).value());
  std::vector<std::string> wrong;

  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto instance = generator.generate(one.id, {.seed = seed});
    if (!instance) {
      wrong.push_back(instance.error().message);
    } else if (!twin::is_valid(documents, place, *instance,
                               {.assert_format = true, .open_api = true}) ||
               check(one.schemas, one.id, *instance) != Verdict::kValid) {
      wrong.push_back(spec::json::write(*instance));
    }
  }

  EXPECT_THAT(wrong, testing::IsEmpty());
}

HardRow text(std::string name, const std::string& keywords) {
  return {std::move(name), R"({"type":"string",)" + keywords + '}'};
}

const std::vector<HardRow> kPatternsHardSchema = {
    text("script", R"("pattern":"^\\p{Script=Greek}{3,5}$")"),
    text("short_script", R"("pattern":"^\\p{sc=Cyrl}+$")"),
    text("category", R"("pattern":"^\\p{Sc}\\d+$")"),
    text("no_letters", R"("pattern":"^\\P{L}{4}$")"),
    text("class_of_properties", R"("pattern":"^[\\p{Lu}\\p{Script=Han}]{2}$")"),
    text("lookbehind", R"("pattern":"(?<=\\$)\\d{2}$")"),
    text("negative_lookbehind", R"("pattern":"^\\d{2}(?<!00)$")"),
    text("lookahead_at_the_end", R"x("pattern":"^ab(?=cd)")x"),
    text("named_reference", R"("pattern":"^(?<half>[a-z]{2})-\\k<half>$")"),
    text("two_named_references", R"("pattern":"^(?<a>\\d)(?<b>[x-z])\\k<b>\\k<a>$")"),
    text("control_character", R"("pattern":"^\\cJ\\0$")"),
    text("every_password", R"("minLength":8,"allOf":[{"pattern":"[0-9]"},{"pattern":"[A-Z]"}])")};

INSTANTIATE_TEST_SUITE_P(Patterns, HardSchema,
                         testing::ValuesIn(spec::tests::rows(kPatternsHardSchema)),
                         spec::tests::kRowNames);

const std::vector<HardRow> kFormatsHardSchema = {
    text("date_time_in_utc", R"("format":"date-time","pattern":"Z$")"),
    text("date_time_with_milliseconds", R"("format":"date-time","pattern":"\\.\\d{3}Z$")"),
    text("date_time_without_fraction",
         R"("format":"date-time","pattern":"^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$")"),
    text("short_date_time", R"("format":"date-time","maxLength":20)"),
    text("one_character", R"("format":"char")"),
    text("base64url", R"("format":"base64url")"),
    text("digit", R"("format":"double","maxLength":1)")};

INSTANTIATE_TEST_SUITE_P(Formats, HardSchema,
                         testing::ValuesIn(spec::tests::rows(kFormatsHardSchema)),
                         spec::tests::kRowNames);

const std::vector<HardRow> kStructuresHardSchema = {
    {"members_by_an_open_pattern",
     R"({"type":"object","minProperties":3,"patternProperties":{"^x-":{"type":"integer"}},
                 "additionalProperties":false})"},
    {"members_by_the_end_of_a_pattern",
     R"({"type":"object","minProperties":3,"patternProperties":{"_id$":{"type":"string"}},
                 "additionalProperties":false})"},
    {"members_by_two_patterns",
     R"({"type":"object","minProperties":2,"additionalProperties":false,
                 "patternProperties":{"^a$":{"type":"string"},"^b$":{"type":"integer"}}})"},
    {"members_beside_a_forbidden_pattern",
     R"({"type":"object","minProperties":2,"patternProperties":{"^x-":false}})"},
    {"two_conditions",
     R"({"type":"object","required":["method"],"properties":{"method":{"enum":["card","bank"]}},
                 "allOf":[{"if":{"properties":{"method":{"const":"card"}}},"then":{"required":["number"],
                 "properties":{"number":{"type":"string"}}}},
                 {"if":{"properties":{"method":{"const":"bank"}}},"then":{"required":["iban"],
                 "properties":{"iban":{"type":"string","minLength":3}}}}]})"},
    {"five_conditions",
     R"({"type":"object","required":["k"],"properties":{"k":{"enum":[1,2,3,4,5]}},"allOf":[
                 {"if":{"properties":{"k":{"const":1}}},"then":{"required":["a"]}},
                 {"if":{"properties":{"k":{"const":2}}},"then":{"required":["b"]}},
                 {"if":{"properties":{"k":{"const":3}}},"then":{"required":["c"]}},
                 {"if":{"properties":{"k":{"const":4}}},"then":{"required":["d"]}},
                 {"if":{"properties":{"k":{"const":5}}},"then":{"required":["e"]}}]})"},
    {"branches_of_optional_members",
     R"({"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},
                 {"type":"object","properties":{"b":{"type":"string"}}}]})"},
    {"branches_inside_a_member",
     R"({"type":"object","required":["o"],"properties":{"o":{"oneOf":[
                 {"type":"object","properties":{"a":{"type":"string"}}},
                 {"type":"object","properties":{"b":{"type":"string"}}}]}}})"},
    {"different_dates", R"({"type":"array","uniqueItems":true,"minItems":10,
                                    "items":{"type":"string","format":"date"}})"},
    {"narrow_open_interval", R"({"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.001})"}};

INSTANTIATE_TEST_SUITE_P(Structures, HardSchema,
                         testing::ValuesIn(spec::tests::rows(kStructuresHardSchema)),
                         spec::tests::kRowNames);

json open_api_instance(const std::string& schema, std::uint64_t seed = 0) {
  return generated(schema, {.seed = seed}, kOpenApi);
}

TEST(Examples, of_elements_are_shown_in_turn) {
  std::set<std::string> shown;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const json instance = open_api_instance(
        R"({"type":"array","minItems":3,"items":{"type":"string","examples":["e1","e2"]}})", seed);
    shown.insert(instance.begin(), instance.end());
  }

  EXPECT_EQ(shown, (std::set<std::string>{"e1", "e2"}));
}

TEST(Dependents, that_need_each_other_have_an_instance) {
  const json instance = open_api_instance(
      R"({"type":"object","required":["a"],"dependentRequired":{"a":["b"],"b":["a"]},)"
      R"("dependentSchemas":{"a":{"properties":{"b":{"const":1}}}}})");

  EXPECT_EQ(instance.at("b"), 1);
}

TEST(Maps, have_members) {
  const json instance =
      open_api_instance(R"({"type":"object","additionalProperties":{"type":"integer"}})");

  EXPECT_FALSE(instance.empty());
}

TEST(Encoded, texts_are_base64) {
  const json instance = open_api_instance(R"({"type":"string","contentEncoding":"base64"})");

  EXPECT_THAT(instance.get<std::string>(), testing::MatchesRegex("[A-Za-z0-9+/]+=*"));
  EXPECT_EQ(instance.get<std::string>().size() % 4, 0U);
}

struct Reason {
  std::string name;
  std::string schema;
  std::string says;
};

using GenerateFailure = spec::tests::RowTest;

TEST_P(GenerateFailure, is_reported_with_the_place) {
  const Reason& row = GetParam();

  const OneSchema one(row.schema);

  const auto instance = Generator(one.schemas).generate(one.id);

  ASSERT_FALSE(instance);
  EXPECT_THAT(instance.error().message, testing::HasSubstr(row.says));
}

const std::vector<Reason> kReasonsGenerateFailure = {
    {"crossed_bounds_of_a_member",
     R"({"type":"object","required":["size"],"properties":{"size":{"type":"integer",
                   "minimum":5,"maximum":4}}})",
     R"(no value of "size" satisfies minimum and maximum at /properties/size)"},
    {"constant_that_is_not_listed",
     R"({"type":"object","required":["c"],"properties":{"c":{"const":1,"enum":[2]}}})",
     R"(no value of "c" satisfies const and enum at /properties/c)"},
    {"too_long", R"({"type":"string","minLength":1000000000})", "too large to generate"},
    {"too_many", R"({"type":"array","minItems":1000000})", "too large to generate"}};

INSTANTIATE_TEST_SUITE_P(Reasons, GenerateFailure,
                         testing::ValuesIn(spec::tests::rows(kReasonsGenerateFailure)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::schema::generate
