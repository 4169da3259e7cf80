// The program in front of a service: which server responds, and what the journal says of it.

#include "mock_server/upstream/tests/front.hpp"

#include "mock_server/transport/tests/support/process.hpp"
#include "mock_server/upstream/tests/stand_in.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::upstream {
namespace {

using nlohmann::json;
using spec::http::ResponseRecord;
using testing::body_of;
using testing::End;
using testing::field;
using testing::Front;
using ::testing::HasSubstr;
using testing::kCustomer;
using testing::kToken;
using testing::newest;
using testing::response;
using testing::served_by;
using testing::StandIn;
using ::testing::StartsWith;

constexpr const char* kJson = "Content-Type: application/json\r\n";

void expect_loop(const ResponseRecord& record) {
  EXPECT_EQ(record.head.status, 508);
  EXPECT_THAT(served_by(record), StartsWith("mock; --upstream"));
  EXPECT_EQ(field(record, "X-Counterpart-Violations"), "");
}

void expect_loop_in_journal(const Front& front, std::size_t entries) {
  const json list = body_of(front.ask("GET", "/_mock/requests"));
  ASSERT_EQ(list["requests"].size(), entries);
  for (const json& entry : list["requests"]) {
    EXPECT_THAT(entry.value("chosen_by", ""), HasSubstr("leads back to this mock"));
    EXPECT_EQ(entry.value("response_violations", 1), 0);
  }
}

}  // namespace

TEST(Front, says_what_the_services_response_violates) {
  const StandIn service({response(200, R"({"customer_id": 1})")});
  const Front front(service.url());

  const auto record = front.ask("GET", kCustomer, kToken);

  EXPECT_EQ(record.response.body, R"({"customer_id": 1})");
  EXPECT_EQ(served_by(record), "upstream");
  EXPECT_THAT(field(record, "X-Counterpart-Violations"), HasSubstr("response: "));
  const json entry = newest(front);
  EXPECT_EQ(entry.value("chosen_by", ""), "upstream");
  EXPECT_GT(entry.value("response_violations", 0), 0);
}

TEST(Front, a_loop_is_the_mocks_own_508_at_every_hop) {
  const int port = testing::free_port();
  const Front itself("http://127.0.0.1:" + std::to_string(port), {}, port);

  const auto record = itself.ask("GET", kCustomer, kToken);

  expect_loop(record);
  expect_loop_in_journal(itself, 2);
}

TEST(Front, a_loop_through_another_mock_is_no_response_of_the_service) {
  const int port = testing::free_port();
  const Front first("http://127.0.0.1:" + std::to_string(port));
  const Front second(first.url(), {}, port);

  const auto record = first.ask("GET", kCustomer, kToken);

  expect_loop(record);
  expect_loop_in_journal(first, 2);
  expect_loop_in_journal(second, 1);
}

TEST(Front, a_508_of_the_service_is_passed_on) {
  const StandIn service({response(508, "{}")});
  const Front front(service.url());

  const auto record = front.ask("GET", kCustomer, kToken);

  EXPECT_EQ(record.head.status, 508);
  EXPECT_EQ(served_by(record), "upstream");
}

TEST(Front, what_a_mock_behind_it_says_of_the_exchange_is_not_passed_on) {
  const StandIn service(
      {"HTTP/1.1 404 X\r\nX-Counterpart-Served-By: mock\r\nX-Counterpart-Violations: 9\r\n"
       "X-Counterpart-Explain: /elsewhere\r\nContent-Type: application/json\r\n"
       "Content-Length: 34\r\n\r\n{\"code\":\"NOT_FOUND\",\"message\":\"x\"}"});
  const Front front(service.url());

  const auto record = front.ask("GET", kCustomer, kToken);

  EXPECT_EQ(record.head.status, 404);
  EXPECT_EQ(served_by(record), "upstream");
  EXPECT_EQ(field(record, "X-Counterpart-Violations"), "");
  EXPECT_EQ(field(record, "X-Counterpart-Explain"), "");
}

TEST(Front, the_index_is_no_request_to_the_service) {
  const StandIn service({response(200, "{}")});
  const Front front(service.url());
  front.ask("GET", kCustomer, kToken);  // so that a connection is kept

  EXPECT_EQ(front.ask("GET", "/").head.status, 200);
  EXPECT_EQ(service.requests(), 1U);
}

