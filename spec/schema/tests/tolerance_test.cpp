// Tolerated parts that are not understood: the verdict is undecided if it depends on them, and
// nowhere else.

#include "spec/document/library.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace spec::schema {
namespace {

struct ToleranceRow {
  std::string name;
  std::string schema;
  std::string instance;
  Verdict verdict = Verdict::kUndecided;
  Direction direction = Direction::kNone;

  friend void PrintTo(const ToleranceRow& row, std::ostream* out) {
    *out << row.schema << row.instance;
  }
};

using Tolerance = spec::tests::RowTest;

TEST_P(Tolerance, decides_what_is_understood) {
  const ToleranceRow& row = GetParam();

  document::Library library;
  const document::Node root = library.add("test:it", "it", row.schema, document::Format::kYaml);
  const auto instance = spec::json::read(row.instance);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {.tolerate = true}, schemas);

  const SchemaId id = compiler.compile(root);

  ASSERT_TRUE(instance);
  EXPECT_THAT(schemas.not_understood(), testing::Not(testing::IsEmpty()));
  EXPECT_EQ(check(schemas, id, *instance, {row.direction}), row.verdict);
  const auto violations = validate(schemas, id, *instance, {row.direction});
  EXPECT_EQ(violations.empty(), row.verdict == Verdict::kValid);
  EXPECT_EQ(std::ranges::all_of(violations, &Violation::not_understood),
            row.verdict != Verdict::kInvalid);
}

constexpr Verdict kValid = Verdict::kValid;
constexpr Verdict kInvalid = Verdict::kInvalid;
constexpr Verdict kUndecided = Verdict::kUndecided;

const std::vector<ToleranceRow> kValuesTolerance = {
    {"a_pattern", R"({pattern: '\A'})", R"("a")", kUndecided},
    {"another_violation", R"({pattern: '\A', maxLength: 0})", R"("a")", kInvalid},
    {"another_type", R"({pattern: '\A'})", "1", kValid},
    {"a_type", "{type: strnig}", "1", kUndecided},
    {"no_schema", "{items: 5}", "[1]", kUndecided},
    {"no_schema_that_is_not_reached", "{items: 5}", "[]", kValid},
    {"negated", R"({not: {pattern: '\A'}})", R"("a")", kUndecided},
    {"a_branch", R"({anyOf: [{pattern: '\A'}, {minLength: 1}]})", R"("a")", kValid},
    {"the_only_branch", R"({oneOf: [{pattern: '\A'}, {type: integer}]})", R"("a")", kUndecided},
    {"a_condition", R"({if: {pattern: '\A'}, then: false})", R"("a")", kUndecided},
    {"a_reference", "{$ref: '#/gone', type: integer}", "1", kUndecided},
    {"a_reference_beside_a_violation", "{$ref: '#/gone', type: string}", "1", kInvalid},
    {"an_endless_loop", "{allOf: [{$ref: '#'}], type: integer}", "1", kUndecided},
    {"a_dialect", "{$schema: 'http://json-schema.org/draft-04/schema#', type: string}", "1",
     kUndecided}};

INSTANTIATE_TEST_SUITE_P(Values, Tolerance, testing::ValuesIn(spec::tests::rows(kValuesTolerance)),
                         spec::tests::kRowNames);

const std::vector<ToleranceRow> kMembersTolerance = {
    {"properties", "{properties: 5, additionalProperties: false}", R"({"a": 1})", kUndecided},
    {"a_pattern_property", R"({patternProperties: {'\A': {}}, additionalProperties: false})",
     R"({"a": 1})", kUndecided},
    {"a_known_pattern_property",
     R"({patternProperties: {'\A': {}, a: {type: string}}, additionalProperties: false})",
     R"({"a": 1})", kInvalid},
    {"prefix_items", "{prefixItems: 5, items: false}", "[1]", kUndecided},
    {"a_bound_of_contains", "{contains: {type: string}, minContains: '0'}", "[1]", kUndecided},
    {"unevaluated_beside_a_reference", "{$ref: '#/gone', unevaluatedProperties: false}",
     R"({"a": 1})", kUndecided},
    {"unevaluated_around_a_part", "{allOf: [{properties: 5}], unevaluatedProperties: false}",
     R"({"a": 1})", kUndecided},
    {"required", R"({required: [a, 5]})", "{}", kInvalid},
    {"a_required_member_that_may_be_read_only",
     "{required: [a], properties: {a: {readOnly: 'true'}}}", "{}", kUndecided, Direction::kRequest},
    {"a_required_member_of_a_pattern", R"({required: [a], properties: {a: {pattern: '\A'}}})", "{}",
     kInvalid, Direction::kRequest},
    {"a_required_member_behind_a_reference", "{required: [a], properties: {a: {$ref: '#/gone'}}}",
     "{}", kUndecided, Direction::kRequest}};

INSTANTIATE_TEST_SUITE_P(Members, Tolerance,
                         testing::ValuesIn(spec::tests::rows(kMembersTolerance)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::schema
