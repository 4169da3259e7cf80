// Each keyword that makes a rule is decided and explained: the switches over Keyword have a default
// for all that one does not treat by itself, and would take a forgotten one for something else.

#include "spec/json/read.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/program.hpp"
#include "spec/schema/validator/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema {
namespace {

struct KeywordCase {
  Keyword keyword;
  std::string_view schema;
  std::string_view valid;  // "" if no instance is
  std::string_view invalid;
  std::string_view violated;  // the keyword that is said to be
};

constexpr std::array kCases = std::to_array<KeywordCase>({
    {Keyword::kFalse, "false", "", "1", "false"},
    {Keyword::kType, "{type: integer}", "1", R"("a")", "type"},
    {Keyword::kEnum, "{enum: [1]}", "1", "2", "enum"},
    {Keyword::kConst, "{const: 1}", "1", "2", "const"},
    {Keyword::kMultipleOf, "{multipleOf: 2}", "2", "3", "multipleOf"},
    {Keyword::kMaximum, "{maximum: 2}", "2", "3", "maximum"},
    {Keyword::kExclusiveMaximum, "{exclusiveMaximum: 2}", "1", "2", "exclusiveMaximum"},
    {Keyword::kMinimum, "{minimum: 2}", "2", "1", "minimum"},
    {Keyword::kExclusiveMinimum, "{exclusiveMinimum: 2}", "3", "2", "exclusiveMinimum"},
    {Keyword::kMaxLength, "{maxLength: 1}", R"("a")", R"("ab")", "maxLength"},
    {Keyword::kMinLength, "{minLength: 1}", R"("a")", R"("")", "minLength"},
    {Keyword::kPattern, "{pattern: a}", R"("a")", R"("b")", "pattern"},
    {Keyword::kFormat, "{format: date}", R"("2025-01-01")", R"("b")", "format"},
    {Keyword::kMaxItems, "{maxItems: 1}", "[1]", "[1, 2]", "maxItems"},
    {Keyword::kMinItems, "{minItems: 1}", "[1]", "[]", "minItems"},
    {Keyword::kUniqueItems, "{uniqueItems: true}", "[1]", "[1, 1]", "uniqueItems"},
    {Keyword::kMaxProperties, "{maxProperties: 0}", "{}", R"({"a": 1})", "maxProperties"},
    {Keyword::kMinProperties, "{minProperties: 1}", R"({"a": 1})", "{}", "minProperties"},
    {Keyword::kNotUnderstood, "{pattern: '('}", "1", "", ""},
    {Keyword::kRequired, "{required: [a]}", R"({"a": 1})", "{}", "required"},
    {Keyword::kProperties, "{properties: {a: {const: 1}}}", R"({"a": 1})", R"({"a": 2})", "const"},
    {Keyword::kPatternProperties, "{patternProperties: {a: {const: 1}}}", R"({"a": 1})",
     R"({"a": 2})", "const"},
    {Keyword::kAdditionalProperties, "{additionalProperties: false}", "{}", R"({"a": 1})",
     "additionalProperties"},
    {Keyword::kObject, "{required: [a], properties: {a: true}}", R"({"a": 1})", "{}", "required"},
    {Keyword::kPropertyNames, "{propertyNames: {const: a}}", R"({"a": 1})", R"({"b": 1})",
     "propertyNames"},
    {Keyword::kDependentRequired, "{dependentRequired: {a: [b]}}", "{}", R"({"a": 1})",
     "dependentRequired"},
    {Keyword::kPrefixItems, "{prefixItems: [{const: 1}]}", "[1]", "[2]", "const"},
    {Keyword::kItems, "{items: {const: 1}}", "[1]", "[2]", "const"},
    {Keyword::kContains, "{contains: {const: 1}}", "[1]", "[2]", "contains"},
    {Keyword::kDiscriminator,
     "{oneOf: [{$ref: '#/$defs/a'}], discriminator: {propertyName: t, mapping: {a: '#/$defs/a'}}, "
     "$defs: {a: {type: object}}}",
     R"({"t": "a"})", R"({"t": "b"})", "discriminator"},
    {Keyword::kRef, "{$ref: '#/$defs/a', maximum: 5, $defs: {a: {const: 1}}}", "1", "2", "const"},
    {Keyword::kDynamicRef, "{$dynamicRef: '#a', $defs: {a: {$dynamicAnchor: a, const: 1}}}", "1",
     "2", "const"},
    {Keyword::kAllOf, "{allOf: [{const: 1}]}", "1", "2", "const"},
    {Keyword::kAnyOf, "{anyOf: [{const: 1}, {const: 2}]}", "1", "3", "anyOf"},
    {Keyword::kOneOf, "{oneOf: [{const: 1}, {const: 2}]}", "1", "3", "oneOf"},
    {Keyword::kNot, "{not: {const: 1}}", "2", "1", "not"},
    {Keyword::kIf, "{if: {const: 1}, then: {const: 2}}", "2", "1", "const"},
    {Keyword::kDependentSchemas, "{dependentSchemas: {a: {required: [b]}}}", "{}", R"({"a": 1})",
     "required"},
    {Keyword::kUnevaluatedItems, "{unevaluatedItems: false}", "[]", "[1]", "unevaluatedItems"},
    {Keyword::kUnevaluatedProperties, "{unevaluatedProperties: false}", "{}", R"({"a": 1})",
     "unevaluatedProperties"},
});

static_assert(kCases.size() == static_cast<std::size_t>(Keyword::kUnevaluatedProperties) + 1);

// A schema with what keeps it alive.
struct OneSchema {
  document::Library library;
  SchemaSet schemas;
  SchemaId id = 0;

