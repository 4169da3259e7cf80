// One small API in OpenAPI 3.0, 3.1 and 3.2: the suite finds the same of the mock that plays each.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests {
namespace {

using nlohmann::json;

// The cases of a run against the mock of that description, and their verdicts.
json outcome_of(const std::string& version) {
  const test_support::Folder folder;
  const std::string file =
      test_paths::source() + "/contract_tests/tests/versions/shelf_" + version + ".yaml";
  support::run_child(test_paths::contract_tests(), {file, "--report", folder.path().string()},
                     {{"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});
  const json run = support::read_report(folder.path());
  json cases = json::array();
  for (const json& item : run.at("cases")) {
    cases.push_back({item.at("id"), item.at("verdict"), item.at("reason")});
  }
  return {{"exit", run.at("exit")}, {"counts", run.at("counts")}, {"cases", std::move(cases)}};
}

TEST(Versions, of_one_api_are_played_and_tested_alike) {
  const json oldest = outcome_of("30");

  EXPECT_EQ(oldest.at("exit"), 0);
  EXPECT_GT(oldest.at("cases").size(), 100U);
  for (const std::string version : {"31", "32"}) {
    EXPECT_EQ(json::diff(oldest, outcome_of(version)), json::array()) << version;
  }
}

}  // namespace
}  // namespace contract_tests
