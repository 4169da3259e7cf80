// Every case of cases/ over real sockets, plain and with TLS: the responses, their grammar, and
// what becomes of the connection. After each a fresh connection is served.

#include "mock_server/transport/tests/support/certificate.hpp"
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
using testing::name_of;
using testing::RunningListener;
using testing::send_split;
using testing::Wait;

ListenerOptions options_for_cases() {
  ListenerOptions options;
  options.limits.linger = Wait(2'000);
  options.limits.stall = Wait(300);
  options.limits.slow_close = Wait(200);
  options.limits.body_bytes = 1024 * 1024;
  return options;
}

// One listener each for all cases of a program: none of them may disturb the next.
RunningListener& plain_listener() {
  static const auto listener = std::make_unique<RunningListener>(options_for_cases());
  return *listener;
}

RunningListener& tls_listener() {
  static const testing::Certificate certificate;
  static const auto listener = [] {
    ListenerOptions options = options_for_cases();
    options.tls_certificate = certificate.certificate_file();
    options.tls_key = certificate.key_file();
    return std::make_unique<RunningListener>(options);
  }();
  return *listener;
}

// One line for a response: status, body or its length, and the fields that the case wants shown.
void render(const ResponseRecord& record, const std::string& shown, Lines& lines) {
  for (const auto& interim : record.interim) {
    lines.push_back("interim " + std::to_string(interim.status));
  }
  if (record.head.status == 0) {
    lines.emplace_back(record.ending == Ending::kNothing ? "nothing" : "no response");
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
  explicit TransportCase(WireCase wire_case, bool with_tls = false)
      : case_(std::move(wire_case)), with_tls_(with_tls) {}

  void TestBody() override {
    SCOPED_TRACE(case_.place + "\n" + escaped(case_.bytes).substr(0, 300));
    const std::size_t size = case_.bytes.size();
    for (const std::size_t split : {size, size / 3, size - 1}) {
      ASSERT_EQ(conversation(split), case_.expected) << "split at " << split;
    }
    const int port = with_tls_ ? tls_listener().port() : plain_listener().port();
    EXPECT_EQ(testing::status_of_fresh_request(port, with_tls_), 200);
  }

 private:
  std::string word(const std::string& name, const std::string& otherwise) const {
    const auto found = case_.words.find(name);
    return found == case_.words.end() ? otherwise : found->second;
  }

  // Reads as many responses as the case expects lines for, then looks at the connection.
  Lines conversation(std::size_t split) const {
    Client client(with_tls_ ? tls_listener().port() : plain_listener().port());
    if (with_tls_ && !client.start_tls()) {
      return {"no TLS"};
    }
    send_split(client, case_.bytes, split);
    if (case_.has("ends")) {
      client.end_writing();
    }
    Lines lines;
    const int responses = std::stoi(word("responses", "1"));
    for (int at = 0; at < responses; ++at) {
      render(client.read_response(word("method", "GET")), word("show", ""), lines);
    }
    const std::string rest = client.read(Wait(30));
    if (!rest.empty()) {
      lines.push_back("surplus " + (rest.size() > 100 ? "of many bytes" : escaped(rest)));
    }
    const bool stays_open = case_.expected.back() == "open";
    lines.push_back(name_of(client.state(Wait(stays_open ? 20 : 5'000))));
    return lines;
  }

  WireCase case_;
  bool with_tls_;
};

class TransportCaseWithTls : public TransportCase {
 public:
  explicit TransportCaseWithTls(WireCase wire_case) : TransportCase(std::move(wire_case), true) {}
};

const bool kRegistered =
    testing::register_cases<TransportCase>("TransportCase", "mock_server/transport/tests/cases") &&
    testing::register_cases<TransportCaseWithTls>("TransportCaseWithTls",
                                                  "mock_server/transport/tests/cases");

}  // namespace

TEST(TransportCases, are_registered) {
  EXPECT_TRUE(kRegistered);
}

}  // namespace mock_server::transport
