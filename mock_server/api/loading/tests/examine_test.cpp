// --check goes on where starting gives up: a contract with one thing wrong in it, whatever that is,
// is examined to its end, its fixtures with it.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/api/loading/load_api.hpp"
#include "spec/json/pointer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace mock_server::api {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;

constexpr const char* kContract = R"({
  "openapi": "3.1.0",
  "info": {"title": "Meters", "version": "1"},
  "servers": [{"url": "https://meters.example/v1"}],
  "security": [{"token": []}],
  "paths": {
    "/meters/{id}": {
      "parameters": [{"$ref": "#/components/parameters/id"}],
      "get": {
        "operationId": "get_meter",
        "responses": {
          "200": {"description": "d",
                  "headers": {"X-Unit": {"schema": {"type": "string"}}},
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/M"},
                                                   "examples": {"one": {"value": {"id": "m"}}}}}},
          "404": {"$ref": "#/components/responses/none"}}},
      "patch": {
        "operationId": "patch_meter",
        "requestBody": {"content": {"application/json": {"schema": {
            "type": "object", "properties": {"id": {"type": "string"}}}}}},
        "responses": {"200": {"description": "d", "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/M"}}}},
          "404": {"$ref": "#/components/responses/none"}}}}},
  "components": {
    "parameters": {"id": {"name": "id", "in": "path", "required": true, "schema": {}}},
    "responses": {"none": {"description": "n", "content": {"application/json": {}}}},
    "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    "schemas": {"M": {"type": "object", "required": ["id"],
                      "properties": {"id": {"type": "string", "pattern": "^m"},
                                     "part": {"$ref": "#/components/schemas/M"}},
                      "unevaluatedProperties": false}}}})";

constexpr const char* kOperations = R"(
collections: {meters: {schema: /components/schemas/M}}
operations:
  get_meter: {behaviour: read, collection: meters, key: /path/id}
  patch_meter: {behaviour: update, collection: meters, key: /path/id, fields: {id: {on_null: keep}}}
)";

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// Every place of `value`.
void append_pointers(const json& value, const std::string& at, std::vector<std::string>& pointers) {
  pointers.push_back(at);
  if (!value.is_structured()) {
    return;  // the items of a scalar are itself
  }
  for (const auto& [key, member] : value.items()) {
    std::string inner = at;
    spec::json::append_token(inner, key);
    append_pointers(member, inner, pointers);
  }
}

std::vector<std::string> lines_of(const std::vector<spec::Problem>& problems) {
  std::vector<std::string> lines;
  std::ranges::transform(problems, std::back_inserter(lines), spec::to_line);
  return lines;
}

class Examine : public testing::Test {
 public:
  Examine() {
    write_fixtures("operations.yaml", kOperations);
    write_fixtures("meters.yaml", "m1: {id: m1, part: {id: m2}}\n");
  }

  ~Examine() override { fs::remove_all(folder_); }

  void write_fixtures(const std::string& name, const std::string& text) const {
    write(folder_ / "fixtures" / name, text);
  }

  Examination examine(const json& contract, bool document_only = false) {
    write(folder_ / "contract.json", contract.dump(1));
    return examine_api({.contract = folder_ / "contract.json",
                        .folders = {folder_ / "fixtures"},
                        .document_only = document_only});
  }

 private:
  fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("examine_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Examine, reports_nothing_for_valid_files) {
  const Examination found = examine(json::parse(kContract));

  EXPECT_NE(found.api, nullptr);
  EXPECT_THAT(lines_of(found.problems), testing::IsEmpty());
  EXPECT_THAT(lines_of(found.warnings), testing::IsEmpty());
}

TEST_F(Examine, skips_in_document_only_mode_what_the_contract_does_not_have) {
  write_fixtures("operations.yaml", R"(
collections: {meters: {schema: {properties: {name: {type: string}}}}}
operations:
  get_meter: {behaviour: read, collection: meters, key: /path/id}
  of_no_operation: {behaviour: raed, hide: 5}
)");
  write_fixtures("meters.yaml", "m1: {id: m1, part: null}\n");

  EXPECT_THAT(lines_of(examine(json::parse(kContract)).problems), testing::SizeIs(4));
  EXPECT_THAT(lines_of(examine(json::parse(kContract), true).problems), testing::IsEmpty());
}

TEST_F(Examine, applies_the_schema_of_a_collection_to_nulls_in_document_only_mode_too) {
  write_fixtures("operations.yaml", R"(
collections: {meters: {schema: {properties: {part: {type: object}}}}}
operations: {get_meter: {behaviour: read, collection: meters, key: /path/id}}
)");
  write_fixtures("meters.yaml", "m1: {id: m1, part: null}\n");

  const auto lines = lines_of(examine(json::parse(kContract), true).problems);

  ASSERT_THAT(lines, testing::SizeIs(1));
  EXPECT_THAT(lines.front(), testing::HasSubstr("meters.yaml:1:20: must be an object, but is null; "
                                                "violates \"type\" of collection meters"));
}

TEST_F(Examine, gives_an_api_or_problems_for_every_kind_of_error) {
  const json contract = json::parse(kContract);
  std::vector<std::string> pointers;
  append_pointers(contract, "", pointers);

  for (const std::string& pointer : pointers) {
    for (const json& wrong : {json(5), json("$"), json::array({nullptr}), json::object()}) {
      json broken = contract;
      broken[json::json_pointer(pointer)] = wrong;
      const Examination found = examine(broken);
      EXPECT_TRUE(found.api != nullptr || !found.problems.empty()) << pointer << ' ' << wrong;
    }
  }
}

}  // namespace
}  // namespace mock_server::api
