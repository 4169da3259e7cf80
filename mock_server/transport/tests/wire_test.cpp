// Every request case of spec/http/tests/requests, and every case of cases/, over real sockets: the
// answers, their grammar, and what becomes of the connection. After each a fresh connection is
// served.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"
#include "spec/http/tests/wire_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mock_server::transport {

namespace {

using spec::http::AnswerRecord;
using spec::http::Ending;
using spec::http::testing::escaped;
using spec::http::testing::read_wire_cases;
using spec::http::testing::slug;
using spec::http::testing::WireCase;
using testing::Client;
using testing::RunningListener;
using testing::Wait;

using Lines = std::vector<std::string>;

// One listener for all cases of a program: none of them may disturb the next.
RunningListener& shared_listener() {
  static const auto listener = [] {
    ListenerOptions options;
    options.limits.linger = Wait(2'000);
    options.limits.stall = Wait(300);
    options.limits.slow_close = Wait(200);
    options.limits.body_bytes = 1024 * 1024;
    return std::make_unique<RunningListener>(options);
  }();
  return *listener;
}

void send_split(Client& client, std::string_view bytes, std::size_t split) {
  client.send(bytes.substr(0, split));
  if (split < bytes.size()) {
    std::this_thread::sleep_for(Wait(1));  // so that the two parts arrive as two
    client.send(bytes.substr(split));
  }
}

std::string name_of(testing::Connection state) {
  switch (state) {
    case testing::Connection::kOpen: return "open";
    case testing::Connection::kClosed: return "closed";
    case testing::Connection::kReset: return "reset";
  }
  return "";
}

// What every answer of the transport must have, told as lines when it has not.
void check_common_fields(const AnswerRecord& record, Lines& lines) {
  const auto& headers = record.response.headers;
  const std::string date(headers.find("Date").value_or(""));
  if (date.size() != 29 || !date.ends_with(" GMT") || headers.all("Date").size() != 1) {
    lines.push_back("bad Date: " + date);
  }
  if (!headers.has("Access-Control-Allow-Origin")) {
    lines.emplace_back("no CORS field");
  }
  for (const auto& deviation : record.deviations) {
    lines.push_back("slip " + std::string(spec::http::name_of(deviation.slip)));
  }
}

// --- the parser's cases, as they look from the client's side of a socket

std::string cut(const std::string& text) {
  constexpr std::size_t kShown = 80;
  return text.size() <= kShown
             ? text
             : text.substr(0, kShown) + "...(" + std::to_string(text.size()) + ")";
}

// "accepted ..." for an answer of the echo, "refused N" for one of the transport's own.
std::string line_of(const AnswerRecord& record, const std::string& expected) {
  if (record.head.status != 200) {
    return "refused " + std::to_string(record.head.status);
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
service::Handler echo_everything() {
  return
      [echo = testing::handler()](const spec::http::Request& request, const service::Peer& peer) {
        service::Reply reply = echo({"GET", "/echo", {}, {}}, peer);
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

std::string without_trailers(const std::string& line) {
  return line.substr(0, line.find(" [trailer"));
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
      expect_answer(client, without_trailers(line));
    }
    if (ending.starts_with("refused")) {
      expect_answer(client, ending);
      EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
    } else if (ending == "open") {
      client.send("\r\nGET /again HTTP/1.1\r\nHost: a\r\n\r\n");
      expect_answer(client, "accepted GET /again");
    } else if (ending == "closed") {
      EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
    } else {
      expect_refusal_at_end(client, ending);
    }
  }

  static void expect_answer(Client& client, const std::string& expected) {
    const bool is_head = expected.starts_with("accepted HEAD");
    const AnswerRecord record = client.answer(is_head ? "HEAD" : "GET");
    Lines lines{line_of(record, expected)};
    check_common_fields(record, lines);
    EXPECT_EQ(lines, Lines{expected});
    EXPECT_EQ(record.ending, Ending::kComplete);
    if (expected.starts_with("refused")) {
      EXPECT_THAT(record.response.body,
                  ::testing::MatchesRegex("[{]\"code\":\"[A-Z_]+\",\"message\":\"[^\"]+\"[}]"));
      EXPECT_FALSE(record.keep_alive);
    }
  }

  // A request that stays incomplete when the client ends is answered too.
  static void expect_refusal_at_end(Client& client, const std::string& ending) {
    EXPECT_EQ(client.state(Wait(20)), testing::Connection::kOpen) << ending;
    client.end_writing();
    EXPECT_EQ(client.state(Wait(5'000)), testing::Connection::kClosed);
  }

  WireCase case_;
};

// --- the transport's own cases

// One line for an answer: status, body or its length, and the fields that the case wants shown.
void render(const AnswerRecord& record, const std::string& shown, Lines& lines) {
  for (const auto& interim : record.interim) {
    lines.push_back("interim " + std::to_string(interim.status));
  }
  if (record.head.status == 0) {
    lines.emplace_back(record.ending == Ending::kNothing ? "nothing" : "no answer");
    return;
  }
  std::string line = std::to_string(record.head.status);
  const std::string body = escaped(record.response.body);
  if (body.size() > 100) {
    line += " (" + std::to_string(record.response.body.size()) + " bytes)";
  } else if (!body.empty()) {
    line += " " + body;
  }
  lines.push_back(line);
  std::istringstream names(shown);
  for (std::string name; names >> name;) {
    for (const std::string_view value : record.response.headers.all(name)) {
      lines.push_back(name + ": " + std::string(value));
    }
  }
  check_common_fields(record, lines);
}

class TransportCase : public ::testing::Test {
 public:
  explicit TransportCase(WireCase wire_case) : case_(std::move(wire_case)) {}

  void TestBody() override {
    SCOPED_TRACE(case_.place + "\n" + escaped(case_.bytes).substr(0, 300));
    const std::size_t size = case_.bytes.size();
    for (const std::size_t split : {size, size / 3, size - 1}) {
      ASSERT_EQ(conversation(split), case_.expected) << "split at " << split;
    }
    EXPECT_EQ(testing::status_of_fresh_request(shared_listener().port()), 200);
  }

 private:
  std::string word(const std::string& name, const std::string& otherwise) const {
    const auto found = case_.words.find(name);
    return found == case_.words.end() ? otherwise : found->second;
  }

  // Reads as many answers as the case expects lines for, then looks at the connection.
  Lines conversation(std::size_t split) const {
    Client client(shared_listener().port());
    send_split(client, case_.bytes, split);
    if (case_.has("ends")) {
      client.end_writing();
    }
    Lines lines;
    const int answers = std::stoi(word("answers", "1"));
    for (int at = 0; at < answers; ++at) {
      render(client.answer(word("method", "GET")), word("show", ""), lines);
    }
    const std::string rest = client.read(Wait(30));
    if (!rest.empty()) {
      lines.push_back("surplus " + escaped(rest));
    }
    const bool stays_open = case_.expected.back() == "open";
    lines.push_back(name_of(client.state(Wait(stays_open ? 20 : 5'000))));
    return lines;
  }

  WireCase case_;
};

template <typename Case>
void register_cases(const char* suite, const std::string& folder) {
  for (const WireCase& wire_case : read_wire_cases(COUNTERPART_SOURCE_DIR + folder)) {
    ::testing::RegisterTest(suite, slug(wire_case.name).c_str(), nullptr, nullptr, __FILE__,
                            __LINE__,
                            [wire_case]() -> ::testing::Test* { return new Case(wire_case); });
  }
}

const bool kRegistered = [] {
  register_cases<RequestOverSocket>("RequestOverSocket", "/spec/http/tests/requests");
  register_cases<TransportCase>("TransportCase", "/mock_server/transport/tests/cases");
  return true;
}();

}  // namespace

TEST(TransportCases, are_registered) {
  EXPECT_TRUE(kRegistered);
}

}  // namespace mock_server::transport