TEST(Front, a_preflight_of_the_control_api_is_no_request_to_the_service) {
  constexpr const char* kPreflight =
      "Origin: http://a.example\r\nAccess-Control-Request-Method: DELETE\r\n";
  for (const char* const mode : {"observe", "fill", "record"}) {
    const StandIn service({response(500, "{}")});
    const test_support::Folder recording;
    std::vector<std::string> flags{"--mode", mode};
    if (flags.back() == "fill") {
      flags.insert(flags.end(), {"--fill-on", "connect-error"});
    } else if (flags.back() == "record") {
      flags.insert(flags.end(), {"--record-into", (recording.path() / "recorded").string()});
    }
    const Front front(service.url(), flags);

    for (const char* const target : {"/_mock/requests", "/_s/one/_mock/requests"}) {
      const auto record = front.ask("OPTIONS", target, kPreflight);
      EXPECT_EQ(record.head.status, 204) << mode;
      EXPECT_THAT(field(record, "Access-Control-Allow-Methods"), HasSubstr("DELETE")) << mode;
    }
    EXPECT_EQ(service.requests(), 0U) << mode;
    const json list = body_of(front.ask("GET", "/_mock/requests?method=OPTIONS&session=*"));
    EXPECT_EQ(list.value("requests", json(nullptr)), json::array()) << mode;
  }
}

TEST(Front, a_part_of_a_file_is_no_violation_of_the_service) {
  const StandIn service(
      {"HTTP/1.1 206 X\r\nContent-Type: application/json\r\nContent-Range: bytes 0-1/9\r\n"
       "Content-Length: 2\r\n\r\n{\"",
       End::kHold});
  const Front front(service.url());

  const auto part = front.ask("GET", kCustomer, std::string(kToken) + "Range: bytes=0-1\r\n");
  const auto unasked = front.ask("GET", kCustomer, kToken);

  EXPECT_EQ(part.head.status, 206);
  EXPECT_EQ(field(part, "X-Counterpart-Violations"), "");
  EXPECT_THAT(field(unasked, "X-Counterpart-Violations"), HasSubstr("response: "));
}

TEST(Front, fill_responds_instead_of_what_is_listed_and_says_so) {
  StandIn service({response(501, "{}")});
  const Front front(service.url(),
                    {"--mode", "fill", "--fill-on", "501,timeout", "--upstream-timeout-ms", "200"});

  const auto filled = front.ask("GET", kCustomer, kToken);
  const json entry = newest(front);
  service.respond_with({""});
  const auto late = front.ask("GET", kCustomer, kToken);
  service.respond_with({response(500, "{}")});
  const auto passed = front.ask("GET", kCustomer, kToken);

  EXPECT_EQ(filled.head.status, 200);
  EXPECT_EQ(served_by(filled), "mock; the service responded 501");
  EXPECT_THAT(entry.value("chosen_by", ""),
              HasSubstr("in place of the service: the service responded 501"));
  EXPECT_EQ(late.head.status, 200);
  EXPECT_THAT(served_by(late), HasSubstr("sent nothing for 200 ms"));
  EXPECT_EQ(passed.head.status, 500);
  EXPECT_EQ(served_by(passed), "upstream");
}

TEST(Front, a_request_may_choose_who_responds) {
  const StandIn service({response(204, "")});
  const Front front(service.url());

  const auto by_mock = front.ask("GET", kCustomer, std::string(kToken) + "Prefer: mock\r\n");
  const auto forced = front.ask("GET", kCustomer, "Prefer: code=429\r\n");
  const auto by_link = front.ask("GET", "/a?x=%41&__upstream&y=1");

  EXPECT_EQ(by_mock.head.status, 200);
  EXPECT_EQ(served_by(by_mock), "mock");
  EXPECT_EQ(forced.head.status, 429);
  EXPECT_EQ(by_link.head.status, 204);
  EXPECT_THAT(service.request(), StartsWith("GET /a?x=%41&y=1 HTTP/1.1\r\nHost: 127.0.0.1:"));
}

TEST(Front, the_query_is_passed_on_as_it_is_but_for_preferences) {
  const StandIn service({response(204, "")});
  const Front front(service.url());
  const std::vector<std::pair<std::string, std::string>> rows{{"/q", "/q"},
                                                              {"/q?", "/q?"},
                                                              {"/q?a=1&", "/q?a=1&"},
                                                              {"/q?&&a", "/q?&&a"},
                                                              {"/q?a=?", "/q?a=?"},
                                                              {"/_s/one/q?", "/q?"},
                                                              {"/q?__upstream", "/q"},
                                                              {"/q?__upstream&a=1&", "/q?a=1"}};

  for (const auto& [asked, passed] : rows) {
    front.ask("GET", asked);
    EXPECT_THAT(service.request(), StartsWith("GET " + passed + " HTTP/1.1\r\n")) << asked;
  }
}

