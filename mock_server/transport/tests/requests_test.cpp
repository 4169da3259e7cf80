// Every request case of spec/http/tests/requests over real sockets: the responses, their grammar,
// and what becomes of the connection. After each a fresh connection is served.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"
#include "mock_server/transport/tests/support/wire.hpp"
#include "spec/http/tests/wire_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace mock_server::transport {

namespace {

using spec::http::Ending;
using spec::http::ResponseRecord;
using spec::http::wire_cases::escaped;
using spec::http::wire_cases::WireCase;
using testing::check_common_fields;
using testing::Client;
using testing::Lines;
using testing::RunningListener;
using testing::send_split;
using testing::Wait;

std::string cut(const std::string& text) {
  constexpr std::size_t kShown = 80;
  return text.size() <= kShown
             ? text
             : text.substr(0, kShown) + "...(" + std::to_string(text.size()) + ")";
}

// "accepted ..." for a response of the echo, "rejected N" for one of the transport's own.
std::string line_of(const ResponseRecord& record, const std::string& expected) {
  if (record.head.status != 200) {
    return "rejected " + std::to_string(record.head.status);
  }
  if (record.response.body.empty()) {
    return expected;  // HEAD
  }
  // The echo is "METHOD TARGET BODY"; the case cuts each part by itself.
  std::istringstream parts(record.response.body);
  std::string method;
  std::string target;
  parts >> method >> target;
  std::string line = "accepted " + method + " " + cut(target);
  const std::size_t head = method.size() + target.size() + 1;
  if (record.response.body.size() > head) {
    line += " " + cut(escaped(record.response.body.substr(head + 1)));
  }
  return line;
}

// The service echoes only where the target says so.
reply::Handler echo_everything() {
  return [echo = testing::handler()](const spec::http::Request& request, const reply::Peer& peer) {
    reply::Reply reply = echo({"GET", "/echo", {}, {}}, peer);
    reply.response.body = request.method + " " + request.target;
    reply.response.body.append(request.body.empty() ? "" : " ").append(request.body);
    return reply;
  };
}

RunningListener& echo_listener() {
  static const auto listener =
      std::make_unique<RunningListener>(ListenerOptions{}, echo_everything());
  return *listener;
}

class RequestOverSocket : public ::testing::Test {
 public:
  explicit RequestOverSocket(WireCase wire_case) : case_(std::move(wire_case)) {}

  void TestBody() override {
    SCOPED_TRACE(case_.place + "\n" + escaped(case_.bytes).substr(0, 300));
    const std::size_t size = case_.bytes.size();
    for (const std::size_t split : {size, size / 4, size / 2, size - size / 4}) {
      converse(split);
      ASSERT_FALSE(HasFailure()) << "split at " << split;
    }
    EXPECT_EQ(testing::status_of_fresh_request(echo_listener().port()), 200);
  }

 private:
  void converse(std::size_t split) {
    Client client(echo_listener().port());
    send_split(client, case_.bytes, split);
    Lines expected = case_.expected;
    const std::string ending = expected.back();
    expected.pop_back();
    for (const std::string& line : expected) {
      expect_response(client, line);
    }
    if (ending.starts_with("rejected")) {
      expect_response(client, ending);
      EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
    } else if (ending == "open") {
      client.send("\r\nGET /again HTTP/1.1\r\nHost: a\r\n\r\n");
      expect_response(client, "accepted GET /again");
    } else if (ending == "closed") {
      EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
    } else {
      expect_rejection_at_end(client, ending);
    }
  }

  static void expect_response(Client& client, const std::string& expected) {
    const bool is_head = expected.starts_with("accepted HEAD");
    const ResponseRecord record = client.read_response(is_head ? "HEAD" : "GET");
    Lines lines{line_of(record, expected)};
    check_common_fields(record, lines);
    EXPECT_EQ(lines, Lines{expected});
    EXPECT_EQ(record.ending, Ending::kComplete);
    if (expected.starts_with("rejected")) {
      EXPECT_THAT(record.response.body,
                  ::testing::MatchesRegex("[{]\"code\":\"[A-Z_]+\",\"message\":\"[^\"]+\"[}]"));
      EXPECT_FALSE(record.keep_alive);
    }
  }

  // A request that stays incomplete when the client ends gets a response too.
  static void expect_rejection_at_end(Client& client, const std::string& ending) {
    EXPECT_EQ(client.state(Wait(20)), testing::Connection::kOpen) << ending;
    client.end_writing();
    EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
  }

  WireCase case_;
};

const bool kRequestsRegistered =
    testing::register_cases<RequestOverSocket>("RequestOverSocket", "spec/http/tests/requests");

}  // namespace

TEST(RequestsOverSockets, are_registered) {
  EXPECT_TRUE(kRequestsRegistered);
}

}  // namespace mock_server::transport
