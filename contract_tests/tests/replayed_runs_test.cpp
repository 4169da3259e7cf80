// Recorded runs that the program replays, exports and runs again: what a finding is now, files that
// other tools read, and mistakes in naming runs and findings.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <set>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::Ended;
using support::ScriptedServer;
using test_support::read_file;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKey = "sk_known_to_this_test_0123456789_abcdefghij";
constexpr const char* kPlain =
    "GET_customers_customer_id.a_plain_request_succeeds_and_satisfies_its_schema";
constexpr const char* kTwice =
    "GET_customers_customer_id.the_same_request_twice_gets_the_same_response";
constexpr const char* kRight =
    R"({"business_id":"bus_1","created_at":"2024-01-01T00:00:00Z","customer_id":)"
    R"("cus_L9xVQ2zg4mZaouqKLiMcV","email":"someone@example.test","name":"A name."})";
constexpr const char* kWrong = R"({"email":4711,"customer_id":"cus_L9xVQ2zg4mZaouqKLiMcV"})";

std::string shop(const std::string& title, const std::string& path) {
  return "openapi: 3.1.0\ninfo: {title: " + title + ", version: '1'}\npaths:\n  " + path +
         ":\n    get:\n      operationId: list\n      responses:\n        '200':\n"
         "          description: all\n          content:\n            application/json:\n"
         "              schema: {type: object, required: [items]}\n";
}

class ReplayedRuns : public testing::Test {
 protected:
  static Ended program(const std::vector<std::string>& arguments) {
    return support::run_child(
        test_paths::contract_tests(), arguments,
        {{"DODO_PAYMENTS_API_KEY", kKey}, {"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});
  }

  // A run of one case, or of those that `filter` selects, with its reports in `name`.
  Ended run(const ScriptedServer& server, const std::string& name,
            const std::string& filter = kPlain, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--base-url", server.url(), "--report", path(name), "--subjects",
                             (support::source_dir() / "fixtures/subjects.yaml").string()});
    if (!filter.empty()) {
      more.insert(more.end(), {"--filter", filter});
    }
    return program(more);
  }

  Ended run_shop(const ScriptedServer& server, const std::string& name,
                 const std::string& contract) const {
    return program({"--base-url", server.url(), "--report", path(name), "--contract", contract});
  }

  Ended replay(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"replay", path("run")});
    return program(arguments);
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  json report(const std::string& name) const { return support::read_report(folder_.path() / name); }

  // The id of the first error of a run.
  std::string fingerprint(const std::string& name = "run") const {
    const auto written = report(name);
    for (const auto& finding : written.at("cases").at(0).at("findings")) {
      if (finding.at("severity") == "error") {
        return finding.at("fingerprint");
      }
    }
    return "none";
  }

  test_support::Folder folder_;
  ScriptedServer wrong_{support::always("200 OK", kWrong)};
  ScriptedServer right_{support::always("200 OK", kRight)};
  ScriptedServer gone_{
      support::always("404 Not Found", R"({"code":"NOT_FOUND","message":"none"})")};
};

TEST_F(ReplayedRuns, are_still_failing_at_the_same_server) {
  run(wrong_, "run");

  const auto ended = replay({});

  EXPECT_EQ(ended.exit_code, 1) << ended.err;
  EXPECT_THAT(ended.out,
              HasSubstr(std::string("still failing: GET /customers/{customer_id} body/email in ") +
                        kPlain + " (id " + fingerprint() + "): must be a string, but is 4711\n"));
  EXPECT_THAT(ended.out, AllOf(HasSubstr(" 0 fixed, "), HasSubstr(" 0 cannot tell\n")));
  EXPECT_THAT(wrong_.received(),
              testing::Contains(HasSubstr(std::string("Authorization: Bearer ") + kKey)));
}

TEST_F(ReplayedRuns, are_fixed_at_a_server_that_is_right) {
  run(wrong_, "run");

  const auto ended = replay({"--base-url", right_.url()});

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("fixed: GET /customers"), HasSubstr(" 0 still failing")));
}

TEST_F(ReplayedRuns, tell_nothing_of_a_chain_whose_subject_is_gone) {
  run(wrong_, "run", kTwice);

  const auto ended = replay({kTwice, "--base-url", gone_.url()});

  EXPECT_EQ(ended.exit_code, 3) << ended.out;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("cannot tell: GET /customers"),
                               HasSubstr("cus_L9xVQ2zg4mZaouqKLiMcV does not exist (404)"),
                               HasSubstr("0 still failing, 0 failing otherwise, 1 cannot tell")));
}

