// `contract_tests recorded` as a program: calls with all that recordings bring, its reports, its
// baseline from one recording to the next, and calls that a mock recorded of a wrong service.

#include "contract_tests/client/client.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/shop_calls.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <ostream>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::Ended;
using support::entry;
using support::get;
using support::har;
using support::ok;
using test_support::read_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kItemOne = "https://shop.example/items/one";
const std::string kGood = ok(R"({"id":"one","price":5,"name":"Tea"})");
const std::string kBad = ok(R"({"id":"one","price":"5"})");

class Recorded : public testing::Test {
 protected:
  Recorded() { contract_ = folder_.write("shop.yaml", support::kShop).string(); }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  // Validates the file with its reports in "out".
  Ended run(const std::string& file, std::vector<std::string> arguments = {}) const {
    const std::vector<std::string> usual{"recorded", path(file), "--contract",
                                         contract_,  "--report", path("out")};
    arguments.insert(arguments.begin(), usual.begin(), usual.end());
    return support::run_child(test_paths::contract_tests(), arguments);
  }

  Ended run_entries(const std::string& entries, std::vector<std::string> arguments = {}) const {
    folder_.write("calls.har", har(entries));
    return run("calls.har", std::move(arguments));
  }

  json report() const { return support::read_report(folder_.path() / "out"); }

  std::string every_report() const {
    std::string all;
    for (const auto& file : std::filesystem::directory_iterator(path("out"))) {
      all += read_file(file.path());
    }
    return all;
  }

  test_support::Folder folder_;
  std::string contract_;
};

std::string status(int code, const std::string& headers = "") {
  return R"("status":)" + std::to_string(code) + R"(,"headers":[)" + headers +
         R"(],"content":{"size":0})";
}

// Calls, what is said of them, and the exit code.
struct RecordedRow {
  std::string name;
  std::string entries;
  std::vector<std::string> says;
  int exit_code = 0;
  std::vector<std::string> arguments = {};
};

void PrintTo(const RecordedRow& row, std::ostream* out) {
  *out << row.name;
}

