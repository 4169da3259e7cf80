#include "spec/schema/generate/boundary.hpp"

#include "spec/json/value.hpp"
#include "spec/schema/generate/tests/one_schema.hpp"
#include "spec/text/utf8.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace spec::schema::generate {
namespace {

using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;

std::vector<BoundaryCase> cases_of(const OneSchema& one) {
  return boundary_cases(one.schemas, Generator(one.schemas), one.id, {.seed = 3});
}

// "keyword at place" of each violated keyword.
std::set<std::string> violated(const std::string& schema) {
  const OneSchema one(schema);
  std::set<std::string> names;
  for (const BoundaryCase& each : cases_of(one)) {
    if (!each.valid) {
      names.insert(each.keyword + " at " + each.place);
    }
  }
  return names;
}

constexpr const char* kRecord = R"({"type":"object","required":["size","name","tags"],
    "additionalProperties":false,
    "properties":{"size":{"type":"integer","minimum":1,"maximum":100},
                  "name":{"type":"string","minLength":2,"maxLength":8,"pattern":"^[a-z]+$"},
                  "kind":{"enum":["a","b"]},
                  "tags":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3,
                          "uniqueItems":true}}})";

TEST(BoundaryCases, violate_each_keyword_alone) {
  EXPECT_THAT(
      violated(kRecord),
      IsSupersetOf({"type at ", "required at ", "additionalProperties at ", "type at /size",
                    "minimum at /size", "maximum at /size", "type at /name", "minLength at /name",
                    "maxLength at /name", "pattern at /name", "enum at /kind", "type at /tags",
                    "minItems at /tags", "uniqueItems at /tags", "type at /tags/0"}));
}

TEST(BoundaryCases, violate_nothing_else) {
  const OneSchema one(kRecord);
  std::vector<std::string> wrong;
  for (const BoundaryCase& each : cases_of(one)) {
    for (const Violation& violation : validate(one.schemas, one.id, each.instance)) {
      if (each.valid || violation.statement != each.statement) {
        wrong.push_back(each.change + " breaks " + violation.keyword);
      }
    }
  }

  EXPECT_THAT(wrong, IsEmpty());
}

struct BreakableRow {
  const char* name;
  const char* schema;
  const char* violated;  // "keyword at place"
};

void PrintTo(const BreakableRow& row, std::ostream* out) {
  *out << row.name;
}

constexpr BreakableRow kBreakable[] = {
    {"multiple_of_an_integer", R"({"type":"integer","multipleOf":5})", "multipleOf at "},
    {"multiple_of_a_fraction", R"({"type":"number","multipleOf":0.25})", "multipleOf at "},
    {"max_properties",
     R"({"type":"object","maxProperties":3,"properties":{"a":{"type":"string"}}})",
     "maxProperties at "},
    {"max_properties_of_named_members",
     R"({"type":"object","maxProperties":3,"additionalProperties":{"type":"integer"},
         "propertyNames":{"pattern":"^[a-z_0-9]+$"}})",
     "maxProperties at "},
    {"max_properties_of_members_of_a_pattern",
     R"({"type":"object","maxProperties":2,"additionalProperties":false,"required":["x-a","x-b"],
         "patternProperties":{"^x-":{"type":"string"}}})",
     "maxProperties at "},
    {"min_properties",
     R"({"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}})",
     "minProperties at "},
    {"property_names",
     R"({"type":"object","minProperties":1,"propertyNames":{"pattern":"^[a-z]+$"}})",
     "propertyNames at "},
    {"property_names_of_a_length",
     R"({"type":"object","minProperties":1,"propertyNames":{"maxLength":12}})",
     "propertyNames at "},
    {"pattern_properties",
     R"({"type":"object","required":["x-a"],"patternProperties":{"^x-":{"type":"integer"}}})",
     "type at /x-a"},
    {"pattern_properties_without_a_member",
     R"({"type":"object","patternProperties":{"^x-[a-z]+$":{"type":"integer","minimum":5}}})",
     "minimum at "},
    {"pattern_properties_of_themselves",
     R"({"type":"object","maxProperties":2,"patternProperties":{"^x$":{"$ref":"#"}}})",
     "maxProperties at "},
    {"additional_properties",
     R"({"type":"object","required":["a"],"additionalProperties":{"type":"integer"}})",
     "type at /a"},
    {"contains",
     R"({"type":"array","minItems":2,"items":{"type":"integer"},"contains":{"minimum":10}})",
     "contains at "},
    {"max_contains", R"({"type":"array","minItems":2,"contains":{"const":"a"},"maxContains":1})",
     "maxContains at "},
    {"dependent_required",
     R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
         "dependentRequired":{"a":["b"]}})",
     "dependentRequired at "},
    {"dependent_schemas",
     R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
         "dependentSchemas":{"a":{"required":["b"]}}})",
     "required at "},
    {"unique_items_of_a_fixed_count",
     R"({"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2,"uniqueItems":true})",
     "uniqueItems at "},
    {"max_length_beside_a_pattern", R"({"type":"string","pattern":"^[b-y]+$","maxLength":8})",
     "maxLength at "},
    {"min_length_beside_a_pattern", R"({"type":"string","pattern":"^[b-y]+$","minLength":3})",
     "minLength at "},
    {"pattern_of_a_fixed_length",
     R"({"type":"string","pattern":"^[0-9]{3}$","minLength":3,"maxLength":3})", "pattern at "},
};