TEST_F(ReplayedRuns, of_another_contract_are_rejected) {
  const auto other = folder_.write("other.yaml", shop("Library", "/items")).string();
  run(wrong_, "run");

  const auto ended = replay({"--contract", other});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("it is a run of another contract (Payments Service"));
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
}

TEST_F(ReplayedRuns, take_the_contract_of_the_run) {
  const auto contract = folder_.write("shop.yaml", shop("Shop", "/items")).string();
  run_shop(wrong_, "run", contract);
  EXPECT_EQ(replay({}).exit_code, 1);
  std::filesystem::remove(contract);

  const auto ended = replay({});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("shop.yaml, which is not there; name it with --contract"));
}

TEST_F(ReplayedRuns, that_passed_have_nothing_to_replay) {
  run(right_, "run");

  const auto replayed = replay({});
  const auto again = run(right_, "again", "", {"--last-failed", path("run")});

  EXPECT_EQ(replayed.exit_code, 0);
  EXPECT_THAT(replayed.out, HasSubstr("nothing to replay: no case failed in "));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("nothing to run: no case failed or was inconclusive in "));
}

TEST_F(ReplayedRuns, run_again_what_failed_and_nothing_else) {
  const std::string two = std::string(kPlain) + ':' + kTwice;
  run(wrong_, "run", two);

  const auto ended = run(right_, "again", "", {"--last-failed", path("run")});

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  std::set<std::string> names;
  const auto written = report("again");
  for (const auto& item : written.at("cases")) {
    names.insert(item.at("id"));
  }
  EXPECT_EQ(names, (std::set<std::string>{kPlain, kTwice}));
}

TEST_F(ReplayedRuns, name_cases_that_are_gone_when_they_run_again) {
  const auto before = folder_.write("before.yaml", shop("Shop", "/items")).string();
  const auto after = folder_.write("after.yaml", shop("Shop", "/things")).string();
  run_shop(wrong_, "run", before);

  const auto ended =
      program({"--base-url", right_.url(), "--contract", after, "--last-failed", path("run")});

  EXPECT_EQ(ended.exit_code, 3) << ended.out;
  EXPECT_THAT(ended.err,
              HasSubstr("the plan no longer has cases that failed or were inconclusive"));
  EXPECT_THAT(ended.err, HasSubstr("GET_items."));
}

TEST_F(ReplayedRuns, are_exported_without_secrets_and_nothing_is_sent) {
  run(wrong_, "run");
  const auto connections = wrong_.connections();

  for (const std::string format : {"curl", "http", "har", "case"}) {
    const auto file = path("found." + format);
    const auto ended = replay({"--export", format, "--output", file});

    EXPECT_EQ(ended.exit_code, 0) << format << ended.err;
    EXPECT_GT(read_file(file).size(), 100U) << format;
    EXPECT_THAT(read_file(file) + ended.out + ended.err, Not(HasSubstr(kKey))) << format;
  }
  EXPECT_EQ(wrong_.connections(), connections);
}

TEST_F(ReplayedRuns, are_exported_as_har_that_its_schema_takes) {
  run(wrong_, "run", "GET_customers*");
  replay({"--export", "har", "--output", path("found.har")});
  plan::DataFiles files(support::source_dir() / "contract_tests/tests/schemas");

  const auto har = files.read(path("found.har"), "har").value();

  const auto& entry = har.at("log").at("entries").at(0);
  EXPECT_THAT(entry.at("request").at("url").get<std::string>(), HasSubstr("/customers/"));
  EXPECT_EQ(entry.at("response").at("content").at("text"), kWrong);
}

TEST_F(ReplayedRuns, are_exported_as_cases_that_fail_as_the_run_did) {
  run(wrong_, "run");
  folder_.write("cases/.keep", "");
  replay({"--export", "case", "--output", path("cases/found.yaml")});
  const std::vector<std::string> cases{"--cases", path("cases")};

  const auto failed = run(wrong_, "failed", "*found_as*", cases);
  const auto passed = run(right_, "passed", "*found_as*", cases);

  EXPECT_EQ(failed.exit_code, 1) << failed.out << failed.err;
  EXPECT_EQ(passed.exit_code, 0) << passed.out << passed.err;
  EXPECT_EQ(fingerprint("failed"), fingerprint());
}

TEST_F(ReplayedRuns, that_were_cut_are_rejected_in_one_line) {
  run(wrong_, "run");
  const auto whole = read_file(path("run/run.json"));
  folder_.write("run/run.json", whole.substr(0, whole.size() / 2));

  for (const auto& ended : {replay({}), replay({"--export", "har"}),
                            run(right_, "again", "", {"--last-failed", path("run")})}) {
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_THAT(ended.err, HasSubstr("run.json:"));
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  }
}

}  // namespace
}  // namespace contract_tests
