// The summary of an instance's schemas, joined from all the schemas that apply in place.

#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/schema_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace spec::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Summarizing : public testing::Test {
 protected:
  Summary of(const std::string& schema, Reach reach = Reach::kUnlessNull,
             Dialect dialect = Dialect::kOpenApi31) {
    library_.add("test:/other", "other.yaml", R"(
$defs:
  word: {type: string, format: uuid}
  part: {$anchor: part, properties: {id: {$ref: '#/$defs/word'}}, required: [id]}
)",
                 document::Format::kYaml);
    compiler::Compiler compiler(library_, {.dialect = dialect}, schemas_);
    const auto root = library_.add("test:/schema", "schema.yaml", schema, document::Format::kYaml);
    return summarize(schemas_.program(), {compiler.compile(root)}, reach);
  }

  Summary of(const Schemas& schemas) const { return summarize(schemas_.program(), schemas); }

 private:
  document::Library library_;
  SchemaSet schemas_;
};

TEST_F(Summarizing, follows_references_into_other_files_and_by_anchor) {
  const Summary word = of("{$ref: 'test:/other#/$defs/word'}");
  EXPECT_TRUE(word.is_string() && word.is_scalar());
  EXPECT_EQ(word.format, "uuid");
  EXPECT_EQ(word.format_node.pointer(), "/$defs/word/format");
}

TEST_F(Summarizing, joins_the_parts_of_a_whole) {
  const Summary whole = of(R"(
allOf:
  - {$ref: 'test:/other#part'}
  - {properties: {id: {maximum: 9}, list: {items: {type: integer}, uniqueItems: true}}}
)");

  ASSERT_THAT(whole.properties, SizeIs(2));
  EXPECT_THAT(whole.required, ElementsAre("id"));
  EXPECT_EQ(of(*whole.property("id")).maximum, 9.0);
  EXPECT_EQ(of(*whole.property("id")).format, "uuid");
  EXPECT_TRUE(of(*whole.property("list")).unique_items);
  EXPECT_TRUE(of(of(*whole.property("list")).elements).is(kIntegerType));
  EXPECT_FALSE(whole.open_names);
}

TEST_F(Summarizing, has_the_tightest_of_several_bounds) {
  const Summary whole = of(R"(
minimum: 1
maximum: 90
allOf: [{minimum: 5, maximum: 100}, {minimum: 2, maximum: 10}]
)");

  EXPECT_EQ(whole.minimum, 5.0);
  EXPECT_EQ(whole.maximum, 10.0);
}

TEST_F(Summarizing, looks_through_a_choice_between_a_shape_and_null) {
  const Summary maybe = of("anyOf: [{type: object, properties: {a: {}}}, {type: 'null'}]");

  EXPECT_TRUE(maybe.nullable && maybe.is_object());
  EXPECT_NE(maybe.property("a"), nullptr);
  EXPECT_FALSE(maybe.open_names);
}

TEST_F(Summarizing, leaves_a_choice_of_shapes_open_unless_alternatives_are_asked_for) {
  const std::string choice = "oneOf: [{properties: {a: {}}}, {properties: {b: {enum: [x, y]}}}]";

  EXPECT_THAT(of(choice).properties, IsEmpty());
  EXPECT_TRUE(of(choice).open_names);
  const Summary possible = of(choice, Reach::kPossible);
  ASSERT_THAT(possible.properties, SizeIs(2));
  EXPECT_THAT(of(*possible.property("b")).listed, SizeIs(1));
}

TEST_F(Summarizing, distinguishes_a_map_from_an_object_that_is_merely_not_closed) {
  EXPECT_TRUE(of("{properties: {a: {}}, additionalProperties: {type: string}}").open_names);
  EXPECT_TRUE(of("{properties: {a: {}}, patternProperties: {'^x': {}}}").open_names);
  EXPECT_FALSE(of("{properties: {a: {}}, additionalProperties: true}").open_names);
  EXPECT_FALSE(of("{properties: {a: {}}, additionalProperties: false}").open_names);
}

TEST_F(Summarizing, knows_null_where_something_else_is_not_valid) {
  EXPECT_FALSE(of("{}").nullable);
  EXPECT_TRUE(of("{enum: [a, null]}").nullable);
  EXPECT_FALSE(of("{type: string, nullable: true}").nullable);
  EXPECT_TRUE(
      of("{type: string, nullable: true}", Reach::kUnlessNull, Dialect::kOpenApi30).nullable);
  EXPECT_FALSE(of("{type: string, enum: [a, null]}").nullable);
}

TEST_F(Summarizing, ignores_what_a_reference_hides_in_open_api_30) {
  const std::string text = "{$ref: 'test:/other#/$defs/word', format: date}";

  EXPECT_EQ(of(text).format, "uuid");
  EXPECT_EQ(of(text, Reach::kUnlessNull, Dialect::kOpenApi30).format, "uuid");
  EXPECT_EQ(of("{format: date, allOf: [{}]}").format, "date");
}

TEST_F(Summarizing, names_what_a_token_leads_to) {
  const Summary both = of(R"(
properties: {a: {type: string}, '7': {type: boolean}}
items: {type: integer}
additionalProperties: {type: number}
)");

  EXPECT_TRUE(of(both.part("a")).is_string());
  EXPECT_TRUE(of(both.part("7")).is_boolean());
  EXPECT_TRUE(of(both.part("8")).is(kIntegerType));
  EXPECT_TRUE(of(both.part("*")).is(kIntegerType));
  EXPECT_TRUE(of(both.part("08")).is(kNumberType));
  EXPECT_TRUE(of(both.part("b")).is(kNumberType));
}

TEST_F(Summarizing, takes_an_index_for_a_name_where_there_are_no_elements) {
  const Summary map = of("additionalProperties: {type: string}");

  EXPECT_TRUE(of(map.part("0")).is_string());
  EXPECT_TRUE(of(map.part("*")).is_string());
  EXPECT_THAT(of("{properties: {a: {}}}").part("b"), IsEmpty());
}

TEST_F(Summarizing, takes_elements_for_alike_only_where_they_are) {
  const std::string tuple = "{prefixItems: [{type: string}], items: {type: integer}}";

  EXPECT_THAT(of(tuple).elements, IsEmpty());
  EXPECT_THAT(of(tuple, Reach::kPossible).elements, SizeIs(2));
}

}  // namespace
}  // namespace spec::schema
