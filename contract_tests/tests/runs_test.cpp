// Whole runs of the program against a server with the same wrong response for every request: the
// same findings in the same order however it is run, no token in any report, run.json as its schema
// says, and an end in time whatever the server does.

#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/paths.hpp"
#include "spec/text/encoding.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace contract_tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::Ended;
using support::ScriptedServer;
using test_support::read_file;

constexpr const char* kToken = "sk_known_to_this_test_0123456789_abcdefghij";
constexpr const char* kOther = "sk_other_of_this_test_9876543210_jihgfedcba";

std::string each_letter(const std::string& text, const char* format) {
  std::string out;
  for (const unsigned char letter : text) {
    std::array<char, 16> spelt{};
    std::snprintf(spelt.data(), spelt.size(), format, letter);
    out += spelt.data();
  }
  return out;
}

// Encoded forms of a token.
std::vector<std::string> spellings(const std::string& token) {
  const auto coded = spec::text::to_base64("Bearer " + token);
  return {coded.substr(10),  // what comes of the token alone
          each_letter(token, "%%%02X"), each_letter(token, "%%%02x")};
}

// A wrong response that contains the tokens: in a header, in a member, cut at the end, in the
// reason phrase and encoded.
json wrong_response() {
  std::string spelt = spec::text::to_base64(std::string("Bearer ") + kToken);
  for (const auto& spelling : spellings(kToken)) {
    spelt += "\",\"" + spelling;
  }
  const std::string body = std::string(R"({"email":4711,"name":")") + kToken + R"(","spelt":[")" +
                           spelt + R"("],"phone_number":{"a":")" + spellings(kOther)[0] +
                           R"("},"valid":")" + kOther + R"(","items":[{"start_date":")" +
                           std::string(kToken) + "\"}]";
  return json::array(
      {{{"send", "HTTP/1.1 200 " + std::string(kToken) +
                     "\r\nContent-Type: application/json\r\nX-Echo: Bearer " + kToken +
                     "\r\nX-Trace: " + spellings(kToken)[0] + "\r\nX-Key: " + spellings(kToken)[1] +
                     "\r\nDate: " + kOther + "\r\nLocation: /?t=" + kToken +
                     "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body}}});
}

class Runs : public testing::Test {
 protected:
  // Runs the program with its reports in `name`.
  Ended run(const ScriptedServer& server, const std::string& name,
            std::vector<std::string> arguments = {},
            std::map<std::string, std::string> environment = {}) const {
    arguments.insert(arguments.end(),
                     {"--base-url", server.url(), "--subjects",
                      (support::source_dir() / "fixtures/subjects.yaml").string(), "--report",
                      (folder_.path() / name).string(), "--other-token", kOther, "--allow-writes"});
    environment["DODO_PAYMENTS_API_KEY"] = kToken;
    return support::run_child(test_paths::contract_tests(), arguments, environment);
  }

  json report(const fs::path& name) const { return support::read_report(folder_.path() / name); }

  // Everything about findings that must not change from run to run.
  static json findings(const json& run) {
    auto all = json::array();
    for (const auto& item : run.at("cases")) {
      for (const auto& finding : item.at("findings")) {
        all.push_back({item.at("id"), finding.at("fingerprint"), finding.at("message"),
                       finding.at("place"), finding.at("excerpt")});
      }
    }
    return all;
  }

  test_support::Folder folder_;
};

// The child processes must run their whole plan also when these tests run in shards.
TEST(Child, does_not_inherit_the_variables_of_the_tests) {
  ::setenv("GTEST_COUNTERPART", "here", 1);
  const auto ended = support::run_child("/usr/bin/env", {}, {{"GTEST_SHARD_INDEX", "7"}});
  ::unsetenv("GTEST_COUNTERPART");

  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.out, testing::HasSubstr("PATH="));
  EXPECT_THAT(ended.out, testing::HasSubstr("GTEST_SHARD_INDEX=7"));
  EXPECT_THAT(ended.out, testing::Not(testing::HasSubstr("GTEST_COUNTERPART")));
}

TEST_F(Runs, have_the_same_findings_in_the_same_order_for_any_number_of_jobs) {
  const ScriptedServer server({{.steps = wrong_response(), .keep = true}});

  const auto one = run(server, "one");
  run(server, "again");
  run(server, "two_jobs", {"--jobs", "2"});

  EXPECT_EQ(one.exit_code, 1) << one.err << one.out.substr(0, 2000);
  const auto first = findings(report("one"));
  EXPECT_GT(first.size(), 100U);
  EXPECT_EQ(findings(report("again")), first);
  EXPECT_EQ(findings(report("two_jobs")), first);
}

TEST_F(Runs, show_no_token_anywhere) {
  const ScriptedServer server({{.steps = wrong_response(), .keep = true}});

  const auto xml = folder_.path() / "g.xml";
  const auto ended = run(server, "run", {"--gtest_output=xml:" + xml.string()});

  auto said = ended.out + ended.err + read_file(xml);
  for (const auto& file : report::formats::report_files()) {
    const auto text = read_file(folder_.path() / "run" / file.name);
    EXPECT_GT(text.size(), 50U) << file.name;
    said += text;
  }
  EXPECT_NE(said.find("$TOKEN"), std::string::npos);
  for (const std::string secret : {kToken, kOther}) {
    EXPECT_EQ(said.find(secret), std::string::npos);
    EXPECT_EQ(said.find(secret.substr(0, secret.size() / 2)), std::string::npos);
    for (const auto& spelling : spellings(secret)) {
      const auto in_json = json(spelling).dump();
      EXPECT_EQ(said.find(spelling.substr(0, spelling.size() / 2)), std::string::npos) << spelling;
      EXPECT_EQ(said.find(in_json.substr(1, in_json.size() / 2)), std::string::npos) << spelling;
    }
  }
  EXPECT_THAT(
      server.received(),
      testing::Contains(testing::HasSubstr(std::string("Authorization: Bearer ") + kToken)));
}

TEST_F(Runs, write_run_json_as_its_schema_says) {
  const ScriptedServer server({{.steps = wrong_response(), .keep = true}});
  run(server, "run", {"--repeat", "2", "--gtest_filter=GET_customers*"});

  spec::document::Library library;
  spec::schema::SchemaSet set;
  spec::schema::compiler::Compiler compiler(library, {}, set);
  const auto schema = compiler.compile(
      library.open(support::source_dir() / "contract_tests/report/run.schema.json"));
  std::string violations;
  for (const auto& violation : spec::schema::validate(set, schema, report("run"))) {
    violations += violation.instance + ' ' + violation.message.text() + '\n';
  }

  EXPECT_EQ(violations, "");
  EXPECT_EQ(report("run").at("cases").at(0).at("repeats").at("of"), 2);
}

TEST_F(Runs, distinguish_flaky_from_failed) {
  const auto right = json::array(
      {{{"send",
         "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 149\r\n\r\n"
         R"({"business_id":"bus_1","created_at":"2024-01-01T00:00:00Z","customer_id":)"
         R"("cus_L9xVQ2zg4mZaouqKLiMcV","email":"someone@example.test","name":"A name."})"}}});
  // One request for the health, one for the subject, and two of five times.
  std::vector<support::Script> scripts(4, {.steps = right, .keep = true});
  scripts.push_back({.steps = wrong_response(), .keep = true});
  const ScriptedServer server(std::move(scripts));

  const auto ended = run(
      server, "run", {"--repeat", "5", "--gtest_filter=GET_customers*a_plain_request_succeeds*"});

  EXPECT_EQ(ended.exit_code, 3) << ended.out;
  EXPECT_THAT(ended.out, testing::ContainsRegex("flaky: failed [1-4] of 5 times"));
}

TEST_F(Runs, end_in_time_against_a_server_that_never_ends) {
  const auto endless =
      json::array({{{"send", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"}},
                   {{"forever", std::string(4096, 'x')}}});
  const ScriptedServer server(std::vector<support::Script>{{.steps = endless}});
  const auto started = std::chrono::steady_clock::now();

  const auto ended = run(server, "run", {"--timeout", "1", "--deadline", "2", "--jobs", "2"});

  EXPECT_THAT(ended.exit_code, testing::AnyOf(1, 3)) << ended.err;
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(100));
  EXPECT_LT(ended.peak_kilobytes, 1'500'000U);
  EXPECT_THAT(ended.out, testing::HasSubstr("the run reached --deadline (2 s)"));
}

TEST_F(Runs, honour_retry_after) {
  const auto limited = json::array(
      {{{"send",
         "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"}}});
  const ScriptedServer server({{.steps = limited, .keep = true}});
  const auto started = std::chrono::steady_clock::now();

  const auto ended = run(server, "run", {"--gtest_filter=GET_customers*a_plain_request_succeeds*"});

  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_GE(std::chrono::steady_clock::now() - started, std::chrono::seconds(2));
  EXPECT_THAT(ended.out, testing::HasSubstr("429 Too Many Requests"));
}

}  // namespace
}  // namespace contract_tests
