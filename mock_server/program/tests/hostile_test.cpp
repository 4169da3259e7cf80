// Requests that are hostile to what is behind the transport: every case of hostile/ against
// the real program. Each one gets one complete response with a short JSON body, in time; and a new
// connection is served.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "mock_server/transport/tests/support/wire.hpp"
#include "spec/http/tests/wire_cases.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace mock_server::program {
namespace {

using spec::http::Ending;
using spec::http::ResponseRecord;
using spec::http::wire_cases::WireCase;
using transport::testing::Client;
using transport::testing::port_in;
using transport::testing::Process;
using transport::testing::Wait;

constexpr const char* kFolder = "mock_server/program/tests/hostile";
constexpr std::size_t kMaxError = 8 * 1024;
constexpr Wait kPatience{60'000};  // a sanitizer takes its time, too

// One program for all cases: none of them may disturb the next.
class MockServer {
 public:
  static int port() {
    static MockServer only;
    return only.port_;
  }

 private:
  MockServer()
      : process_({test_paths::mock_server(), "--port", "0", "--quiet", "--contract",
                  std::string(test_paths::source() + "/") + kFolder + "/contract.yaml"}),
        port_(port_in(process_.line())) {}

  Process process_;
  int port_;
};

std::string word(const WireCase& wire_case, const std::string& name) {
  const auto found = wire_case.words.find(name);
  return found == wire_case.words.end() ? "" : found->second;
}

// "fill 3 ab" lengthens the target by "ababab".
std::string filling(const WireCase& wire_case) {
  std::istringstream parts(word(wire_case, "fill"));
  std::size_t times = 0;
  std::string piece;
  parts >> times >> piece;
  std::string text;
  for (; times > 0; --times) {
    text += piece;
  }
  return text;
}

std::string request_of(const WireCase& wire_case) {
  if (!wire_case.has("send")) {
    return wire_case.bytes;
  }
  std::string head = word(wire_case, "send") + filling(wire_case) +
                     " HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
  head += std::to_string(wire_case.bytes.size()) + "\r\n";
  if (wire_case.has("type")) {
    head += "Content-Type: " + word(wire_case, "type") + "\r\n";
  }
  return head + "\r\n" + wire_case.bytes;
}

class Hostile : public ::testing::Test {
 public:
  explicit Hostile(WireCase wire_case) : case_(std::move(wire_case)) {}

  void TestBody() override {
    SCOPED_TRACE(case_.place);
    ASSERT_GT(MockServer::port(), 0);
    Client client(MockServer::port());
    const std::string request = request_of(case_);
    client.send(request);
    record_ = client.read_response(request.substr(0, request.find(' ')), kPatience);
    expect_sound_response();
    for (const std::string& line : case_.expected) {
      expect(line, client);
    }
    EXPECT_EQ(transport::testing::status_of_fresh_request(MockServer::port()), 404);
  }

 private:
  void expect_sound_response() const {
    ASSERT_EQ(record_.ending, Ending::kComplete);
    transport::testing::Lines violations;
    transport::testing::check_common_fields(record_, violations);
    EXPECT_THAT(violations, ::testing::IsEmpty());
    EXPECT_THAT(record_.response.headers.all("Content-Type"), ::testing::SizeIs(1));
    EXPECT_FALSE(record_.response.headers.has("X-Counterpart-Invalid"));
    if (record_.head.status >= 400) {
      const auto body = nlohmann::json::parse(record_.response.body, nullptr, false);
      EXPECT_TRUE(body.is_object() && body.contains("code") && body.contains("message"))
          << record_.response.body.substr(0, 200);
      EXPECT_LE(record_.response.body.size(), kMaxError);
    }
  }

  void expect(const std::string& line, Client& client) const {
    std::istringstream parts(line);
    std::string first;
    std::string second;
    parts >> first >> second;
    if (line == "open" || line == "closed") {
      const bool stays = line == "open";
      EXPECT_EQ(transport::testing::name_of(client.state(Wait(stays ? 20 : 5'000))), line);
    } else if (first == "has") {
      EXPECT_THAT(record_.response.body, ::testing::HasSubstr(line.substr(4)));
    } else {
      EXPECT_EQ(std::to_string(record_.head.status), first) << record_.response.body.substr(0, 300);
      EXPECT_THAT(record_.response.body, ::testing::HasSubstr(second));
    }
  }

  WireCase case_;
  ResponseRecord record_;
};

const bool kRegistered = transport::testing::register_cases<Hostile>("Hostile", kFolder);

}  // namespace

TEST(HostileRequests, are_registered) {
  EXPECT_TRUE(kRegistered);
}

}  // namespace mock_server::program
