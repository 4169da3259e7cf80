// The program in front of a service whose responses have items and may have no end.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/upstream/tests/front.hpp"
#include "mock_server/upstream/tests/stand_in.hpp"
#include "spec/http/chunk.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/sanitized.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace mock_server::upstream {
namespace {

using testing::Front;
using ::testing::HasSubstr;
using testing::newest;
using ::testing::Not;
using testing::StandIn;
using transport::testing::Client;
using transport::testing::eventually;
using transport::testing::Wait;

// Each item has a number of at most 3.
constexpr std::string_view kContract = R"(
openapi: 3.2.0
info: {title: Numbers, version: "1"}
paths:
  /numbers:
    get:
      operationId: numbers
      responses:
        "200":
          description: d
          content:
            application/jsonl: {itemSchema: {$ref: "#/components/schemas/Item"}}
            application/json-seq: {itemSchema: {$ref: "#/components/schemas/Item"}}
            text/event-stream:
              itemSchema:
                required: [data]
                properties:
                  data: {type: string, contentMediaType: application/json, contentSchema: {$ref: "#/components/schemas/Item"}}
components:
  schemas:
    Item: {type: object, required: [n], properties: {n: {type: integer, maximum: 3}, password: {type: string, format: password}}}
)";

struct Form {
  std::string type;
  std::string before;
  std::string after;

  std::string item(const std::string& json) const { return before + json + after; }

  std::string head() const {
    return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nTransfer-Encoding: chunked\r\n\r\n";
  }
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all{{"text/event-stream", "data: ", "\n\n"},
                                     {"application/jsonl", "", "\n"},
                                     {"application/json-seq", "\x1e", "\n"}};
  return all;
}

std::string read_up_to(Client& client, std::string_view end) {
  std::string all;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (std::size_t seen = 0;
       all.find(end, seen) == std::string::npos && std::chrono::steady_clock::now() < until;) {
    seen = all.size() - std::min(all.size(), end.size());
    all += client.read(Wait(10));
  }
  return all;
}

// A service that sends a head, and then what it is told to; a mock in front of it, and its client.
struct Passing {
  explicit Passing(const Form& form, std::vector<std::string> flags = {})
      : service({form.head()}), front(service.url(), with_contract(std::move(flags))) {
    client.emplace(front.port());
    client->send("GET /numbers HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n");
    EXPECT_THAT(read_up_to("\r\n\r\n"), HasSubstr("X-Counterpart-Served-By: upstream"));
  }

  std::vector<std::string> with_contract(std::vector<std::string> flags) {
    const std::string contract = folder.path() / "contract.yaml";
    std::ofstream(contract) << kContract;
    flags.insert(flags.end(), {"--contract", contract, "--no-default-fixtures"});
    return flags;
  }

  std::string read_up_to(std::string_view end) { return upstream::read_up_to(*client, end); }

  void push(const std::string& item) { service.push(spec::http::chunk(item)); }

  // Sends the item, and waits until the client has it.
  void pass(const std::string& item) {
    push(item);
    EXPECT_THAT(read_up_to(item), HasSubstr(item));
  }

  bool is_closed() {
    return eventually([&] { return service.connections() == 0; });
  }

  test_support::Folder folder;
  StandIn service;
  Front front;
  std::optional<Client> client;
};

}  // namespace

TEST(PassedItems, come_one_by_one_and_are_validated_as_they_come) {
  for (const Form& form : forms()) {
    Passing passing(form);

    passing.pass(form.item(R"({"n":1})"));
    passing.pass(form.item(R"({"n":7})"));
    passing.pass(form.item(R"({"n":3})"));

    EXPECT_THAT(newest(passing.front).value("chosen_by", ""),
                "upstream; its items are validated as they pass");
    EXPECT_TRUE(eventually([&] {
      return passing.front.server().errors().find(
                 "the response violates the contract: GET /numbers: ") != std::string::npos;
    })) << form.type;
    EXPECT_THAT(passing.front.server().errors(), HasSubstr("must be at most 3, but is 7"));
    passing.client.reset();
    EXPECT_TRUE(
        eventually([&] { return newest(passing.front).value("response_violations", 0) == 1; }));
    EXPECT_THAT(newest(passing.front).value("chosen_by", ""),
                "upstream; its items are validated as they pass: 3 items, ended by the client or "
                "by the mock's end");
  }
}

