// Runs of the program that are compared and merged by the program: shards merged say what a run in
// one piece says, and a comparison says what changed and because of what.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::Ended;
using support::ScriptedServer;
using testing::HasSubstr;

constexpr const char* kWrongCustomer =
    R"({"email":4711,"customer_id":"cus_1","phone_number":{},"items":[{"start_date":"x"}]})";

class SavedRuns : public testing::Test {
 protected:
  // A run with its reports in `name`.
  Ended run(const std::string& name, std::vector<std::string> arguments,
            std::map<std::string, std::string> environment = {}) const {
    arguments.insert(arguments.end(), {"--report", path(name)});
    environment["COUNTERPART_MOCK_SERVER"] = test_paths::mock_server();
    return support::run_child(test_paths::contract_tests(), arguments, environment);
  }

  void run_in_shards(const std::string& name, const std::vector<std::string>& arguments) const {
    for (const std::string shard : {"0", "1", "2"}) {
      run(name, arguments, {{"GTEST_TOTAL_SHARDS", "3"}, {"GTEST_SHARD_INDEX", shard}});
    }
  }

  static Ended command(std::vector<std::string> arguments) {
    return support::run_child(test_paths::contract_tests(), arguments);
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  json report(const std::string& name) const { return support::read_report(folder_.path() / name); }

  test_support::Folder folder_;
};

// The parts of a run that must not depend on how it was divided.
json result_of(const json& run) {
  auto causes = run.at("causes");
  for (auto& cause : causes) {
    cause.erase("message");  // may count what was sent
  }
  auto counts = run.at("counts");
  counts.erase("requests");  // each shard looks whether the server is there
  auto cases = json::array();
  for (const auto& item : run.at("cases")) {
    auto fingerprints = json::array();
    for (const auto& finding : item.at("findings")) {
      fingerprints.push_back(finding.at("fingerprint"));
    }
    cases.push_back({item.at("id"), item.at("verdict"), item.at("reason"),
                     item.value("caused_by", ""), fingerprints});
  }
  return {{"exit", run.at("exit")},
          {"counts", counts},
          {"cases", cases},
          {"causes", causes},
          {"reasons", run.at("reasons")},
          {"coverage", run.at("coverage")},
          {"silent", run.at("operations_without_a_case_run")}};
}

class Shards : public SavedRuns {
 protected:
  void expect_same_when_merged(const std::vector<std::string>& arguments) const {
    const auto whole = run("whole", arguments);
    run_in_shards("parts", arguments);

    const auto merged = command({"merge", path("parts/shard_2"), path("parts/shard_0/run.json"),
                                 path("parts/shard_1"), "--report", path("merged")});

    EXPECT_EQ(merged.exit_code, whole.exit_code) << merged.err << merged.out.substr(0, 2000);
    EXPECT_EQ(result_of(report("merged")), result_of(report("whole")));
    EXPECT_EQ(report("merged").at("plan"), report("whole").at("plan"));
    const auto compared =
        command({"compare", path("whole"), path("merged"), "--fail-on", "new,worse,less-coverage"});
    EXPECT_EQ(compared.exit_code, 0) << compared.err << compared.out.substr(0, 2000);
  }
};

TEST_F(Shards, of_a_faulty_service_merged_say_what_one_run_says) {
  const ScriptedServer server(support::always("200 OK", kWrongCustomer));

  expect_same_when_merged({"--base-url", server.url(), "--token", "sk_of_this_test", "--subjects",
                           (support::source_dir() / "fixtures/subjects.yaml").string()});
}

// The plain request, which explains its cases, is in one shard only.
TEST_F(Shards, of_a_service_that_always_fails_merged_say_what_one_run_says) {
  const ScriptedServer server(support::always("500 Internal Server Error", R"({"message":"no"})"));
  const auto contract = folder_.write(
      "shop.yaml",
      "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\npaths:\n  /things/{id}:\n    get:\n"
      "      parameters: [{name: id, in: path, required: true, schema: {type: string}},\n"
      "        {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 9}}]\n"
      "      responses: {'200': {description: ok, content: {application/json: {schema: {type: "
      "object}}}}}\n");

  expect_same_when_merged({"--base-url", server.url(), "--contract", contract.string()});
}

TEST_F(Shards, without_a_case_are_not_missing) {
  const std::string filter = "GET_customers*a_plain_request_succeeds*";
  run_in_shards("parts", {"--filter", filter});

  const auto merged =
      command({"merge", path("parts/shard_0"), path("parts/shard_1"), path("parts/shard_2")});

  EXPECT_EQ(merged.exit_code, 0) << merged.err << merged.out;
}

std::string thing_of(const std::string& required) {
  return "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\npaths:\n  /things:\n    get:\n"
         "      responses: {'200': {description: ok, content: {application/json: {schema: {type: "
         "object, required: [" +
         required + "], properties: {name: {type: string}}}}}}}\n";
}

class Compared : public SavedRuns {
 protected:
  // A run against a service that sends this for every request.
  void run_of(const std::string& name, const std::string& contract, const std::string& body) const {
    const ScriptedServer server(support::always("200 OK", body));
    const auto file = folder_.write(name + "/shop.yaml", contract);
    run(name, {"--base-url", server.url(), "--contract", file.string(), "--filter", "*plain*"});
  }

