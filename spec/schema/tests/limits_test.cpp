// Schemas and instances that are made to hurt: bounded time, no crash, and "undecided" where a
// limit is met.

#include "spec/json/read.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/rows.hpp"
#include "spec/tests/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <ctime>
#include <ostream>
#include <string>
#include <vector>

namespace spec::schema {
namespace {

using Json = nlohmann::json;

// A run without bounds takes minutes; unoptimised and sanitized builds take seconds. Of this
// process alone: others may keep the machine busy.
constexpr double kPatienceSeconds = 30;
// Quick runs took seconds when the work was quadratic.
constexpr double kQuickSeconds = 1;

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// A schema with what keeps it alive.
struct Compiled {
  document::Library library;
  SchemaSet schemas;
  SchemaId id = 0;

  explicit Compiled(std::string_view text) {
    compiler::Compiler compiler(library, {}, schemas);
    id = compiler.compile(library.add("file:///s.yaml", "s.yaml", text, document::Format::kYaml));
  }

  Verdict validator(const Json& instance, ValidateOptions options = {}) const {
    return check(schemas, id, instance, options);
  }
};

Json nested(int depth, const char* name, Json innermost) {
  for (int i = 0; i < depth; ++i) {
    innermost = Json{{name, std::move(innermost)}};
  }
  return innermost;
}

constexpr std::string_view kDoubling = R"({
  oneOf: [
    {type: object, properties: {n: {$ref: '#'}}, required: [n]},
    {type: object, properties: {n: {$ref: '#'}, x: {type: integer}}, required: [x]},
    {type: string, minLength: 1}]})";

TEST(Limits, one_of_thirty_deep_is_decided_in_bounded_time) {
  const Compiled schema(kDoubling);
  const std::clock_t start = std::clock();

  EXPECT_EQ(schema.validator(nested(100, "n", "a")), Verdict::kValid);
  EXPECT_EQ(schema.validator(nested(100, "n", 5)), Verdict::kInvalid);
  EXPECT_THAT(validate(schema.schemas, schema.id, nested(100, "n", 5)), testing::SizeIs(1));
  EXPECT_LT(seconds_since(start), kPatienceSeconds);
}

TEST(Limits, a_message_about_alternatives_in_alternatives_stays_short) {
  const Compiled schema(
      "{anyOf: [{required: [a], properties: {n: {$ref: '#'}}},"
      "{required: [b], properties: {n: {$ref: '#'}}}]}");

  const auto violations = validate(schema.schemas, schema.id, nested(60, "n", Json::object()));

  ASSERT_THAT(violations, testing::SizeIs(1));
  EXPECT_LT(violations[0].message.text().size(), 2000U);
}

