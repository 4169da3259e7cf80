// The official JSON Schema test suite, one test a case. The suite is data that lies beside the
// source tree (../shared/testdata) or in the folder that COUNTERPART_TESTDATA names; where it is
// absent, one test says so and is skipped. Cases that we do not pass are listed, with reasons, in
// spec/schema/tests/official_suite_exceptions.json.

#include "spec/schema/tests/suite.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace spec::schema {
namespace {

using Json = nlohmann::json;

class OfficialCase : public testing::Test {
 public:
  explicit OfficialCase(testdata::SuiteCase suite_case) : case_(std::move(suite_case)) {}

  // The yes/no run and the reporting one must give the same, expected verdict.
  void TestBody() override {
    const testdata::ValidationResult validated = testdata::validator(case_);

    EXPECT_EQ(validated.verdict, case_.valid ? Verdict::kValid : Verdict::kInvalid)
        << case_.file << ": " << case_.group << ": " << case_.description;
    EXPECT_EQ(validated.violations.empty(), validated.verdict == Verdict::kValid);
  }

 private:
  testdata::SuiteCase case_;
};

class AbsentSuite : public testing::Test {
 public:
  void TestBody() override {
    GTEST_SKIP() << "the official suite is not there: looked in " << testdata::folder()
                 << "; set COUNTERPART_TESTDATA to the folder that holds json-schema-test-suite";
  }
};

template <typename Test, typename... Args>
void register_test(const std::string& suite, const std::string& name, Args... args) {
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [args...]() -> testing::Test* { return new Test(args...); });
}

}  // namespace

void register_official_suite() {
  const std::vector<testdata::SuiteCase> cases = testdata::official_cases();
  const std::set<std::string> exceptions = testdata::exceptions();
  if (cases.empty()) {
    register_test<AbsentSuite>("OfficialSuite", "is_absent");
  }
  for (const testdata::SuiteCase& suite_case : cases) {
    if (!exceptions.contains(suite_case.name)) {
      register_test<OfficialCase>("Official_" + suite_case.section, suite_case.name, suite_case);
    }
  }
}

}  // namespace spec::schema