const std::vector<RecordedRow> kRecordedCalls{
    {"a_valid_response",
     entry(get(kItemOne), kGood),
     {"1 call of ", "at https://shop.example (service): passed"},
     0},
    {"two_spellings_of_one_origin",
     entry(get(kItemOne), kGood) + "," + entry(get("https://shop.example:443/items/one"), kGood),
     {"2 calls of ", "at https://shop.example (service): passed"},
     0},
    {"a_violation", entry(get(kItemOne), kBad), {"body/price", "must be an integer"}, 1},
    {"a_request_that_is_wrong_and_accepted",
     entry(get(kItemOne + "?size=x"), kGood),
     {"must be a rejection (4xx)"},
     1},
    {"a_header_that_servers_ignore_where_it_is_wrong",
     entry(get(kItemOne, R"(,"headers":[{"name":"Prefer","value":"x"}])"), kGood),
     {"1 passed"},
     0},
    {"a_request_that_is_wrong_and_rejected",
     entry(get(kItemOne + "?size=x"), status(422)),
     {"1 passed"},
     0},
    {"rejections_of_any_kind",
     entry(get(kItemOne), status(401, R"({"name":"WWW-Authenticate","value":"Bearer"})")) + "," +
         entry(get(kItemOne), status(404)) + "," + entry(get(kItemOne), status(429)),
     {"3 calls of ", "1 passed"},
     0},
    {"not_modified",
     entry(get(kItemOne, R"(,"headers":[{"name":"If-None-Match","value":"\"a\""}])"), status(304)),
     {"1 passed"},
     0},
    {"a_redirect_that_is_not_declared",
     entry(get(kItemOne), status(302, R"({"name":"Location","value":"/a"})")),
     {"must be a success (2xx), but is 302 Found"},
     1},
    {"a_server_error",
     entry(get(kItemOne), status(500)),
     {"must be a success (2xx), but is 500 Internal Server Error"},
     1},
    {"an_error_of_a_gateway", entry(get(kItemOne), status(503)), {"503 Service Unavailable"}, 3},
    {"a_name_that_only_looks_misspelt",
     entry(get(kItemOne), ok(R"({"id":"one","price":5,"names":"Tea"})")),
     {"0 warnings"},
     0},
    {"no_response_beside_one",
     entry(get(kItemOne), R"("status":0,"_error":"net::ERR_ABORTED")") + "," +
         entry(get(kItemOne), kGood),
     {"2 calls of ", "1 passed, 0 failed, 0 inconclusive, 0 skipped"},
     0},
    {"no_response_at_all",
     entry(get(kItemOne), R"("status":0,"_error":"net::ERR_ABORTED")"),
     {"no response was recorded: net::ERR_ABORTED", "no case ran"},
     3},
    {"no_body",
     entry(get(kItemOne),
           R"("status":200,"headers":[{"name":"content-type","value":"application/json"}],)"
           R"("content":{"size":40,"mimeType":"application/json"})"),
     {"the body of the response is not in the file"},
     3},
    {"calls_of_others",
     entry(get(kItemOne), kGood) + "," + entry(get("https://cdn.example/a.js"), ok("1")) + "," +
         entry(get("https://shop.example/favicon.ico"), status(404)),
     {"1 call of ", "another host [1 call]: https://cdn.example",
      "no operation of the contract [1 call]: GET /favicon.ico"},
     0},
    {"another_host_by_name",
     entry(get(kItemOne), kGood),
     {"the file has no call to an operation of the contract at https://other.example"},
     3,
     {"--base-url", "https://other.example"}},
    {"a_base_path",
     entry(get("https://shop.example/v1/items/one"), kGood),
     {"pass --base-url https://shop.example/v1"},
     3},
    {"a_base_path_by_name",
     entry(get("https://shop.example/v1/items/one"), kGood),
     {"1 passed"},
     0,
     {"--base-url", "https://shop.example/v1"}},
    {"an_entry_that_cannot_be_read",
     entry(get(kItemOne), kGood) + ",7",
     {"cannot be read: ", "/log/entries/1", "1 passed"},
     3},
    {"a_violation_beside_an_entry_that_cannot_be_read",
     entry(get(kItemOne), kBad) + ",7",
     {"cannot be read: ", "must be an integer"},
     1},
    {"too_little_coverage",
     entry(get(kItemOne), kGood),
     {"--min-coverage requires 100.0 %"},
     3,
     {"--min-coverage", "100"}},
    {"no_calls", "", {"the file has no call to an operation of the contract"}, 3},
};

class RecordedCalls : public Recorded, public testing::WithParamInterface<RecordedRow> {};

TEST_P(RecordedCalls, are_reported_like_a_run) {
  const auto ended = run_entries(GetParam().entries, GetParam().arguments);

  EXPECT_EQ(ended.exit_code, GetParam().exit_code) << ended.out << ended.err;
  for (const auto& text : GetParam().says) {
    EXPECT_THAT(ended.out, HasSubstr(text));
  }
  EXPECT_EQ(report().at("exit"), GetParam().exit_code);
}

INSTANTIATE_TEST_SUITE_P(Table, RecordedCalls, testing::ValuesIn(kRecordedCalls),
                         [](const auto& row) { return row.param.name; });

TEST_F(Recorded, has_every_report_of_a_run) {
  run_entries(entry(get(kItemOne), kBad) + "," + entry(get("https://cdn.example/a"), ok("1")));

  for (const auto& [name, text, says] : report::formats::report_files()) {
    EXPECT_THAT(read_file(folder_.path() / "out" / name), Not(IsEmpty())) << name;
  }
  spec::document::Library library;
  spec::schema::SchemaSet set;
  spec::schema::compiler::Compiler compiler(library, {}, set);
  const auto schema = compiler.compile(
      library.open(test_paths::source() + "/contract_tests/report/run.schema.json"));
  std::string violations;
  for (const auto& violation : spec::schema::validate(set, schema, report())) {
    violations += violation.instance + ' ' + violation.message.text() + '\n';
  }
  EXPECT_EQ(violations, "");
  const auto sarif = json::parse(read_file(folder_.path() / "out/run.sarif")).at("runs").at(0);
  EXPECT_EQ(sarif.at("results").at(0).at("ruleId"), "schema/type");
  EXPECT_EQ(report().at("recorded").at("calls"), 1);
  EXPECT_THAT(report().at("coverage").at("operations").at("get_item").at("statuses").at("seen"),
              ElementsAre("200"));
}

