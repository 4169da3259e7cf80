// Whole runs of the program: the deadline counts from the start, a dry run sends nothing, problems
// with proxies and TLS are one line, and severities are set by rule, clause and class.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "contract_tests/tests/support/tls_server.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <set>
#include <thread>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::Ended;
using support::ScriptedServer;
using support::TlsServer;
using support::TunnelProxy;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kOneCase =
    "--gtest_filter=GET_customers*a_plain_request_succeeds_and_satisfies_its_schema";

class RunBounds : public testing::Test {
 protected:
  Ended run(const std::string& url, std::vector<std::string> arguments,
            const std::map<std::string, std::string>& environment = {}) const {
    arguments.insert(arguments.end(),
                     {"--base-url", url, "--token", "sk_of_this_test", "--subjects",
                      (support::source_dir() / "fixtures/subjects.yaml").string()});
    return support::run_child(test_paths::contract_tests(), arguments, environment);
  }

  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }

  test_support::Folder folder_;
};

std::string local(int port) {
  return "http://127.0.0.1:" + std::to_string(port);
}

TEST_F(RunBounds, a_dry_run_opens_no_connection) {
  const ScriptedServer server(std::vector<support::Script>{{.steps = json::array()}});

  const auto ended = run(server.url(), {"--dry-run", "--allow-writes", "--allow-burst"});

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("curl -sS"));
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(RunBounds, the_deadline_applies_while_subjects_are_checked) {
  const ScriptedServer server(
      std::vector<support::Script>{{.steps = json::array({{{"hang", true}}})}});
  const auto started = std::chrono::steady_clock::now();

  const auto ended = run(server.url(), {"--deadline", "2", "--timeout", "3600"});

  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("the run reached --deadline (2 s)"));
  EXPECT_THAT(ended.out, HasSubstr("0 passed"));
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(60));
}

