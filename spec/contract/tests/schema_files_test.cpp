#include "spec/contract/schema_files.hpp"

#include "spec/contract/loading/load_contract.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace spec::contract {

namespace {

using nlohmann::json;
using testing::ElementsAre;

std::vector<std::string> names_of(const std::vector<SchemaFile>& files) {
  std::vector<std::string> names;
  for (const SchemaFile& file : files) {
    names.push_back(file.name);
  }
  return names;
}

// The one file of a contract whose POST /a takes `schema`, without what every file has.
json file_of(const std::string& version, const std::string& schema,
             const std::string& components = "{}") {
  const Contract contract = load_contract_text(
      "openapi: " + version + "\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    post:\n" +
      "      operationId: op\n      requestBody: {content: {application/json: {schema: " + schema +
      "}}}\n      responses: {'204': {description: ok}}\ncomponents: {schemas: " + components +
      "}\n");
  json file = spec::json::read(schema_files(contract).at(0).text).value();
  file.erase("$schema");
  file.erase("$id");
  file.erase("title");
  return file;
}

TEST(SchemaFiles, there_is_one_for_each_json_body) {
  const Contract contract = load_contract_text(R"(
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a:
    post:
      operationId: op
      requestBody: {content: {application/json: {schema: true}, text/csv: {schema: {type: string}}}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {}}, application/x+json: {schema: {}}}}
        2XX: {description: ok, content: {application/json: {schema: {}}}}
        default: {description: ok, content: {application/json: {}}}
)");

  EXPECT_THAT(names_of(schema_files(contract)),
              ElementsAre("op.request.schema.json", "op.response.200.json.schema.json",
                          "op.response.200.x+json.schema.json", "op.response.2XX.schema.json"));
}

TEST(SchemaFiles, there_is_one_for_each_item_schema) {
  const Contract contract = load_contract_text(R"(
openapi: 3.2.0
info: {title: T, version: "1"}
paths:
  /a:
    get:
      operationId: op
      responses:
        "200":
          content:
            application/jsonl: {schema: {type: array}, itemSchema: {type: integer}}
            text/event-stream: {itemSchema: {required: [data]}}
            application/json: {schema: {type: array}}
)");

  EXPECT_THAT(
      names_of(schema_files(contract)),
      ElementsAre("op.response.200.jsonl.item.schema.json",
                  "op.response.200.event-stream.item.schema.json", "op.response.200.schema.json"));
}

TEST(SchemaFiles, name_their_dialect_themselves_and_their_body) {
  const Contract contract = load_contract_text(R"(
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a: {get: {operationId: op, responses: {"200": {description: ok, content: {application/json: {schema: {type: integer}}}}}}}
)");

  EXPECT_EQ(schema_files(contract).at(0).text, R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:counterpart:schema:op.response.200",
  "title": "GET /a response 200",
  "type": "integer"
}
)");
}

TEST(SchemaFiles, bundle_what_they_refer_to_and_need_no_other_file) {
  const json file =
      file_of("3.1.0", "{$ref: '#/components/schemas/Node'}",
              "{Node: {properties: {next: {$ref: '#/components/schemas/Node'}, "
              "value: {$ref: '#/components/schemas/Value', description: d}}}, "
              "Value: {properties: {Value: {$ref: '#/components/schemas/Value/properties/x'}, "
              "x: {type: integer}}}}");

  EXPECT_EQ(file, json::parse(R"({
    "properties": {"next": {"$ref": "#"}, "value": {"$ref": "#/$defs/Value", "description": "d"}},
    "$defs": {
      "Value": {"properties": {"Value": {"$ref": "#/$defs/x"}, "x": {"type": "integer"}}},
      "x": {"type": "integer"}}})"));
}

TEST(SchemaFiles, translate_the_keywords_of_openapi_30) {
  const json file = file_of("3.0.3",
                            "{type: object, properties: {"
                            "a: {type: string, nullable: true, enum: [x], example: x}, "
                            "b: {type: number, minimum: 1, exclusiveMinimum: true, maximum: 9, "
                            "exclusiveMaximum: false}, "
                            "c: {$ref: '#/components/schemas/C', minimum: 7}}}",
                            "{C: {type: integer}}");

  EXPECT_EQ(file["properties"], json::parse(R"({
    "a": {"type": ["string", "null"], "enum": ["x", null], "examples": ["x"]},
    "b": {"type": "number", "exclusiveMinimum": 1, "maximum": 9},
    "c": {"$ref": "#/$defs/C"}})"));
}

TEST(SchemaFiles, leave_out_what_only_openapi_knows) {
  const json file = file_of(
      "3.1.0",
      "{type: object, x-source: '§1', properties: {x-kept: {type: string, xml: {name: a}}}}");

  EXPECT_EQ(file,
            json::parse(R"({"type": "object", "properties": {"x-kept": {"type": "string"}}})"));
}

TEST(SchemaFiles, do_not_require_what_the_other_direction_sends) {
  const json file = file_of("3.1.0",
                            "{required: [id, secret, name], properties: {id: {readOnly: true}, "
                            "secret: {writeOnly: true}}}");

  EXPECT_EQ(file["required"], json::parse(R"(["secret", "name"])"));
}

TEST(SchemaFiles, do_not_require_what_any_schema_of_the_object_says_the_other_direction_sends) {
  const json file = file_of("3.1.0",
                            "{required: [b, c], allOf: [{required: [a, b]}, "
                            "{properties: {a: {readOnly: true}, c: {required: [a, b]}}}, "
                            "{$ref: '#/components/schemas/B'}]}",
                            "{B: {required: [a], properties: {b: {allOf: [{readOnly: true}]}}}}");

  EXPECT_EQ(file["required"], json({"c"}));
  EXPECT_EQ(file["allOf"][0]["required"], json::array());
  EXPECT_EQ(file["allOf"][1]["properties"]["c"]["required"], json({"a", "b"}));
  EXPECT_EQ(file["$defs"]["B"]["required"], json({"a"}));  // of others, too
}

TEST(SchemaFiles, files_of_the_payments_contract_accept_its_examples) {
  const Contract contract = load_contract(test_paths::source() + "/spec/payments.openapi.yaml");
  const std::vector<SchemaFile> files = schema_files(contract);
  std::size_t validated = 0;
  for (const Operation& operation : contract.operations()) {
    for (const Response& answer : operation.responses) {
      const std::string name =
          operation.id + ".response." + std::to_string(answer.status) + ".schema.json";
      const auto file = std::find_if(files.begin(), files.end(),
                                     [&name](const SchemaFile& one) { return one.name == name; });
      if (file == files.end()) {
        continue;
      }
      document::Library library;
      schema::SchemaSet schemas;
      schema::compiler::Compiler compiler(library, {}, schemas);
      const auto id = compiler.compile(
          library.add("counterpart:/s", name, file->text, document::Format::kJson));
      for (const Example& example : answer.contents.front().examples) {
        EXPECT_THAT(schema::validate(schemas, id, *example.value), testing::IsEmpty()) << name;
        EXPECT_FALSE(schema::validate(schemas, id, json("text")).empty()) << name;
        ++validated;
      }
    }
  }
  EXPECT_GT(validated, 20U);
}

}  // namespace

}  // namespace spec::contract