TEST_F(Recorded, redacts_credentials_of_the_calls) {
  const std::string headers =
      R"(,"headers":[{"name":"Authorization","value":"Bearer abc_123_secret_of_hers"},)"
      R"({"name":"Cookie","value":"a=1; session=xyz_456_secret_of_hers"}])";

  const auto ended =
      run_entries(entry(get(kItemOne + "?size=abc_123_secret_of_hers", headers),
                        ok(R"({"id":"abc_123_secret_of_hers","price":"xyz_456_secret_of_hers"})")));

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.out + ended.err + every_report(), Not(HasSubstr("secret_of_hers")));
  EXPECT_THAT(every_report(), HasSubstr("$TOKEN"));
}

TEST_F(Recorded, has_one_case_for_equal_requests_under_the_same_name_in_every_file) {
  const auto token = [](const std::string& word) {
    return get(kItemOne, R"(,"headers":[{"name":"Authorization","value":"Bearer )" + word + "\"}]");
  };
  run_entries(entry(token("first_token_12345"), kGood) + "," +
              entry(get(kItemOne + "?size=1"), kGood) + "," +
              entry(token("other_token_12345"), kBad));
  const auto first = report();
  run_entries(entry(get("https://other.example/items/one"), kBad));
  const auto second = report();

  EXPECT_EQ(first.at("plan").at("cases"), 2);
  EXPECT_EQ(first.at("counts").at("requests"), 3);
  EXPECT_EQ(first.at("cases").at(0).at("verdict"), "failed");
  EXPECT_EQ(first.at("cases").at(0).at("sentence"), "calls 1, 3 of the file");
  EXPECT_EQ(first.at("cases").at(0).at("id"), second.at("cases").at(0).at("id"));
}

// The states of the entries of the baseline, in the report.
std::vector<std::string> states_in(const json& run) {
  std::vector<std::string> states;
  for (const auto& one : run.at("baseline").at("entries")) {
    states.push_back(one.at("state"));
  }
  return states;
}

TEST_F(Recorded, has_a_baseline_that_holds_for_the_next_recording) {
  const auto baseline = path("known.yaml");
  const std::vector<std::string> with{"--baseline", baseline};

  const auto written = run_entries(entry(get(kItemOne), kBad),
                                   {"--baseline", baseline, "--baseline-write", "--baseline-owner",
                                    "shop", "--baseline-reason", "prices are texts"});
  const auto again = run_entries(entry(get(kItemOne), kBad), with);
  EXPECT_EQ(written.exit_code, 1) << written.out << written.err;
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  EXPECT_THAT(states_in(report()), ElementsAre("known"));

  const auto more = run_entries(
      entry(get(kItemOne), kBad) + "," + entry(get(kItemOne), ok(R"({"price":"5"})")), with);
  EXPECT_EQ(more.exit_code, 1) << more.out << more.err;

  const auto other = run_entries(entry(get("https://shop.example/items/two"), kGood), with);
  EXPECT_EQ(other.exit_code, 0) << other.out << other.err;
  EXPECT_THAT(states_in(report()), ElementsAre("not_seen"));

  const auto mended = run_entries(entry(get(kItemOne), kGood), with);
  EXPECT_EQ(mended.exit_code, 0) << mended.out << mended.err;
  EXPECT_THAT(states_in(report()), ElementsAre("fixed"));
}

