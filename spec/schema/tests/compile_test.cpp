#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::schema {
namespace {

using testing::ElementsAre;

// Every problem of a schema, as lines; empty if it compiles.
std::vector<std::string> problems_of(std::string_view text, Dialect dialect = Dialect::k2020_12) {
  document::Library library;
  std::vector<std::string> lines;
  try {
    const auto root = library.add("file:///s.yaml", "s.yaml", text, document::Format::kYaml);
    SchemaSet schemas;
    compiler::Compiler(library, {.dialect = dialect}, schemas).compile(root);
  } catch (const LoadError& error) {
    for (const Problem& problem : error.problems()) {
      lines.push_back(to_line(problem));
    }
  }
  return lines;
}

struct Row {
  std::string name;
  std::string schema;
  std::string problem;
  Dialect dialect = Dialect::k2020_12;
};

using WrongSchema = spec::tests::RowTest;

TEST_P(WrongSchema, is_rejected_with_place_and_reason) {
  const Row& row = GetParam();

  EXPECT_THAT(problems_of(row.schema, row.dialect), ElementsAre(row.problem));
}

const std::vector<Row> kKeywordsWrongSchema = {
    {"schema", "3", "s.yaml:1:1: not a schema: a schema is an object, true or false"},
    {"type_name", "{type: strng}",
     "s.yaml:1:8: must be array, boolean, integer, null, number, object or string, but is "
     "\"strng\"; did you mean \"string\"? [/type]"},
    {"type_kind", "{type: 3}", "s.yaml:1:8: must be the name of a type, but is 3 [/type]"},
    {"type_empty", "{type: []}", "s.yaml:1:8: \"type\" is empty: name at least one type [/type]"},
    {"enum_", "{enum: a}", "s.yaml:1:8: must be an array, but is \"a\" [/enum]"},
    {"multiple_of_zero", "{multipleOf: 0}",
     "s.yaml:1:14: must be more than 0, but is 0 [/multipleOf]"},
    {"maximum", "{maximum: '5'}", "s.yaml:1:11: must be a number, but is \"5\" [/maximum]"},
    {"exclusive_maximum", "{exclusiveMaximum: true}",
     "s.yaml:1:20: must be a number, but is true [/exclusiveMaximum]"},
    {"negative_length", "{maxLength: -1}",
     "s.yaml:1:13: must be a whole number of at least 0, but is -1 [/maxLength]"},
    {"fraction_of_items", "{minItems: 1.5}",
     "s.yaml:1:12: must be a whole number of at least 0, but is 1.5 [/minItems]"},
    {"min_contains", "{contains: {}, minContains: x}",
     "s.yaml:1:29: must be a whole number of at least 0, but is \"x\" [/minContains]"},
    {"pattern", "{pattern: '(a'}",
     "s.yaml:1:11: invalid pattern \"(a\": unclosed \"(\" (at byte 0) "
     "[/pattern]"},
    {"pattern_of_two_lines", "{pattern: \"(\\n\"}",
     "s.yaml:1:11: invalid pattern \"( \": unclosed \"(\" (at byte 0) "
     "[/pattern]"},
    {"pattern_that_pcre2_rejects", "{pattern: '(?<=a+)b'}",
     "s.yaml:1:11: invalid pattern \"(?<=a+)b\": PCRE2 cannot run it: lookbehind assertion "
     "is "
     "not fixed length (at byte 0) [/pattern]"},
    {"pattern_property", "{patternProperties: {'[': {}}}",
     "s.yaml:1:27: invalid pattern \"[\": unclosed \"[\" (at byte 0) "
     "[/patternProperties/[]"},
    {"format", "{format: 1}", "s.yaml:1:10: must be a string, but is 1 [/format]"},
    {"unique_items", "{uniqueItems: 1}",
     "s.yaml:1:15: must be true or false, but is 1 [/uniqueItems]"},
    {"required", "{required: a}",
     "s.yaml:1:12: must be an array of property names, but is \"a\" [/required]"},
    {"required_name", "{required: [1]}",
     "s.yaml:1:13: must be a property name, but is 1 [/required/0]"},
    {"properties", "{properties: []}", "s.yaml:1:14: must be an object, but is [] [/properties]"},
    {"property", "{properties: {a: 1}}",
     "s.yaml:1:18: must be a schema (an object, true or false), but is 1 "
     "[/properties/a]"},
    {"items_of_old", "{items: [{}]}",
     "s.yaml:1:9: must be a schema (an object, true or false), but is [{}] [/items]"},
    {"prefix_items", "{prefixItems: []}",
     "s.yaml:1:15: must be an array of at least one schema, but is [] [/prefixItems]"},
    {"all_of", "{allOf: {}}",
     "s.yaml:1:9: must be an array of at least one schema, but is {} [/allOf]"},
    {"dependent_required", "{dependentRequired: {a: b}}",
     "s.yaml:1:25: must be an array of property names, but is \"b\" [/dependentRequired/a]"},
    {"read_only", "{readOnly: 'yes'}",
     "s.yaml:1:12: must be true or false, but is \"yes\" [/readOnly]"},
    {"definition_that_nobody_uses", "{$defs: {a: {type: x}}}",
     "s.yaml:1:20: must be array, boolean, integer, null, number, object or string, but is "
     "\"x\" [/$defs/a/type]"},
    {"then_without_if", "{then: 1}",
     "s.yaml:1:8: must be a schema (an object, true or false), but is 1 [/then]"},
    {"dialect", "{$schema: 'http://json-schema.org/draft-07/schema#'}",
     "s.yaml:1:11: unsupported dialect \"http://json-schema.org/draft-07/schema#\"; use "
     "JSON Schema 2020-12 [/$schema]"},
    {"dialect_of_a_part",
     "{properties: {a: {$schema: 'https://json-schema.org/draft/2019-09/schema'}}}",
     "s.yaml:1:28: unsupported dialect \"https://json-schema.org/draft/2019-09/schema\"; "
     "use JSON Schema 2020-12 [/properties/a/$schema]"},
    {"id_with_fragment", "{$id: 'a#b'}",
     "s.yaml:1:7: must have no fragment, but is \"a#b\" [/$id]"},
    {"id_twice", "{$defs: {a: {$id: x}, b: {$id: x}}}",
     "s.yaml:1:32: duplicate $id \"file:///x\" [/$defs/b/$id]"},
    {"anchor", "{$anchor: 'a b'}",
     "s.yaml:1:11: must be a name of letters, digits, \"-\", \"_\" and \".\" [/$anchor]"},
    {"anchor_twice", "{$anchor: a, $defs: {b: {$dynamicAnchor: a}}}",
     "s.yaml:1:42: duplicate anchor \"a\" [/$defs/b/$dynamicAnchor]"},
    {"reference_kind", "{$ref: 1}", "s.yaml:1:8: must be a URI reference, but is 1 [/$ref]"},
    {"reference_pointer", "{$ref: '#/$defs/nam', $defs: {name: {}}}",
     "s.yaml:1:8: no schema at \"#/$defs/nam\"; did you mean "
     "\"name\"? [/$ref]"},
    {"reference_anchor", "{$ref: '#a'}",
     "s.yaml:1:8: no anchor \"a\" in \"file:///s.yaml\" [/$ref]"},
    {"reference_to_no_schema", "{$ref: '#/title', title: text}",
     "s.yaml:1:26: must be a schema (an object, true or false), but is \"text\" [/title]"},
    {"reference_escape", "{$ref: '#/%zz'}", "s.yaml:1:8: \"#/%zz\" is not a URI reference [/$ref]"},
    {"reference_that_is_no_text", "{$ref: '#a%de'}",
     "s.yaml:1:8: \"#a%de\" is not a URI reference [/$ref]"},
    {"reference_to_itself", "{$ref: '#'}", "s.yaml:1:8: the schema recurses without end [/$ref]"},
    {"circle_in_place", "{anyOf: [{type: string}, {not: {$ref: '#'}}]}",
     "s.yaml:1:39: the schema recurses without end [/anyOf/1/not/$ref]"},
    {"discriminator", "{discriminator: type}",
     "s.yaml:1:17: must be an object with a propertyName [/discriminator]", Dialect::kOpenApi31},
    {"mapping", "{discriminator: {propertyName: a, mapping: {b: '#/nowhere'}}}",
     "s.yaml:1:48: no schema at \"#/nowhere\" "
     "[/discriminator/mapping/b]",
     Dialect::kOpenApi31},
    {"null_type_in_30", "{type: 'null'}",
     "s.yaml:1:8: must be array, boolean, integer, number, object or string, but is "
     "\"null\" "
     "[/type]",
     Dialect::kOpenApi30},
    {"types_in_30", "{type: [string]}",
     "s.yaml:1:8: must be the name of a type, but is [\"string\"] [/type]", Dialect::kOpenApi30},
    {"exclusive_bound_in_30", "{exclusiveMinimum: 5}",
     "s.yaml:1:20: must be true or false in OpenAPI 3.0, but is 5 [/exclusiveMinimum]",
     Dialect::kOpenApi30},
    {"boolean_schema_in_30", "{items: true}",
     "s.yaml:1:9: must be a schema (an object, in OpenAPI 3.0), but is true [/items]",
     Dialect::kOpenApi30},
    {"nullable", "{nullable: 1}", "s.yaml:1:12: must be true or false, but is 1 [/nullable]",
     Dialect::kOpenApi30}};

INSTANTIATE_TEST_SUITE_P(Keywords, WrongSchema,
                         testing::ValuesIn(spec::tests::rows(kKeywordsWrongSchema)),
                         spec::tests::kRowNames);

TEST(Compile, collects_every_problem_in_the_order_of_the_text) {
  EXPECT_THAT(
      problems_of("$ref: '#/nowhere'\nmaxItems: -1\nproperties:\n  a: {pattern: '['}\n"),
      ElementsAre("s.yaml:1:7: no schema at \"#/nowhere\" [/$ref]",
                  "s.yaml:2:11: must be a whole number of at least 0, but is -1 [/maxItems]",
                  "s.yaml:4:16: invalid pattern \"[\": unclosed \"[\" (at "
                  "byte 0) [/properties/a/pattern]"));
}

TEST(Compile, gives_the_same_node_the_same_id) {
  document::Library library;
  const auto root =
      library.add("file:///s.yaml", "s.yaml", "{properties: {a: {}}, $ref: '#/a', a: {}}",
                  document::Format::kYaml);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);