// It is quiet: nothing that is sent could fail.
TEST(PassedItems, end_with_their_client) {
  for (const Form& form : forms()) {
    Passing passing(form);
    passing.pass(form.item(R"({"n":1})"));

    passing.client.reset();

    EXPECT_TRUE(passing.is_closed()) << form.type;
  }
}

TEST(PassedItems, are_cut_where_the_service_ends_them_early) {
  Passing passing(forms().front());
  const std::string item = forms().front().item(R"({"n":1})");
  passing.push(item);

  passing.service.respond_with({""});  // ends open connections

  std::string all;
  for (std::string part = passing.client->read(Wait(10'000)); !part.empty();
       part = passing.client->read(Wait(10'000))) {
    all += part;
  }
  EXPECT_THAT(all, HasSubstr(item));
  EXPECT_THAT(all, Not(HasSubstr("0\r\n\r\n")));
  EXPECT_EQ(passing.client->state(Wait(5'000)), transport::testing::Connection::kClosed);
  EXPECT_TRUE(eventually([&] {
    return newest(passing.front).value("chosen_by", "").ends_with("ended early by the service");
  }));
  EXPECT_THAT(passing.front.server().errors(),
              HasSubstr("GET /numbers: 1 items, ended early by the service"));
}

TEST(PassedItems, that_are_long_pass_through_little_memory) {
  constexpr std::size_t kMegabytes = 10;
  Passing passing(forms().at(1));
  [[maybe_unused]] const std::size_t before = passing.front.server().memory_bytes("VmHWM:");

  const std::jthread sender([&passing] {
    passing.push("\"");
    for (std::size_t at = 0; at < kMegabytes; ++at) {
      passing.push(std::string(1'000'000, 'x'));
    }
    passing.push("\"\n");
    passing.push(R"({"n":9})"
                 "\n");
  });
  EXPECT_THAT(passing.read_up_to(R"({"n":9})"), HasSubstr(R"({"n":9})"));

  passing.client.reset();
  EXPECT_TRUE(
      eventually([&] { return newest(passing.front).value("response_violations", 0) == 1; }));
  EXPECT_THAT(newest(passing.front).value("chosen_by", ""),
              HasSubstr("2 items, ended by the client or by the mock's end, 1 of more than 65536 "
                        "bytes not validated"));
  EXPECT_THAT(passing.front.server().errors(), HasSubstr("/1/n"));
  if (!spec::tests::kIsSanitized) {
    EXPECT_LT(passing.front.server().memory_bytes("VmHWM:"), before + 8'000'000);
  }
}

TEST(PassedItems, end_when_the_mock_does) {
  Passing passing(forms().front());
  passing.pass(forms().front().item(R"({"n":1})"));

  EXPECT_EQ(passing.front.server().terminate(), 0);

  EXPECT_EQ(passing.client->state(Wait(5'000)), transport::testing::Connection::kClosed);
}

TEST(PassedItems, are_recorded_without_secrets_and_played) {
  for (const Form& form : forms()) {
    const test_support::Folder recording;
    const std::string into = recording.path() / "recording";
    const std::string secret = R"({"n":2,"password":"hunter2 hunter2"})";
    {
      Passing passing(form, {"--mode", "record", "--record-into", into});
      passing.pass(form.item(R"({"n":1})"));
      passing.pass(form.item(secret));
      passing.client.reset();
      EXPECT_TRUE(passing.is_closed());
      EXPECT_EQ(passing.front.server().terminate(), 0);
    }

    const std::string contract = recording.path() / "contract.yaml";
    std::ofstream(contract) << kContract;
    const Front player("http://127.0.0.1:1", {"--contract", contract, "--no-default-fixtures",
                                              "--fixtures", into, "--scenario", "recorded"});
    Client client(player.port());
    client.send("GET /numbers HTTP/1.1\r\nHost: a\r\nPrefer: mock\r\nAccept: " + form.type +
                "\r\n\r\n");
    const std::string played = read_up_to(client, R"("n":2)");
    EXPECT_THAT(played, HasSubstr("Content-Type: " + form.type));
    EXPECT_THAT(played, HasSubstr(form.item(R"({"n":1})"))) << form.type;
    EXPECT_THAT(played, HasSubstr(R"("n":2)"));
    EXPECT_EQ(client.state(Wait(200)), transport::testing::Connection::kOpen);
    EXPECT_THAT(played, Not(HasSubstr("hunter2")));
  }
}

}  // namespace mock_server::upstream
