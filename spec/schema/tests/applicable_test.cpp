// The schemas that apply at each place, with an instance and without.

#include "spec/schema/applicable.hpp"

#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/instance_schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// One compiled schema, queried in words.
class One {
 public:
  explicit One(std::string_view text)
      : root_(library_.add("file:///s.yaml", "s.yaml", text, document::Format::kYaml)),
        id_(compiler::Compiler(library_, {}, schemas_).compile(root_)) {}

  std::vector<std::string> schemas_in_place(Reach reach) const {
    return pointers(applicable(schemas_.program(), id_, reach));
  }

  std::vector<std::string> member(std::string_view name) const {
    return pointers(member_schemas(schemas_.program(), id_, name));
  }

  std::vector<std::string> element(std::size_t index) const {
    return pointers(element_schemas(schemas_.program(), id_, index));
  }

  TypeSet types() const { return possible_types(schemas_.program(), id_); }

  document::Node keyword(std::string_view name) const {
    return keyword_value(schemas_.program(), id_, name);
  }

  // "INSTANCE SCHEMA" of each visit.
  std::vector<std::string> visits(const nlohmann::json& instance) const {
    std::vector<std::string> visits;
    visit_applied(schemas_, id_, instance, {},
                  [&](SchemaId id, const nlohmann::json&, const Path* path) {
                    visits.push_back(to_pointer(path) + ' ' + schemas_.source(id).pointer());
                    return true;
                  });
    return visits;
  }

 private:
  std::vector<std::string> pointers(const std::vector<SchemaId>& ids) const {
    std::vector<std::string> pointers;
    for (const SchemaId id : ids) {
      pointers.push_back(schemas_.source(id).pointer());
    }
    return pointers;
  }

  document::Library library_;
  document::Node root_;
  SchemaSet schemas_;
  SchemaId id_;
};

constexpr std::string_view kOfEachKind = R"(
allOf: [{$ref: '#/$defs/a'}, {$ref: '#/$defs/a'}]
anyOf: [{type: 'null'}, {$ref: '#named'}]
if: {minimum: 1}
then: {maximum: 2}
not: {const: 3}
$dynamicRef: '#dynamic'
$defs: {a: {}, b: {$anchor: named}, c: {$dynamicAnchor: dynamic}}
)";

TEST(Applicable, follows_what_holds_for_certain) {
  EXPECT_THAT(One(kOfEachKind).schemas_in_place(Reach::kCertain),
              ElementsAre("", "/allOf/0", "/$defs/a", "/allOf/1", "/$defs/c"));
}

TEST(Applicable, looks_through_a_choice_beside_null) {
  EXPECT_THAT(
      One(kOfEachKind).schemas_in_place(Reach::kUnlessNull),
      ElementsAre("", "/allOf/0", "/$defs/a", "/allOf/1", "/anyOf/1", "/$defs/b", "/$defs/c"));
}

TEST(Applicable, follows_what_may_hold) {
  EXPECT_THAT(One(kOfEachKind).schemas_in_place(Reach::kPossible),
              ElementsAre("", "/allOf/0", "/$defs/a", "/allOf/1", "/anyOf/0", "/anyOf/1",
                          "/$defs/b", "/if", "/then", "/$defs/c"));
}

TEST(Applicable, follows_everything) {
  EXPECT_THAT(One(kOfEachKind).schemas_in_place(Reach::kEvery), testing::Contains("/not"));
}

TEST(Applicable, takes_members_by_name_then_by_pattern_then_others) {
  const One one("{properties: {ab: {}}, patternProperties: {^a: {}}, additionalProperties: {}}");

  EXPECT_THAT(one.member("ab"), ElementsAre("/properties/ab", "/patternProperties/^a"));
  EXPECT_THAT(one.member("ac"), ElementsAre("/patternProperties/^a"));
  EXPECT_THAT(one.member("b"), ElementsAre("/additionalProperties"));
}

TEST(Applicable, takes_elements_by_place_then_others) {
  const One one("{prefixItems: [{}], items: {}}");

  EXPECT_THAT(one.element(0), ElementsAre("/prefixItems/0"));
  EXPECT_THAT(one.element(1), ElementsAre("/items"));
  EXPECT_THAT(One("{prefixItems: [{}]}").element(1), IsEmpty());
}

TEST(Applicable, knows_the_types_that_are_possible) {
  EXPECT_EQ(One("{type: [string, integer], oneOf: [{type: number}, {const: null}]}").types(),
            kIntegerType);
  EXPECT_EQ(One("{$ref: '#a', $defs: {a: {$anchor: a, enum: [1, x]}}}").types(),
            kNumberType | kStringType);
  EXPECT_EQ(One("{anyOf: [{type: string}, {}]}").types(), kEveryType);
}

TEST(Applicable, knows_no_keyword_that_means_nothing) {
  EXPECT_TRUE(One("{format: int32}").keyword("format"));
  EXPECT_FALSE(One("{nullable: true}").keyword("nullable"));
  EXPECT_FALSE(One("{}").keyword("format"));
}

TEST(Applicable, visits_what_an_instance_takes) {
  const One one(R"(
oneOf: [{required: [a], properties: {a: {}}}, {type: string}]
if: {required: [b]}
then: {properties: {b: {}}}
else: {properties: {b: {}}}
unevaluatedProperties: {}
)");

  EXPECT_THAT(one.visits({{"a", 1}, {"c", 2}}),
              ElementsAre(" ", " /oneOf/0", "/a /oneOf/0/properties/a", " /else",
                          "/c /unevaluatedProperties"));
}

TEST(Applicable, visits_by_the_dynamic_scope_and_each_once) {
  const One one(R"(
$id: https://example.test/tree
$dynamicAnchor: node
properties: {next: {$dynamicRef: '#node'}}
)");

  EXPECT_THAT(one.visits({{"next", {{"next", 1}}}}),
              ElementsAre(" ", "/next /properties/next", "/next ", "/next/next /properties/next",
                          "/next/next "));
}

}  // namespace
}  // namespace spec::schema