class BoundaryCasesOfAKeyword : public testing::TestWithParam<BreakableRow> {};

TEST_P(BoundaryCasesOfAKeyword, violate_it) {
  EXPECT_THAT(violated(GetParam().schema), testing::Contains(GetParam().violated));
}

INSTANTIATE_TEST_SUITE_P(Keywords, BoundaryCasesOfAKeyword, testing::ValuesIn(kBreakable),
                         [](const auto& row) { return std::string(row.param.name); });

// Source: JSON Schema 2020-12 Validation §6.3.1: characters of RFC 8259, not bytes.
TEST(BoundaryCases, count_the_characters_of_a_text_and_cut_none) {
  const OneSchema one(R"({"type":"string","minLength":2,"maxLength":4,"examples":["éèê"]})");
  std::set<std::string> texts;
  for (const BoundaryCase& each : cases_of(one)) {
    if (each.keyword == "minLength" || each.keyword == "maxLength") {
      texts.insert(each.instance.get<std::string>() + (each.valid ? " is valid" : ""));
    }
  }

  EXPECT_THAT(texts, IsSupersetOf({"é", "éè is valid", "éèêa is valid", "éèêaa"}));
}

TEST(BoundaryCases, show_long_values_cut_between_characters) {
  const OneSchema one(R"({"type":"string","minLength":70,
      "examples":["éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé"]})");
  std::vector<std::string> wrong;
  for (const BoundaryCase& each : cases_of(one)) {
    if (!text::is_utf8(each.change)) {
      wrong.push_back(each.change);
    }
  }

  EXPECT_THAT(wrong, IsEmpty());
}

TEST(BoundaryCases, violate_a_discriminator_alone) {
  const OneSchema one(R"({"oneOf":[{"$ref":"#/$defs/Cat"},{"$ref":"#/$defs/Dog"}],
      "discriminator":{"propertyName":"kind"},
      "$defs":{"Cat":{"type":"object","required":["kind","purrs"],
                      "properties":{"kind":{"type":"string"},"purrs":{"type":"boolean"}}},
               "Dog":{"type":"object","required":["kind","barks"],
                      "properties":{"kind":{"type":"string"},"barks":{"type":"boolean"}}}}})",
                      {.dialect = Dialect::kOpenApi31});
  std::set<std::string> names;
  for (const BoundaryCase& each : cases_of(one)) {
    names.insert(each.keyword + " at " + each.place);
  }

  EXPECT_THAT(names, testing::Contains("discriminator at /kind"));
}

TEST(BoundaryCases, lie_on_both_sides_of_each_bound) {
  const OneSchema one(R"({"type":"integer","minimum":1,"maximum":100})");
  std::set<std::string> valid;
  std::set<std::string> invalid;
  for (const BoundaryCase& each : cases_of(one)) {
    (each.valid ? valid : invalid).insert(spec::json::write(each.instance));
  }

  EXPECT_THAT(valid, IsSupersetOf({"1", "100"}));
  EXPECT_THAT(invalid, IsSupersetOf({"0", "101"}));
}

// The valid instances at a bound or between two.
std::set<std::string> kept(const std::string& schema, Dialect dialect = Dialect::k2020_12) {
  const OneSchema one(schema, {.dialect = dialect});
  std::set<std::string> valid;
  for (const BoundaryCase& each : cases_of(one)) {
    if (each.valid) {
      valid.insert(spec::json::write(each.instance));
    }
  }
  return valid;
}