  json comparison(const std::string& before, const std::string& after) const {
    const auto file = path("comparison.json");
    const auto ended =
        command({"compare", path(before), path(after), "--format", "json", "--output", file});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(ended.out, "");
    return spec::json::read(test_support::read_file(file)).value();
  }
};

TEST_F(Compared, runs_of_a_faulty_and_a_mended_service_show_what_is_fixed) {
  run_of("faulty", thing_of("name"), R"({"name":7})");
  run_of("mended", thing_of("name"), R"({"name":"a"})");

  const auto value = comparison("faulty", "mended");
  const auto back = command({"compare", path("mended"), path("faulty"), "--fail-on", "new"});

  ASSERT_EQ(value.at("findings").at("fixed").size(), 1U) << value.dump(2);
  EXPECT_EQ(value.at("findings").at("fixed").at(0).at("rule"), "schema/type");
  EXPECT_EQ(value.at("findings").at("fixed").at(0).at("because"), "service");
  EXPECT_EQ(value.at("findings").at("new").size(), 0U);
  EXPECT_EQ(back.exit_code, 1);
  EXPECT_THAT(back.out, HasSubstr("\nNew\n  error schema/type GET /things: body/name: "));
}

TEST_F(Compared, runs_of_an_edited_contract_differ_because_of_it) {
  run_of("before", thing_of("name"), R"({"name":"a"})");
  run_of("after", thing_of("name, size"), R"({"name":"a"})");

  const auto value = comparison("before", "after");

  ASSERT_EQ(value.at("findings").at("new").size(), 1U) << value.dump(2);
  EXPECT_EQ(value.at("findings").at("new").at(0).at("rule"), "schema/required");
  EXPECT_EQ(value.at("findings").at("new").at(0).at("because"), "contract");
}

// A comment and the order of members say nothing.
TEST_F(Compared, runs_of_a_contract_that_says_the_same_differ_because_of_the_service) {
  run_of("before", thing_of("name"), R"({"name":"a"})");
  run_of("after", "# edited\n" + thing_of("name"), R"({"name":7})");

  const auto value = comparison("before", "after");

  EXPECT_EQ(report("before").at("contract_hash"), report("after").at("contract_hash"));
  ASSERT_EQ(value.at("findings").at("new").size(), 1U) << value.dump(2);
  EXPECT_EQ(value.at("findings").at("new").at(0).at("because"), "service");
}

}  // namespace
}  // namespace contract_tests