TEST_F(Recorded, finds_what_a_recording_mock_wrote_of_a_wrong_service) {
  std::string wrong = support::kShop;
  wrong.replace(wrong.find("price: {type: integer}"), 22, "price: {type: string}");
  folder_.write("wrong.yaml", wrong);
  folder_.write("service/operations.yaml",
                "collections: {items: {id: /id}}\noperations:\n"
                "  get_item: {behaviour: read, collection: items, key: /path/id}\n");
  folder_.write("service/items.yaml", "one: {id: one, price: '5'}\n");
  auto service = program::MockProcess::start(
      test_paths::mock_server(),
      {"--port", "0", "--quiet", "--contract", path("wrong.yaml"), "--fixtures", path("service")});
  ASSERT_TRUE(service) << service.error();
  {
    auto recorder = program::MockProcess::start(
        test_paths::mock_server(),
        {"--port", "0", "--quiet", "--contract", contract_, "--no-default-fixtures", "--upstream",
         service.value().url(), "--mode", "record", "--record-into", path("recording")});
    ASSERT_TRUE(recorder) << recorder.error();
    const client::Trust trust;
    client::Client client(client::parse_base_url(recorder.value().url()).value(), trust);
    const auto exchange = client.send({.method = "GET",
                                       .target = "/items/one",
                                       .headers = {{"Authorization", "Bearer key_of_the_shop_17"}},
                                       .body = ""});
    ASSERT_EQ(exchange.status(), 200) << exchange.failure;
  }

  const auto ended = run("recording/calls.har");

  EXPECT_EQ(ended.exit_code, 1) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("body/price"));
  EXPECT_THAT(ended.out + every_report(), Not(HasSubstr("key_of_the_shop_17")));
}

TEST_F(Recorded, cannot_be_replayed_or_merged_and_says_why) {
  run_entries(entry(get(kItemOne), kBad));
  const auto say = [](std::vector<std::string> arguments) {
    return support::run_child(test_paths::contract_tests(), arguments);
  };

  const auto replayed = say({"replay", path("out")});
  const auto exported = say({"replay", path("out"), "--export", "curl"});
  const auto last_failed = say({"--last-failed", path("out")});
  const auto merged = say({"merge", path("out")});
  const auto compared = say({"compare", path("out"), path("out")});

  EXPECT_EQ(replayed.exit_code, 2);
  EXPECT_THAT(replayed.err, HasSubstr("nothing to send again"));
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_THAT(exported.out, HasSubstr("https://shop.example/items/one"));
  EXPECT_EQ(last_failed.exit_code, 2);
  EXPECT_THAT(last_failed.err, HasSubstr("a run over recorded calls"));
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_THAT(merged.err, HasSubstr("not the run of a shard"));
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
}

struct RecordedMistake {
  std::string name;
  std::vector<std::string> arguments;
  int exit_code = 2;
  std::string says;
};

void PrintTo(const RecordedMistake& row, std::ostream* out) {
  *out << row.name;
}

const std::vector<RecordedMistake> kRecordedMistakes{
    {"no_file", {}, 2, "FILE is required"},
    {"a_cut_file", {"cut.har"}, 3, "the file ends here, in the middle of the recording"},
    {"no_har", {"shop.yaml"}, 3, "no JSON"},
    {"a_missing_file", {"nowhere.har"}, 2, "nowhere.har"},
    {"a_folder", {"."}, 2, "no such file"},
    {"lines_of_a_recording", {"calls.jsonl"}, 2, "name the calls.har"},
    {"a_flag_of_google_test", {"cut.har", "--gtest_filter=a"}, 2, "recorded runs no GoogleTest"},
    {"a_flag_of_requests", {"cut.har", "--rate", "1"}, 2, "--rate"},
    {"a_scheme", {"cut.har", "--base-url", "ftp://a"}, 2, "--base-url"},
};

class RecordedMistakes : public Recorded, public testing::WithParamInterface<RecordedMistake> {};

TEST_P(RecordedMistakes, are_said_in_a_line) {
  folder_.write("cut.har", R"({"log":{"version":"1.2","entries":[{"request":{"method":"G)");
  std::vector<std::string> arguments{"recorded", "--contract", contract_};
  for (const auto& argument : GetParam().arguments) {
    arguments.push_back(std::filesystem::path(argument).has_extension() || argument == "."
                            ? path(argument)
                            : argument);
  }

  const auto ended = support::run_child(test_paths::contract_tests(), arguments);

  EXPECT_EQ(ended.exit_code, GetParam().exit_code) << ended.out << ended.err;
  EXPECT_THAT(ended.out + ended.err, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Table, RecordedMistakes, testing::ValuesIn(kRecordedMistakes),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace contract_tests