TEST(BoundaryCases, are_next_to_a_bound_that_is_excluded) {
  EXPECT_THAT(kept(R"({"type":"integer","exclusiveMinimum":10,"exclusiveMaximum":1000})"),
              UnorderedElementsAre("11", "999"));
  EXPECT_THAT(kept(R"({"type":"integer","minimum":10,"exclusiveMinimum":true,"maximum":1000,
                       "exclusiveMaximum":true})",
                   Dialect::kOpenApi30),
              UnorderedElementsAre("11", "999"));
}

TEST(BoundaryCases, have_as_few_and_as_many_elements_as_there_may_be) {
  EXPECT_THAT(kept(R"({"type":"array","items":{"const":1},"minItems":2,"maxItems":4,
                       "default":[1,1,1]})"),
              UnorderedElementsAre("[1,1]", "[1,1,1,1]"));
  EXPECT_THAT(kept(R"({"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":4,
                       "uniqueItems":true,"default":[1,2]})"),
              IsSupersetOf<testing::Matcher<std::string>>(
                  {testing::Eq("[1]"), testing::MatchesRegex(R"(\[1,2,-?[0-9]+,-?[0-9]+\])")}));
}

TEST(BoundaryCases, have_as_few_and_as_many_members_as_there_may_be) {
  EXPECT_THAT(kept(R"({"type":"object","additionalProperties":{"const":1},"minProperties":1,
                       "maxProperties":3,"default":{"a":1,"b":1}})"),
              IsSupersetOf({R"({"b":1})", R"({"a":1,"aa":1,"b":1})"}));
}

TEST(BoundaryCases, have_a_longest_text_of_characters_beyond_utf_16_units) {
  EXPECT_THAT(kept(R"({"type":"string","maxLength":3,"default":"ab"})"),
              UnorderedElementsAre(R"("aba")", "\"\U0001F4D8\U0001F4D8\U0001F4D8\""));
  EXPECT_THAT(kept(R"({"type":"string","maxLength":3,"pattern":"^[b-y]+$","default":"bc"})"),
              UnorderedElementsAre(R"("bcc")"));
}

TEST(BoundaryCases, have_a_fraction_and_a_negative_number_of_a_range) {
  EXPECT_THAT(kept(R"({"type":"number","minimum":0,"maximum":5,"default":2})"),
              UnorderedElementsAre("0", "5", "2.5"));
  EXPECT_THAT(kept(R"({"type":"number","minimum":0,"maximum":5,"default":5,"format":"double"})"),
              UnorderedElementsAre("0", "4.5"));
  EXPECT_THAT(kept(R"({"type":"integer","exclusiveMinimum":-3,"maximum":5,"default":2})"),
              UnorderedElementsAre("-2", "5"));
  EXPECT_THAT(kept(R"({"type":"integer","minimum":-3,"maximum":5,"default":2})"),
              UnorderedElementsAre("-3", "5"));
}

TEST(BoundaryCases, have_no_number_that_a_service_may_have_a_reason_to_reject) {
  EXPECT_THAT(kept(R"({"type":"number","minimum":0,"default":2})"), UnorderedElementsAre("0"));
  EXPECT_THAT(kept(R"({"type":"number","exclusiveMinimum":-3,"default":2})"), IsEmpty());
  EXPECT_THAT(kept(R"({"type":"number","minimum":0,"maximum":5,"multipleOf":0.5,"default":2})"),
              UnorderedElementsAre("0", "5"));
  EXPECT_THAT(kept(R"({"type":"number","minimum":0,"maximum":5,"format":"cents","default":2})"),
              UnorderedElementsAre("0", "5"));
}

TEST(BoundaryCases, violate_each_keyword_once_before_any_twice) {
  const OneSchema one(R"({"type":"object","required":["a","b"],"properties":{
      "a":{"type":"integer","minimum":1},"b":{"type":"array","uniqueItems":true}}})");
  std::vector<std::string> names;
  for (const BoundaryCase& each : cases_of(one)) {
    names.push_back(each.keyword + " at " + each.place);
  }
  names.resize(6);

  EXPECT_THAT(names, UnorderedElementsAre("type at ", "required at ", "type at /a", "minimum at /a",
                                          "type at /b", "uniqueItems at /b"));
}

TEST(BoundaryCases, look_into_the_last_element_too) {
  const OneSchema one(R"({"type":"array","minItems":3,"items":{"type":"boolean"}})");
  std::set<std::string> places;
  for (const BoundaryCase& each : cases_of(one)) {
    places.insert(each.place);
  }

  EXPECT_THAT(places, IsSupersetOf({"/0", "/2"}));
}

}  // namespace
}  // namespace spec::schema::generate
