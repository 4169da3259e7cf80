// The twin is only worth something if it is right: it is held against the official suite, a file a
// test. Pairs that need what it leaves out on purpose are named here.

#include "spec/json/read.hpp"
#include "spec/schema/tests/twin/evaluate.hpp"
#include "spec/schema/tests/twin/generate.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace spec::schema::twin {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = test_paths::source();

fs::path suite() {
  const char* given = std::getenv("COUNTERPART_TESTDATA");
  const fs::path data = given != nullptr ? fs::path(given) : kSource / "../shared/testdata";
  return data / "json-schema-test-suite";
}

json read_file(const fs::path& path) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return spec::json::read(text).value();
}

// The remotes and the metaschemas.
Documents documents() {
  Documents made;
  for (const auto& entry : fs::recursive_directory_iterator(suite() / "remotes")) {
    const auto relative = fs::relative(entry.path(), suite() / "remotes").generic_string();
    if (entry.path().extension() == ".json" && relative.find("draft") != 0) {
      made.add("http://localhost:1234/" + relative, read_file(entry.path()));
    } else if (entry.path().extension() == ".json" && relative.find("draft2020-12") == 0) {
      made.add("http://localhost:1234/" + relative, read_file(entry.path()));
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "spec/schema/metaschemas")) {
    if (entry.path().extension() == ".json") {
      const json metaschema = read_file(entry.path());
      made.add(metaschema.value("$id", ""), metaschema);
    }
  }
  return made;
}

// The descriptions of the cases of one file that the twin validates otherwise than the suite.
std::vector<std::string> differences(const fs::path& file) {
  std::vector<std::string> found;
  for (const json& group : read_file(file)) {
    Documents own = documents();
    const Place place = own.add("https://example.test/schema", group["schema"]);
    for (const json& test : group["tests"]) {
      const bool valid = is_valid(own, place, test["data"],
                                  {.assert_format = file.parent_path().stem() == "format"});
      if (valid != test["valid"].get<bool>()) {
        found.push_back(group["description"].get<std::string>() + ": " +
                        test["description"].get<std::string>());
      }
    }
  }
  return found;
}

class Official : public testing::TestWithParam<std::string> {};

TEST_P(Official, cases_are_validated_as_the_suite_says) {
  const fs::path file = suite() / "tests/draft2020-12" / (GetParam() + ".json");
  if (!fs::exists(file)) {
    GTEST_SKIP() << "the JSON Schema test suite is not at " << suite();
  }

  EXPECT_THAT(differences(file), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Suite, Official,
    testing::Values("additionalProperties", "allOf", "anchor", "anyOf", "boolean_schema", "const",
                    "contains", "content", "default", "defs", "dependentRequired",
                    "dependentSchemas", "dynamicRef", "enum", "exclusiveMaximum",
                    "exclusiveMinimum", "format", "if-then-else", "infinite-loop-detection",
                    "items", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum",
                    "minContains", "minItems", "minLength", "minProperties", "minimum",
                    "multipleOf", "not", "oneOf", "pattern", "patternProperties", "prefixItems",
                    "properties", "propertyNames", "ref", "refRemote", "required", "type",
                    "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "vocabulary",
                    "optional/bignum", "optional/dynamicRef", "optional/id",
                    "optional/refOfUnknownKeyword", "optional/unknownKeyword"),
    [](const auto& each) {
      std::string name = each.param;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '-' || c == '/'; }, '_');
      return name;
    });

TEST(Generated, pairs_are_a_function_of_their_seed_and_of_both_kinds) {
  constexpr std::uint64_t kPairs = 2000;
  int valid = 0;
  for (std::uint64_t seed = 0; seed < kPairs; ++seed) {
    const Pair pair = generate(seed);
    Documents own;
    const Place place = own.add("https://example.test/root", pair.schema);
    valid += is_valid(own, place, pair.instance, {.open_api = pair.open_api}) ? 1 : 0;
  }

  EXPECT_EQ(generate(7).schema, generate(7).schema);
  EXPECT_GT(valid, static_cast<int>(kPairs / 10));
  EXPECT_LT(valid, static_cast<int>(kPairs * 9 / 10));
}

}  // namespace
}  // namespace spec::schema::twin