  const SchemaId first = compiler.compile(root);
  const SchemaId property = compiler.compile(root.find("properties").find("a"));

  EXPECT_EQ(compiler.compile(root), first);
  EXPECT_NE(property, first);
  EXPECT_EQ(schemas.source(property).pointer(), "/properties/a");
}

TEST(Compile, forgets_what_failed_and_fails_again) {
  document::Library library;
  const auto root = library.add("file:///s.yaml", "s.yaml", "{a: {$ref: '#/b'}, b: {type: x}}",
                                document::Format::kYaml);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);

  EXPECT_THROW(compiler.compile(root.find("a")), LoadError);
  EXPECT_THROW(compiler.compile(root.find("a")), LoadError);
  EXPECT_THROW(compiler.compile(root.find("b")), LoadError);
}

TEST(Compile, takes_a_vocabulary_that_may_be_unknown) {
  document::Library library;
  library.add("https://example.test/meta", "meta.yaml",
              "{$vocabulary: {'https://example.test/other': false, "
              "'https://json-schema.org/draft/2020-12/vocab/validation': true}}",
              document::Format::kYaml);
  const auto root =
      library.add("file:///s.yaml", "s.yaml", "{$schema: 'https://example.test/meta', minimum: 5}",
                  document::Format::kYaml);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);

  const SchemaId schema = compiler.compile(root);

  EXPECT_EQ(check(schemas, schema, 4), Verdict::kInvalid);
}

TEST(Compile, rejects_a_vocabulary_that_must_be_known) {
  document::Library library;
  library.add("https://example.test/meta", "meta.yaml",
              "{$vocabulary: {'https://example.test/other': true}}", document::Format::kYaml);
  const auto root = library.add("file:///s.yaml", "s.yaml",
                                "{$schema: 'https://example.test/meta'}", document::Format::kYaml);

  SchemaSet schemas;

  EXPECT_THROW(compiler::Compiler(library, {}, schemas).compile(root), LoadError);
}

}  // namespace
}  // namespace spec::schema