TEST_F(RunBounds, a_server_that_hangs_is_asked_about_one_subject_only) {
  const ScriptedServer server(
      std::vector<support::Script>{{.steps = json::array({{{"hang", true}}})}});

  run(server.url(), {"--timeout", "1", kOneCase});

  // One request for the health, one for a subject, one for the case, and one to look again, which
  // may still be in progress.
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (server.received().size() < 4 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(server.received().size(), 4U);
}

TEST_F(RunBounds, a_rejected_token_ends_the_run_with_one_line) {
  const ScriptedServer server(
      {{.steps = json::array({{{"send",
                                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n"
                                "Content-Length: 0\r\n\r\n"}}}),
        .keep = true}});

  const auto ended = run(server.url(), {"--allow-writes"});

  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_THAT(ended.err, HasSubstr("the server rejects the token (401); put a valid one into "
                                   "DODO_PAYMENTS_API_KEY or pass it with --token"));
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  EXPECT_THAT(ended.out, Not(HasSubstr(" passed")));
}

TEST_F(RunBounds, a_run_that_ends_before_its_first_case_is_reported) {
  const ScriptedServer server(
      {{.steps = json::array({{{"send",
                                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n"
                                "Content-Length: 0\r\n\r\n"}}}),
        .keep = true}});

  const auto rejected = run(server.url(), {"--report", (folder_.path() / "rejected").string()});
  const auto unreachable = run(local(1), {"--report", (folder_.path() / "unreachable").string()});

  EXPECT_EQ(rejected.exit_code, 3) << rejected.err;
  const auto first = support::read_report(folder_.path() / "rejected");
  EXPECT_EQ(first.at("exit"), 3);
  EXPECT_THAT(first.at("problems").dump(), HasSubstr("the server rejects the token (401)"));
  EXPECT_EQ(unreachable.exit_code, 2) << unreachable.err;
  const auto second = support::read_report(folder_.path() / "unreachable");
  EXPECT_EQ(second.at("verdict"), "unusable");
  EXPECT_THAT(second.at("problems").dump(), HasSubstr("check --base-url"));
  const auto junit = test_support::read_file(folder_.path() / "unreachable" / "junit.xml");
  EXPECT_THAT(junit, HasSubstr("errors=\"1\""));
}

TEST_F(RunBounds, a_redirect_to_https_ends_the_run_with_one_line) {
  const ScriptedServer server({{.steps = json::array({{{"send",
                                                        "HTTP/1.1 308 Permanent Redirect\r\n"
                                                        "Location: https://127.0.0.1/x\r\n"
                                                        "Content-Length: 0\r\n\r\n"}}}),
                                .keep = true}});

  const auto ended = run(server.url(), {"--allow-writes"});

  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_THAT(ended.err, HasSubstr("use --base-url https://127.0.0.1"));
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  EXPECT_THAT(ended.out, Not(HasSubstr(" passed")));
}

TEST_F(RunBounds, an_invalid_length_ends_the_response_at_once) {
  const ScriptedServer server(std::vector<support::Script>{
      {.steps = json::array({{{"send",
                               "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                               "Content-Length: +2\r\n\r\n{}"}},
                             {{"hang", true}}})}});
  const auto started = std::chrono::steady_clock::now();

  const auto ended = run(server.url(), {"--timeout", "3600", kOneCase});

  EXPECT_EQ(ended.exit_code, 1) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("error http/length"));
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(60));
}

// The examples in the template are records of the mock, so that it works before it is filled in.
TEST_F(RunBounds, the_printed_subjects_exist_in_the_mock) {
  const auto printed = support::run_child(test_paths::contract_tests(), {"--print-subjects"});
  const auto file = write("subjects.yaml", printed.out);

  const auto ended = support::run_child(test_paths::contract_tests(), {"--subjects", file},
                                        {{"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});

  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(ended.exit_code, 0) << ended.err << ended.out.substr(0, 3000);
}

class Secure : public RunBounds {
 protected:
  support::Identity authority_ =
      support::make_identity({.name = "An authority", .authority = true});
  TlsServer server_{support::make_identity({.hosts = {"DNS:payments.example"}}, authority_)};
};

TEST_F(Secure, a_run_uses_the_proxy_of_the_environment) {
  const TunnelProxy proxy(server_.port());

  const auto ended = run("https://payments.example",
                         {"--cacert", write("ca.pem", authority_.certificate), kOneCase},
                         {{"HTTPS_PROXY", local(proxy.port())}});

  EXPECT_EQ(ended.exit_code, 1) << ended.err;  // {} is no customer
  EXPECT_THAT(server_.received(), Contains(HasSubstr("Authorization: Bearer sk_of_this_test\r\n")));
  EXPECT_THAT(proxy.received(), Not(Contains(HasSubstr("sk_of_this_test"))));
}

TEST_F(Secure, no_proxy_bypasses_it) {
  const TunnelProxy proxy(server_.port());

  // An address of this machine without a name and without a server.
  const auto ended =
      run("https://0.0.0.0:1", {"--cacert", write("ca.pem", authority_.certificate), kOneCase},
          {{"HTTPS_PROXY", local(proxy.port())}, {"NO_PROXY", "0.0.0.0"}});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("cannot connect to 0.0.0.0:1"));
  EXPECT_THAT(proxy.received(), IsEmpty());
}

TEST_F(Secure, a_proxy_that_requires_credentials_ends_the_run_with_one_line) {
  const TunnelProxy proxy(0, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");

  const auto ended =
      run("https://payments.example", {kOneCase},
          {{"HTTPS_PROXY", "http://me:word@127.0.0.1:" + std::to_string(proxy.port())}});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("put USER:PASSWORD@ into HTTPS_PROXY"));
  EXPECT_THAT(ended.err + ended.out, Not(HasSubstr("word@")));
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
}

TEST_F(Secure, a_proxy_that_requires_credentials_makes_http_cases_inconclusive) {
  const ScriptedServer proxy(
      {{.steps = json::array({{{"send", "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"}}}),
        .keep = true}});

  const auto ended =
      run("http://payments.example", {kOneCase}, {{"HTTP_PROXY", local(proxy.port())}});

  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("put USER:PASSWORD@ into HTTP_PROXY"));
  EXPECT_THAT(ended.out, HasSubstr("0 passed, 0 failed, 1 inconclusive"));
}

TEST_F(Secure, an_untrusted_certificate_ends_the_run_with_one_line) {
  const auto ended = run("https://localhost:" + std::to_string(server_.port()), {kOneCase});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("unable to get local issuer certificate; name its CA with "
                                   "--ca-file"));
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  EXPECT_THAT(ended.out, Not(HasSubstr(" passed")));
  EXPECT_THAT(server_.received(), IsEmpty());
}

// The severities of findings by rule, clause and class.
class SeveritiesOfFindings : public RunBounds {
 protected:
  // "rule clause class severity" of every finding.
  std::set<std::string> findings(const std::string& severities) const {
    // 200 with an invalid date (standard), a customer whose name is a number (document) and who
    // has no e-mail address (assumption).
    const std::string body = R"({"business_id":"bus_1","created_at":"2024-01-01T00:00:00Z",)"
                             R"("customer_id":"cus_L9xVQ2zg4mZaouqKLiMcV","name":7})";
    const ScriptedServer server(
        {{.steps = json::array({{{"send",
                                  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                  "Date: today\r\nContent-Length: " +
                                      std::to_string(body.size()) + "\r\n\r\n" + body}}}),
          .keep = true}});
    const auto reports = folder_.path() / "run";
    const auto ended = run(server.url(), {"--severities", write("s.yaml", severities), "--report",
                                          reports.string(), kOneCase});
    exit_code_ = ended.exit_code;
    const auto value = support::read_report(reports);
    std::set<std::string> found;
    for (const auto& finding : value.at("cases").at(0).at("findings")) {
      found.insert(finding.at("rule").get<std::string>() + ' ' +
                   finding.at("clause").get<std::string>() + ' ' +
                   finding.at("class").get<std::string>() + ' ' +
                   finding.at("severity").get<std::string>());
    }
    return found;
  }

  mutable int exit_code_ = -1;
};

constexpr const char* kDate = "http/date RFC 9110 §5.6.7 standard ";
constexpr const char* kName = "schema/type §2 document ";
constexpr const char* kEmail = "schema/required §2 assumption ";

std::set<std::string> weighed(const std::string& date, const std::string& name,
                              const std::string& email) {
  std::set<std::string> lines;
  for (const auto& [line, severity] :
       {std::pair(kDate, date), std::pair(kName, name), std::pair(kEmail, email)}) {
    if (!severity.empty()) {
      lines.insert(line + severity);
    }
  }
  return lines;
}

TEST_F(SeveritiesOfFindings, follow_rule_and_class_by_default) {
  EXPECT_EQ(findings("rules: {}\n"), weighed("warning", "error", "warning"));
  EXPECT_EQ(exit_code_, 1);
}

TEST_F(SeveritiesOfFindings, are_set_by_rule) {
  EXPECT_EQ(findings("rules: {schema/type: note, http/date: \"off\", schema/required: error}\n"),
            weighed("", "note", "error"));
  EXPECT_EQ(exit_code_, 1);
}

TEST_F(SeveritiesOfFindings, are_set_by_family_of_rules) {
  EXPECT_EQ(findings("rules: {schema/*: \"off\"}\n"), weighed("warning", "", ""));
  EXPECT_EQ(exit_code_, 0);
}

TEST_F(SeveritiesOfFindings, are_set_by_clause) {
  EXPECT_EQ(findings("clauses: {\"§2\": note, \"RFC 9110 §5.6.7\": error}\n"),
            weighed("error", "note", "note"));
  EXPECT_EQ(exit_code_, 1);
}

TEST_F(SeveritiesOfFindings, are_set_by_class) {
  EXPECT_EQ(findings("classes: {document: warning, standard: note, assumption: \"off\"}\n"),
            weighed("note", "warning", ""));
  EXPECT_EQ(exit_code_, 0);
}

TEST_F(SeveritiesOfFindings, are_set_by_the_most_specific_entry) {
  EXPECT_EQ(findings("rules: {schema/type: error}\nclauses: {\"§2\": note}\n"
                     "classes: {standard: error, assumption: error}\n"),
            weighed("error", "error", "note"));
}

}  // namespace
}  // namespace contract_tests