TEST(Front, options_of_the_whole_server_have_no_path) {
  const StandIn service({response(204, "")});
  const Front front(service.url() + "/v1");

  front.ask("OPTIONS", "*");
  EXPECT_THAT(service.request(), StartsWith("OPTIONS * HTTP/1.1\r\n"));
  front.ask("OPTIONS", "/a");
  EXPECT_THAT(service.request(), StartsWith("OPTIONS /v1/a HTTP/1.1\r\n"));
}

TEST(Front, options_that_may_go_no_further_are_the_mocks) {
  const StandIn service({response(204, "")});
  const Front front(service.url());

  EXPECT_EQ(served_by(front.ask("OPTIONS", kCustomer, "Max-Forwards: 0\r\n")), "mock");
  EXPECT_EQ(service.requests(), 0U);
}

TEST(Front, a_204_has_no_length_whatever_the_service_says) {
  const StandIn service({"HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\n"});
  const Front front(service.url());

  const auto record = front.ask("HEAD", kCustomer, kToken);

  EXPECT_EQ(record.head.status, 204);
  EXPECT_FALSE(record.response.headers.has("Content-Length"));
}

TEST(Front, the_journal_says_why_a_response_is_not_validated) {
  const StandIn service(
      {"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Encoding: zstd\r\n"
       "Content-Length: 2\r\n\r\n()"});
  const Front front(service.url());

  front.ask("GET", kCustomer, kToken);

  EXPECT_EQ(newest(front).value("chosen_by", ""),
            "upstream; the response is not validated: its body must be gzip, deflate, br or "
            "identity, but is \"zstd\"");
}

TEST(Front, a_session_may_choose_who_responds_until_it_is_reset) {
  const StandIn service({response(501, "{}")});
  const Front front(service.url());
  const auto who = [&](const std::string& prefix) {
    return served_by(front.ask("GET", prefix + kCustomer, kToken));
  };

  const auto set = front.ask("PUT", "/_s/a/_mock/upstream", kJson, R"({"mode": "mock"})");
  const auto fill = front.ask("PUT", "/_s/b/_mock/upstream", kJson,
                              R"({"mode": "fill", "fill_on": "timeout, 501"})");

  EXPECT_EQ(body_of(set), json({{"session", "a"},
                                {"url", service.url()},
                                {"mode", "mock"},
                                {"fill_on", ""},
                                {"is_own", true}}));
  EXPECT_EQ(body_of(fill)["fill_on"], "501, timeout");
  EXPECT_EQ(who("/_s/a"), "mock");
  EXPECT_EQ(who("/_s/b"), "mock; the service responded 501");
  EXPECT_EQ(who(""), "upstream");
  front.ask("POST", "/_s/a/_mock/reset");
  EXPECT_EQ(body_of(front.ask("DELETE", "/_s/b/_mock/upstream"))["is_own"], false);
  EXPECT_EQ(who("/_s/a"), "upstream");
  EXPECT_EQ(who("/_s/b"), "upstream");
}

struct BadChange {
  std::string name;
  std::string body;
  int status;
  std::string says;
};

void PrintTo(const BadChange& change, std::ostream* out) {
  *out << change.name;
}

TEST(Front, a_service_without_tls_is_no_question_of_trust) {
  const Front service("http://127.0.0.1:1");
  const std::string url = "https://127.0.0.1:" + std::to_string(service.port());
  const Front front(url);
  const Front filled(url, {"--mode", "fill", "--fill-on", "connect-error"});

  EXPECT_THAT(served_by(front.ask("GET", kCustomer, kToken)),
              HasSubstr("cannot connect to " + url + ": it does not speak TLS; use http://"));
  EXPECT_EQ(filled.ask("GET", kCustomer, kToken).head.status, 200);
}