TEST(Limits, steps_that_run_out_leave_the_verdict_open) {
  const Compiled schema("{items: {allOf: [{minimum: 0}, {maximum: 9}]}}");
  const Json instance(1000, 5);

  EXPECT_EQ(schema.validator(instance, {.max_steps = 100}), Verdict::kUndecided);
  EXPECT_EQ(schema.validator(instance, {.max_steps = 10'000}), Verdict::kValid);
  const auto violations = validate(schema.schemas, schema.id, instance, {.max_steps = 100});
  ASSERT_FALSE(violations.empty());
  EXPECT_TRUE(violations[0].undecided);
}

TEST(Limits, a_dynamic_reference_to_itself_is_left_undecided) {
  const Compiled schema("{$dynamicAnchor: a, $dynamicRef: '#a'}");

  EXPECT_EQ(schema.validator(1), Verdict::kUndecided);
  const auto violations = validate(schema.schemas, schema.id, 1);
  ASSERT_FALSE(violations.empty());
  EXPECT_TRUE(violations[0].undecided);
}

TEST(Limits, a_long_chain_of_references_is_followed) {
  // Long enough to take minutes if its end were looked for from each of its links.
  constexpr int kLinks = spec::tests::kIsSanitized ? 20'000 : 200'000;
  std::string text = "{$ref: '#/$defs/d0', $defs: {";
  for (int i = 0; i < kLinks; ++i) {
    text += 'd' + std::to_string(i) + ": {$ref: '#/$defs/d" + std::to_string(i + 1) + "'}, ";
  }
  const auto began = std::chrono::steady_clock::now();
  const Compiled schema(text + 'd' + std::to_string(kLinks) + ": {type: string}}}");

  EXPECT_EQ(schema.validator("a"), Verdict::kValid);
  EXPECT_EQ(schema.validator(1), Verdict::kInvalid);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST(Limits, a_long_chain_of_compositions_is_left_undecided) {
  std::string text = "{$ref: '#/$defs/d0', $defs: {";
  for (int i = 0; i < 5000; ++i) {
    text += 'd' + std::to_string(i) + ": {title: a, allOf: [{$ref: '#/$defs/d" +
            std::to_string(i + 1) + "'}, {}]}, ";
  }
  const Compiled schema(text + "d5000: {type: string}}}");

  EXPECT_EQ(schema.validator(1), Verdict::kUndecided);
  EXPECT_FALSE(validate(schema.schemas, schema.id, 1).empty());
}

TEST(Limits, deep_instances_are_validated) {
  const Compiled schema("{properties: {n: {$ref: '#'}}, additionalProperties: false}");

  EXPECT_EQ(schema.validator(nested(500, "n", Json::object())), Verdict::kValid);
  EXPECT_EQ(schema.validator(nested(10'000, "n", Json::object())), Verdict::kUndecided);
}

// An element's text is `left`, a number of its own where they differ, and `right`.
struct Elements {
  std::string name;
  std::string left;
  std::string right;
};

constexpr int kElements = 100'000;

void PrintTo(const Elements& elements, std::ostream* out) {
  *out << elements.left << "..." << elements.right;
}

class ManyElements : public testing::TestWithParam<Elements> {
 protected:
  static std::string element(int number) {
    return GetParam().left + std::to_string(1'000'000 + number) + GetParam().right;
  }
};

TEST_P(ManyElements, are_distinguished_in_bounded_time) {
  const Compiled schema("{uniqueItems: true}");
  std::string text = "[" + element(0);
  for (int i = 1; i < kElements; ++i) {
    text += ',' + element(i);
  }
  const Json distinct = json::read(text + ']').value();
  const Json repeated = json::read(text + ',' + element(7) + ']').value();
  const std::clock_t start = std::clock();

  EXPECT_EQ(schema.validator(distinct), Verdict::kValid);
  EXPECT_EQ(schema.validator(repeated), Verdict::kInvalid);
  EXPECT_EQ(
      validate(schema.schemas, schema.id, repeated).at(0).message.text(),
      "must have unique elements, but elements 7 and " + std::to_string(kElements) + " are equal");
  EXPECT_LT(seconds_since(start), kPatienceSeconds);
}

TEST_P(ManyElements, are_found_equal_in_bounded_time) {
  const Compiled schema("{uniqueItems: true}");
  const Json equal(kElements, json::read(element(0)).value());
  const std::clock_t start = std::clock();

  EXPECT_EQ(schema.validator(equal), Verdict::kInvalid);
  EXPECT_EQ(validate(schema.schemas, schema.id, equal).at(0).message.text(),
            "must have unique elements, but elements 0 and 1 are equal");
  EXPECT_LT(seconds_since(start), kQuickSeconds);
}

// Also numbers that have the same nearest double, of which there are as many as one likes.
INSTANTIATE_TEST_SUITE_P(
    Limits, ManyElements,
    testing::Values(Elements{"numbers", "", ""}, Elements{"strings", "\"n", "\""},
                    Elements{"objects", R"({"name": "n", "id": )", "}"},
                    Elements{"arrays", "[[", "], 1]"},
                    Elements{"numbers_of_one_double", "1000000000000000000000000", ""},
                    Elements{"fractions_of_one_double", "0.1000000000000000000000000", ""},
                    Elements{"objects_of_one_double", R"({"id": 1000000000000000000000000)", "}"}),
    tests::kRowNames);

TEST(Limits, a_hundred_thousand_members_are_validated_in_time) {
  const Compiled schema(
      "{properties: {a: {type: integer}}, patternProperties: {'^n': {type: integer}}, "
      "required: [n0], unevaluatedProperties: false}");
  Json instance = Json::object();
  for (int i = 0; i < 100'000; ++i) {
    instance['n' + std::to_string(i)] = i;
  }
  const std::clock_t start = std::clock();

  EXPECT_EQ(schema.validator(instance), Verdict::kValid);
  instance["z"] = 1;
  EXPECT_EQ(schema.validator(instance), Verdict::kInvalid);
  EXPECT_LT(seconds_since(start), kPatienceSeconds);
}

// Each search alone is bounded; a thousand of them must be too.
TEST(Limits, patterns_that_are_too_hard_are_not_tried_for_ever) {
  const Compiled schema(
      "{items: {pattern: '^(?=a)(a+)+$'}, patternProperties: {'^(?=a)(a+)+$': {}}}");
  const std::string hard = std::string(60, 'a') + '!';
  Json members = Json::object();
  for (int i = 0; i < 1000; ++i) {
    members[hard + std::to_string(i)] = i;
  }
  const std::clock_t start = std::clock();

  EXPECT_EQ(schema.validator(Json(1000, hard)), Verdict::kUndecided);
  EXPECT_EQ(schema.validator(members), Verdict::kUndecided);
  EXPECT_FALSE(validate(schema.schemas, schema.id, members).empty());
  EXPECT_LT(seconds_since(start), kPatienceSeconds);
}

struct LimitRow {
  std::string name;
  std::string schema;
  Verdict expected = Verdict::kUndecided;
};

using UndecidedPart = spec::tests::RowTest;

// "hard" is a pattern that meets the match limit on the instance.
TEST_P(UndecidedPart, decides_only_where_it_does_not_matter) {
  const LimitRow& row = GetParam();

  const Compiled schema("{$defs: {hard: {pattern: '^(?=a)(a+)+$'}}, " + row.schema + '}');

  EXPECT_EQ(schema.validator(std::string(60, 'a') + '!'), row.expected);
}

const std::vector<LimitRow> kKeywordsUndecidedPart = {
    {"alone", "$ref: '#/$defs/hard'", Verdict::kUndecided},
    {"not_", "not: {$ref: '#/$defs/hard'}", Verdict::kUndecided},
    {"beside_a_violation", "$ref: '#/$defs/hard', maxLength: 1", Verdict::kInvalid},
    {"any_of_with_another", "anyOf: [{$ref: '#/$defs/hard'}, {}]", Verdict::kValid},
    {"any_of_with_a_violation", "anyOf: [{$ref: '#/$defs/hard'}, false]", Verdict::kUndecided},
    {"one_of_with_another", "oneOf: [{$ref: '#/$defs/hard'}, {}]", Verdict::kUndecided},
    {"one_of_with_two_others", "oneOf: [{$ref: '#/$defs/hard'}, {}, true]", Verdict::kInvalid},
    {"if_", "if: {$ref: '#/$defs/hard'}, then: false", Verdict::kUndecided}};

INSTANTIATE_TEST_SUITE_P(Keywords, UndecidedPart,
                         testing::ValuesIn(spec::tests::rows(kKeywordsUndecidedPart)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::schema