  explicit OneSchema(std::string_view text) {
    compiler::Compiler compiler(library, {.dialect = Dialect::kOpenApi31, .tolerate = true},
                                schemas);
    id = compiler.compile(library.add("file:///s.yaml", "s.yaml", text, document::Format::kYaml));
  }

  bool has_rule(Keyword keyword) const {
    return std::ranges::count(schemas.program().schemas[id].rules, keyword, &Rule::keyword) != 0;
  }
};

TEST(Keywords, are_all_decided) {
  for (const KeywordCase& one : kCases) {
    SCOPED_TRACE(one.schema);
    const OneSchema schema(one.schema);
    const auto verdict = [&](std::string_view instance) {
      return check(schema.schemas, schema.id, json::read(instance).value());
    };

    EXPECT_EQ(one.keyword, kCases[static_cast<std::size_t>(one.keyword)].keyword);
    EXPECT_TRUE(schema.has_rule(one.keyword) || one.keyword == Keyword::kObject);
    EXPECT_TRUE(one.valid.empty() || verdict(one.valid) == Verdict::kValid);
    EXPECT_TRUE(one.invalid.empty() || verdict(one.invalid) == Verdict::kInvalid);
  }
}

TEST(Keywords, are_all_explained) {
  for (const KeywordCase& one : kCases) {
    SCOPED_TRACE(one.schema);
    const OneSchema schema(one.schema);
    const auto violated = [&](std::string_view instance) {
      std::vector<std::string> keywords;
      for (const auto& each : validate(schema.schemas, schema.id, json::read(instance).value())) {
        keywords.push_back(each.keyword);
      }
      return keywords;
    };

    EXPECT_TRUE(one.valid.empty() || violated(one.valid).empty());
    if (!one.invalid.empty()) {
      EXPECT_THAT(violated(one.invalid), testing::ElementsAre(one.violated));
    }
  }
}

TEST(Keywords, that_are_not_understood_leave_it_open) {
  const OneSchema schema("{pattern: '('}");

  EXPECT_EQ(check(schema.schemas, schema.id, "a"), Verdict::kUndecided);
}

}  // namespace
}  // namespace spec::schema
