// References in real descriptions: schemas anywhere in an OpenAPI document, in other files, in
// schemas with names of their own.

#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace spec::schema {
namespace {

constexpr auto kYaml = document::Format::kYaml;

TEST(References, find_names_anywhere_in_an_open_api_document) {
  document::Library library;
  const auto root = library.add("file:///api.yaml", "api.yaml", R"(
openapi: 3.1.0
components:
  schemas:
    Name: {$anchor: name, type: string}
    Tagged: {$id: 'https://example.test/tagged', $defs: {tag: {$anchor: tag, type: integer}}}
  parameters:
    limit: {name: limit, in: query, schema: {$anchor: limit, minimum: 1}}
x-schema:
  properties:
    a: {$ref: '#name'}
    b: {$ref: 'https://example.test/tagged#tag'}
    c: {$ref: '#limit'}
    d: {$ref: '#/components/parameters/limit/schema'}
)",
                                kYaml);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);
  const SchemaId schema = compiler.compile(root.find("x-schema"));

  const auto violations = validate(schemas, schema, {{"a", 1}, {"b", "x"}, {"c", 0}, {"d", 0}});

  std::vector<std::string> places;
  for (const Violation& violation : violations) {
    places.push_back(violation.instance + ' ' + violation.statement.pointer());
  }
  EXPECT_THAT(places, testing::ElementsAre("/a /components/schemas/Name/type",
                                           "/b /components/schemas/Tagged/$defs/tag/type",
                                           "/c /components/parameters/limit/schema/minimum",
                                           "/d /components/parameters/limit/schema/minimum"));
}

TEST(References, take_each_document_by_its_own_dialect) {
  document::Library library;
  library.add("file:///old.yaml", "old.yaml",
              "openapi: 3.0.3\ncomponents: {schemas: {A: {type: string, nullable: true}}}", kYaml);
  const auto root =
      library.add("file:///new.yaml", "new.yaml",
                  "openapi: 3.1.0\nx-schema: {$ref: 'old.yaml#/components/schemas/A'}", kYaml);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);

  const SchemaId schema = compiler.compile(root.find("x-schema"));

  EXPECT_EQ(check(schemas, schema, nullptr), Verdict::kValid);
}

TEST(References, reject_an_unsupported_dialect_of_the_document) {
  document::Library library;
  const auto root = library.add(
      "file:///api.yaml", "api.yaml",
      "openapi: 3.1.0\njsonSchemaDialect: https://example.test/mine\nx-schema: {}", kYaml);

  SchemaSet schemas;

  EXPECT_THROW(compiler::Compiler(library, {}, schemas).compile(root.find("x-schema")), LoadError);
}

TEST(References, know_the_metaschemas_without_a_network) {
  document::Library library;
  const auto root = library.add("file:///s.yaml", "s.yaml",
                                "$ref: https://json-schema.org/draft/2020-12/schema", kYaml);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);
  const SchemaId schema = compiler.compile(root);

  EXPECT_EQ(check(schemas, schema, {{"items", {{"type", "string"}}}}), Verdict::kValid);
  EXPECT_EQ(check(schemas, schema, {{"items", {{"type", "strin"}}}}), Verdict::kInvalid);
}

TEST(References, know_open_apis_dialect_too) {
  document::Library library;
  const auto root = library.add("file:///s.yaml", "s.yaml",
                                "$ref: https://spec.openapis.org/oas/3.1/dialect/base", kYaml);
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);
  const SchemaId schema = compiler.compile(root);

  EXPECT_EQ(check(schemas, schema, {{"xml", {{"wrapped", true}}}}), Verdict::kValid);
  EXPECT_EQ(check(schemas, schema, {{"xml", {{"wraped", true}}}}), Verdict::kInvalid);
}

TEST(References, open_files_and_nothing_else) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "schema_references_test";
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "main.yaml") << "properties: {a: {$ref: parts/a.json}}\n";
  std::ofstream(folder / "parts/a.json") << R"({"$ref": "b.yaml#/deep/b"})";
  std::ofstream(folder / "parts/b.yaml") << "deep: {b: {$ref: '../main.yaml'}}\n";
  document::Library library;
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);

  const SchemaId schema = compiler.compile(library.open(folder / "main.yaml"));

  EXPECT_EQ(check(schemas, schema, {{"a", {{"a", {}}}}}), Verdict::kValid);
  const auto remote =
      library.add("file:///r.yaml", "r.yaml", "$ref: 'https://example.test/a'", kYaml);
  EXPECT_THROW(compiler.compile(remote), LoadError);
}

TEST(References, reach_later_documents_by_dynamic_anchors) {
  document::Library library;
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);
  compiler.compile(library.add("https://example.test/tree", "tree.yaml",
                               "{$dynamicAnchor: node, properties: {next: {$dynamicRef: '#node'}}}",
                               kYaml));

  const SchemaId strict = compiler.compile(
      library.add("https://example.test/strict", "strict.yaml",
                  "{$dynamicAnchor: node, $ref: tree, unevaluatedProperties: false}", kYaml));

  EXPECT_EQ(check(schemas, strict, {{"next", {{"next", nlohmann::json::object()}}}}),
            Verdict::kValid);
  EXPECT_EQ(check(schemas, strict, {{"next", {{"other", 1}}}}), Verdict::kInvalid);
}

TEST(References, a_discriminator_selects_the_alternative_in_another_document) {
  document::Library library;
  SchemaSet schemas;
  compiler::Compiler compiler(library, {}, schemas);
  library.add("file:///o.yaml", "o.yaml", "Bird: {properties: {fly: {type: boolean}}}", kYaml);

  const SchemaId schema = compiler.compile(
      library
          .add("file:///api.yaml", "api.yaml",
               "{openapi: 3.1.0, components: {schemas: {Dog: {required: [bark]}, Any: "
               "{oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: 'o.yaml#/Bird'}], "
               "discriminator: {propertyName: type, mapping: {bird: 'o.yaml#/Bird'}}}}}}",
               kYaml)
          .find("components")
          .find("schemas")
          .find("Any"));

  for (const char* name : {"bird", "Bird"}) {
    const auto violations = validate(schemas, schema, {{"type", name}, {"fly", 1}});
    ASSERT_EQ(violations.size(), 1U) << name;
    EXPECT_EQ(violations[0].instance, "/fly");
  }
}

}  // namespace
}  // namespace spec::schema