TEST(Front, rejects_settings_that_mean_nothing) {
  const Front front("http://127.0.0.1:1");

  for (const BadChange& row :
       {BadChange{"fill_alone", R"({"mode": "fill"})", 422, "both or neither"},
        BadChange{"list_alone", R"({"mode": "observe", "fill_on": "501"})", 422, "both or neither"},
        BadChange{"unknown_word", R"({"mode": "fill", "fill_on": "teapot"})", 422, "teapot"},
        BadChange{"record", R"({"mode": "record"})", 409, "does not record"},
        BadChange{"url", R"({"mode": "mock", "url": "http://a"})", 422, "url"}}) {
    const auto record = front.ask("PUT", "/_mock/upstream", kJson, row.body);
    EXPECT_EQ(record.head.status, row.status) << row.name;
    EXPECT_THAT(record.response.body, HasSubstr(row.says)) << row.name;
  }
}

TEST(Front, a_run_reports_what_the_service_violates) {
  const StandIn service({response(200, R"({"customer_id": 1})")});
  const test_support::Folder folder;
  const std::string junit = folder.path() / "run.xml";
  transport::testing::Process run(
      {test_paths::mock_server(), "--quiet", "--upstream", service.url(), "run", "--junit", junit,
       "--", "sh", "-c",
       std::string("curl -s -o /dev/null -H 'Authorization: Bearer dodo_test_front' $MOCK_URL") +
           kCustomer});

  const std::string errors = run.errors();

  EXPECT_EQ(run.end(), 1);
  EXPECT_THAT(errors, HasSubstr("violated the contract: 1 request"));
  EXPECT_THAT(errors, HasSubstr("the response: GET /customers/{customer_id}"));
  EXPECT_THAT(test_support::read_file(junit),
              HasSubstr("<failure message=\"requests violated the contract\">"));
}

TEST(Front, a_run_fails_where_the_service_does_not_respond_and_nothing_fills) {
  const auto run_with = [](const std::vector<std::string>& flags) {
    std::vector<std::string> words{test_paths::mock_server(), "--upstream", "http://127.0.0.1:1"};
    words.insert(words.end(), flags.begin(), flags.end());
    for (const std::string& word :
         {std::string("run"), std::string("--"), std::string("sh"), std::string("-c"),
          std::string("curl -s -o /dev/null -H 'Authorization: Bearer dodo_test_front' $MOCK_URL") +
              kCustomer}) {
      words.push_back(word);
    }
    return words;
  };
  transport::testing::Process dead(run_with({}));
  transport::testing::Process filled(run_with({"--mode", "fill", "--fill-on", "connect-error"}));

  const std::string said = dead.errors();

  EXPECT_EQ(dead.end(), 1);
  EXPECT_THAT(said, HasSubstr("passing requests on to http://127.0.0.1:1 (observe)"));
  EXPECT_THAT(said, HasSubstr("responses from the service: 0 of 1 call; no response: 1\n"
                              "  no response x1: cannot connect to 127.0.0.1:1: "));
  EXPECT_THAT(said, HasSubstr("coverage: 0.0%"));
  EXPECT_THAT(filled.errors(),
              HasSubstr("responses from the service: 0 of 1 call; from the mock: 1\n"));
  EXPECT_EQ(filled.end(), 0);
}

TEST(Front, coverage_counts_only_responses_of_the_service) {
  const StandIn service({response(404, "")});
  const Front dead("http://127.0.0.1:1", {"--quiet"});
  const Front living(service.url(), {"--quiet"});

  EXPECT_EQ(dead.ask("GET", kCustomer).head.status, 502);
  EXPECT_EQ(living.ask("GET", kCustomer).head.status, 404);

  const json of_dead = body_of(dead.ask("GET", "/_mock/coverage"));
  EXPECT_EQ(of_dead.at("requests"), 1);
  EXPECT_EQ(of_dead.at("seen"), 0);
  EXPECT_GT(body_of(living.ask("GET", "/_mock/coverage")).at("seen"), 0);
}

TEST(Front, a_recording_leaves_nothing_where_the_port_is_in_use) {
  const StandIn service({response(204, "")});
  const Front first(service.url());
  const test_support::Folder folder;
  transport::testing::Process second(
      {test_paths::mock_server(), "--port", std::to_string(first.port()), "--upstream",
       service.url(), "--mode", "record", "--record-into", (folder.path() / "into").string()});

  EXPECT_NE(second.end(), 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "into"));
}

TEST(Front, a_long_body_has_only_faults_without_a_body) {
  constexpr std::size_t kBytes = 3'000'000;
  const StandIn service(
      {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kBytes) + "\r\n\r\n", End::kHold,
       kBytes});
  const Front front(service.url());

  const auto whole = front.ask("GET", "/long", "Prefer: fault=split-writes\r\n");

  EXPECT_EQ(whole.response.body.size(), kBytes);
  EXPECT_EQ(field(whole, "X-Counterpart-Warning"),
            "fault split-writes: not with a body that is streamed");
  EXPECT_EQ(front.ask("GET", "/long", "Prefer: fault=empty\r\n").head.status, 0);
}

}  // namespace mock_server::upstream
