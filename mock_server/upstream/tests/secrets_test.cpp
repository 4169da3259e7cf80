// The secrets that a mock in front of a service keeps and shows.

#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/upstream/tests/front.hpp"
#include "mock_server/upstream/tests/stand_in.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace mock_server::upstream {
namespace {

using testing::Front;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::StandIn;

constexpr std::array kSecrets{"cookie-4f81c2d9", "set-cookie-77aa01b3", "api-key-90c1d2e3f4",
                              "access-5d6e7f8091a2", "client-0a1b2c3d4e5f"};

std::string service_response() {
  const std::string body = R"({"client_secret": "client-0a1b2c3d4e5f", "name": "Ada"})";
  return "HTTP/1.1 200 X\r\nContent-Type: application/json\r\n"
         "Set-Cookie: sid=set-cookie-77aa01b3; Path=/\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

// All that can be seen of one call after it, with these flags; with state on disk if it `is_kept`.
std::string all_that_is_kept(std::vector<std::string> flags, bool is_kept = true) {
  const test_support::Folder folder;
  const std::string state = folder.path() / "state.db";
  if (is_kept) {
    flags.insert(flags.end(), {"--state", "sqlite:" + state});
  }
  const StandIn service({service_response()});
  std::string all;
  {
    Front front(service.url(), flags);
    const auto passed =
        front.ask("GET", "/customers/x?access_token=access-5d6e7f8091a2&page=7",
                  "Cookie: sid=cookie-4f81c2d9\r\nX-Api-Key: api-key-90c1d2e3f4\r\n");
    EXPECT_THAT(passed.response.body, HasSubstr("client-0a1b2c3d4e5f"));
    EXPECT_THAT(service.request(), HasSubstr("X-Api-Key: api-key-90c1d2e3f4"));
    for (const char* const target :
         {"/_mock/requests", "/_mock/requests/1", "/_mock/requests/export"}) {
      all += front.ask("GET", target).response.body;
    }
    EXPECT_EQ(front.server().terminate(), 0);
    all += front.server().errors();
  }
  std::ifstream file(state, std::ios::binary);
  return all.append(std::istreambuf_iterator<char>(file), {});
}

TEST(Secrets, of_a_real_service_are_neither_kept_nor_shown) {
  for (const bool is_kept : {true, false}) {
    const std::string kept = all_that_is_kept({}, is_kept);
    for (const char* const secret : kSecrets) {
      EXPECT_THAT(kept, Not(HasSubstr(secret)));
    }
    EXPECT_THAT(kept, HasSubstr("page=7"));
    EXPECT_THAT(kept, HasSubstr("Ada"));
  }
}

TEST(Secrets, are_kept_with_journal_secrets) {
  const std::string kept = all_that_is_kept({"--journal-secrets"});

  for (const char* const secret : kSecrets) {
    EXPECT_THAT(kept, HasSubstr(secret));
  }
}

// A contract where the member of that name is secret.
void write_contract(const std::string& path, const std::string& secret) {
  std::ofstream(path) << R"(
openapi: 3.1.0
info: {title: Pins, version: "1"}
paths:
  /pin:
    get:
      responses:
        "200":
          description: d
          content: {application/json: {schema: {properties: {)"
                      << secret << ": {type: string, format: password}}}}}\n";
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Secrets, after_a_reload_are_those_of_the_new_contract_and_those_known_before) {
  const test_support::Folder folder;
  const std::string contract = folder.path() / "contract.yaml";
  const std::string recorded = folder.path() / "recorded";
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--mode", "record", "--record-into", recorded}}) {
    write_contract(contract, "old");
    StandIn service({testing::response(200, R"({"old": "known-before-5520"})")});
    std::vector<std::string> flags{"--contract", contract, "--quiet"};
    flags.insert(flags.end(), more.begin(), more.end());
    Front front(service.url(), flags);
    front.ask("GET", "/pin");
    write_contract(contract, "pin");
    ASSERT_EQ(kill(front.server().pid(), SIGHUP), 0);
    ASSERT_TRUE(transport::testing::eventually([&] {
      return testing::body_of(front.ask("GET", "/_mock/health")).at("reload").at("done") == 1;
    }));
    const std::string body =
        R"({"old": "known-before-5520", "pin": "very-private-9431", "name": "Ada"})";
    service.respond_with({testing::response(200, body)});

    EXPECT_EQ(front.ask("GET", "/pin").response.body, body);
    const std::string kept = front.ask("GET", "/_mock/requests/export").response.body +
                             text_of(recorded + "/calls.jsonl");

    EXPECT_THAT(kept, AllOf(HasSubstr("Ada"), Not(HasSubstr("very-private-9431")),
                            Not(HasSubstr("known-before-5520"))));
  }
}

}  // namespace
}  // namespace mock_server::upstream
