#include "spec/schema/compiler/hints.hpp"

#include "spec/schema/compiler/compiler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> hints_for(std::string_view text, Dialect dialect,
                                   bool disregards = false) {
  document::Library library;
  SchemaSet schemas;
  compiler::Compiler compiler(library, {.dialect = dialect, .disregard_contradictions = disregards},
                              schemas);
  compiler.compile(library.add("file:///s.yaml", "s.yaml", text, document::Format::kYaml));
  std::vector<std::string> lines;
  for (const Problem& problem : hints(schemas)) {
    lines.push_back(to_line(problem));
  }
  return lines;
}

TEST(Hints, name_the_keyword_that_may_have_been_meant) {
  EXPECT_THAT(
      hints_for("{properties: {a: {maxLenght: 3}}}", Dialect::k2020_12),
      ElementsAre("s.yaml:1:19: \"maxLenght\" is not a keyword of JSON Schema 2020-12 and is "
                  "ignored; did you mean \"maxLength\"? [/properties/a/maxLenght]"));
}

TEST(Hints, leave_alone_what_resembles_nothing) {
  EXPECT_THAT(hints_for("{x-typ: 1, colour: red, properties: {typ: {}}}", Dialect::kOpenApi31),
              IsEmpty());
}

TEST(Hints, name_what_replaces_nullable) {
  EXPECT_THAT(hints_for("{nullable: true}", Dialect::kOpenApi31),
              ElementsAre("s.yaml:1:2: \"nullable\" is ignored in OpenAPI 3.1: add \"null\" to "
                          "the type [/nullable]"));
}

TEST(Hints, name_what_an_older_dialect_lacks) {
  EXPECT_THAT(hints_for("{const: 1}", Dialect::kOpenApi30),
              ElementsAre("s.yaml:1:2: \"const\" is not a keyword of OpenAPI 3.0 and is ignored "
                          "[/const]"));
}

TEST(Hints, name_what_is_ignored_beside_a_reference) {
  EXPECT_THAT(hints_for("{properties: {a: {$ref: '#/properties/b', maxLength: 1}, b: {}}}",
                        Dialect::kOpenApi30),
              ElementsAre("s.yaml:1:43: \"maxLength\" is ignored beside \"$ref\" in OpenAPI 3.0 "
                          "[/properties/a/maxLength]"));
}

TEST(Hints, name_what_is_disregarded_since_nothing_could_satisfy_it) {
  EXPECT_THAT(hints_for("{type: integer, enum: [a]}", Dialect::kOpenApi30, true),
              ElementsAre("s.yaml:1:8: \"type\" is disregarded: no value of the \"enum\" beside it "
                          "is of this type [/type]"));
  EXPECT_THAT(
      hints_for("{additionalProperties: false, allOf: [{properties: {a: {}}}]}",
                Dialect::kOpenApi31, true),
      ElementsAre("s.yaml:1:24: \"additionalProperties\" is disregarded: it excludes \"a\" of a "
                  "schema that is combined with it by allOf [/additionalProperties]"));
  EXPECT_THAT(
      hints_for("{allOf: [{properties: {a: {type: object}}}, "
                "{properties: {a: {type: array, items: {}}}}]}",
                Dialect::kOpenApi30, true),
      ElementsAre("s.yaml:1:34: \"type\" is disregarded: a schema that is combined with it by "
                  "allOf gives \"a\" another type [/allOf/0/properties/a/type]"));
  for (const std::string_view possible :
       {"{allOf: [{additionalProperties: false, properties: {a: {}}}, {properties: {b: {}}}]}",
        "{additionalProperties: false, required: [a]}", "{type: integer, enum: [1, a]}"}) {
    EXPECT_THAT(hints_for(possible, Dialect::kOpenApi31, true), IsEmpty());
  }
  EXPECT_THAT(hints_for("{type: integer, enum: [a]}", Dialect::kOpenApi31), IsEmpty());
}

TEST(Hints, are_given_for_schemas_that_do_not_compile_too) {
  document::Library library;
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);
  const auto root = library.add("file:///s.yaml", "s.yaml", "{requierd: [a], type: strin}",
                                document::Format::kYaml);

  EXPECT_THROW(compiler.compile(root), LoadError);
  EXPECT_THROW(compiler.compile(root), LoadError);
  ASSERT_EQ(hints(schemas).size(), 1U);
  EXPECT_EQ(hints(schemas)[0].pointer, "/requierd");
}

}  // namespace
}  // namespace spec::schema
