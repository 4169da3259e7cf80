// Our own cases, spec/tests/schema_cases/<family>.json: what is reported, where, and in which
// words. In the form of the official suite with a few members more:
//   group: `keyword`, `dialect` ("openapi-3.0", "openapi-3.1"), `at` (the pointer of the schema in
//   `schema`) test: `direction` ("request", "response"), `violations` [{instance, statement,
//   message}]

#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/tests/suite.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace spec::schema {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Dialect dialect_of(const Json& group) {
  const std::string name = group.value("dialect", "");
  return name == "openapi-3.0"   ? Dialect::kOpenApi30
         : name == "openapi-3.1" ? Dialect::kOpenApi31
                                 : Dialect::k2020_12;
}

ValidateOptions options_of(const Json& test) {
  const std::string name = test.value("direction", "");
  return {.direction = name == "request"    ? Direction::kRequest
                       : name == "response" ? Direction::kResponse
                                            : Direction::kNone};
}

// The node of `root` at a JSON pointer of member names.
document::Node find_node(document::Node root, const std::string& pointer) {
  const auto tokens = json::split_pointer(pointer);
  for (const std::string& token : *tokens) {
    root = root.find(token);
  }
  return root;
}

Json to_json(const std::vector<Violation>& violations) {
  Json list = Json::array();
  for (const Violation& violation : violations) {
    Json entry = {{"instance", violation.instance},
                  {"statement", violation.statement.pointer()},
                  {"message", violation.message.text()}};
    if (violation.undecided) {
      entry["undecided"] = true;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

class SchemaCase : public testing::Test {
 public:
  SchemaCase(Json group, Json test) : group_(std::move(group)), test_(std::move(test)) {}

  void TestBody() override {
    document::Library library;
    const document::Node root = library.add("https://example.test/schema.json", "schema.json",
                                            json::write(group_["schema"]), document::Format::kJson);
    SchemaSet schemas;
    compiler::Compiler compiler(library, {.dialect = dialect_of(group_)}, schemas);
    const SchemaId schema = compiler.compile(find_node(root, group_.value("at", "")));
    const ValidateOptions options = options_of(test_);

    const bool valid = check(schemas, schema, test_["data"], options) == Verdict::kValid;
    const Json violations = to_json(validate(schemas, schema, test_["data"], options));

    EXPECT_EQ(valid, test_["valid"].get<bool>());
    EXPECT_EQ(violations.dump(1), test_.value("violations", Json::array()).dump(1));
  }

 private:
  Json group_;
  Json test_;
};

Json read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return json::read(std::string{std::istreambuf_iterator<char>(in), {}}).value();
}

void register_file(const fs::path& path) {
  for (const Json& group : read_file(path)) {
    const std::string suite = "SchemaCases_" + testdata::slug(group["keyword"].get<std::string>());
    for (const Json& test : group["tests"]) {
      const std::string name = testdata::slug(group["description"].get<std::string>() + ' ' +
                                              test["description"].get<std::string>());
      testing::RegisterTest(
          suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [group, test]() -> testing::Test* { return new SchemaCase(group, test); });
    }
  }
}

}  // namespace

void register_schema_cases() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(test_paths::source() + "/spec/tests/schema_cases")) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::ranges::for_each(files, register_file);
}

}  // namespace spec::schema
