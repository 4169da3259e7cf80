// Curl lines in a shell: they send what the suite has sent.

#include "contract_tests/client/client.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/run/curl_line.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/listener.hpp"
#include "spec/http/request_parser.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"
#include "spec/text/encoding.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <poll.h>
#include <set>
#include <sys/socket.h>
#include <unistd.h>

namespace contract_tests {
namespace {

using spec::http::Request;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecretToken = "sk_Test/of$this='one'";
constexpr const char* kSecretPair = "an.account:and+its-Password";

// Keeps the requests that come, and sends 204 to each.
class RequestRecorder {
 public:
  std::string url() const { return "http://127.0.0.1:" + std::to_string(listener_.port()); }

  std::vector<Request> taken() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve(int socket) {
    using Stage = spec::http::RequestParser::Stage;
    const spec::http::RequestLimits limits;
    spec::http::RequestParser parser(limits);
    std::array<char, 65536> block{};
    while (parser.stage() != Stage::kComplete && parser.stage() != Stage::kRejected &&
           support::wait_for(socket, POLLIN, listener_.stopping())) {
      const auto got = ::recv(socket, block.data(), block.size(), 0);
      if (got <= 0) {
        break;
      }
      std::string_view bytes(block.data(), static_cast<std::size_t>(got));
      while (!bytes.empty() && parser.stage() != Stage::kComplete) {
        bytes.remove_prefix(parser.feed(bytes));
      }
      if (parser.stage() == Stage::kBody && parser.expects_continue()) {
        send(socket, "HTTP/1.1 100 Continue\r\n\r\n");
      }
    }
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(std::move(parser.request()));
    }
    send(socket, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    ::close(socket);
  }

  static void send(int socket, std::string_view bytes) {
    ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  support::Listener listener_{[this](int socket) { serve(socket); }};
};

// Method, target, body and fields in any order, but for User-Agent.
std::string text_of_request(const Request& request) {
  std::multiset<std::string> lines;
  for (const auto& [name, value] : request.headers.lines()) {
    lines.insert(name == "User-Agent" ? name : name + ": " + value);
  }
  auto text = request.method + ' ' + request.target + '\n';
  for (const auto& line : lines) {
    text += line + '\n';
  }
  return text + '\n' + request.body;
}

client::Secrets two_secrets() {
  return client::Secrets({kSecretToken, kSecretPair},
                         {{"TOKEN", kSecretToken}, {"PAIR", kSecretPair}});
}

support::Ended run_line(const std::string& line) {
  const test_support::Folder folder;
  return support::run_child("/bin/sh", {folder.write("line.sh", line).string()},
                            {{"TOKEN", kSecretToken}, {"PAIR", kSecretPair}});
}

struct SentRequest {
  std::string name;
  std::function<void(Request&, client::SendOptions&)> change;
};

using CurlLines = spec::tests::RowTest;

TEST_P(CurlLines, send_what_was_sent) {
  const SentRequest& row = GetParam();
  const RequestRecorder recorder;
  const client::Trust trust;
  client::Client client(client::parse_base_url(recorder.url()).value(), trust);
  Request request{.method = "GET", .target = "/a", .headers = {}, .body = {}};
  client::SendOptions options;
  row.change(request, options);

  const auto line = run::curl_line(two_secrets(), client.send(request, options));
  const auto ended = run_line(line);

  const auto taken = recorder.taken();
  ASSERT_EQ(taken.size(), 2U) << line << '\n' << ended.err;
  EXPECT_EQ(text_of_request(taken[1]), text_of_request(taken[0])) << line;
  EXPECT_THAT(line, Not(HasSubstr("sk_Test")));
  EXPECT_THAT(line, Not(HasSubstr("SK_tEST")));
  EXPECT_THAT(line, Not(HasSubstr("its-Password")));
}

SentRequest sent_with_field(std::string name, std::string field, std::string value) {
  return {std::move(name), [field = std::move(field), value = std::move(value)](
                               Request& request, auto&) { request.headers.add(field, value); }};
}

SentRequest sent_with_body(std::string name, std::string body) {
  return {std::move(name), [body = std::move(body)](Request& request, auto&) {
            request.method = "POST";
            request.headers.set("Content-Type", "application/json");
            request.body = body;
          }};
}

SentRequest sent_with_target(std::string name, std::string target) {
  return {std::move(name),
          [target = std::move(target)](Request& request, auto&) { request.target = target; }};
}

const std::string kBearerScheme = "Bearer ";
const std::string kBasicScheme = "Basic ";

const std::vector<SentRequest> kSentRequests = {
    sent_with_target("dots", "/a/../b//c/%2e%2e/d?x=%2F"),
    sent_with_target("brackets_and_braces", "/a?filter[a]={1-3}&b[]=1"),
    sent_with_target("quotes", "/a?b='c'$HOME`d`"),
    {"no_accept", [](Request& request, auto&) { request.headers.add("Accept", ""); }},
    {"no_user_agent", [](Request& request, auto&) { request.headers.add("User-Agent", ""); }},
    {"two_fields_of_a_name",
     [](Request& request, auto&) {
       request.headers.add("X-A", "1");
       request.headers.add("X-A", "2");
     }},
    sent_with_field("a_field_without_value", "X-A", ""),
    sent_with_field("a_field_with_quotes", "X-A", "'a' \"b\" \\ $HOME `c`"),
    sent_with_field("a_condition", "If-None-Match", "W/\"a\""),
    sent_with_field("a_field_in_utf_8", "X-A", "caf\xC3\xA9"),
    sent_with_field("a_field_not_in_utf_8", "X-A", "caf\xE9 x"),
    sent_with_field("the_token", "Authorization", kBearerScheme + kSecretToken),
    sent_with_field("the_token_in_the_other_case", "Authorization",
                    kBearerScheme + plan::other_case(kSecretToken)),
    sent_with_field("a_letter_before_the_token", "Authorization",
                    kBearerScheme + "x" + kSecretToken + ",y"),
    sent_with_field("the_token_in_a_cookie", "Cookie", std::string("a=b; token=") + kSecretToken),
    sent_with_field("the_token_as_basic", "Authorization",
                    kBasicScheme + plan::basic_credentials(kSecretToken)),
    sent_with_field("a_name_and_password", "Authorization",
                    kBasicScheme + plan::basic_credentials(kSecretPair)),
    sent_with_field("these_with_text_behind", "Authorization",
                    kBasicScheme + plan::basic_credentials(std::string(kSecretPair) + ",x")),
    sent_with_field("these_in_the_other_case", "Authorization",
                    kBasicScheme + plan::basic_credentials(plan::other_case(kSecretPair))),
    sent_with_field("these_with_another_scheme", "Authorization",
                    kBearerScheme + plan::basic_credentials(kSecretPair)),
    sent_with_field("basic_credentials_of_nobody", "Authorization", "Basic Y291bnRlcnBhcnQ6eA=="),
    sent_with_field("basic_without_a_colon", "Authorization", "Basic Y291bnRlcnBhcnQ="),
    sent_with_field("a_scheme_alone", "Authorization", "Bearer"),
    sent_with_body("a_body", R"({"a": "it's $HOME", "b": "\\"})"),
    sent_with_body("an_empty_body", ""),
    sent_with_body("lines", "{\n  \"a\": 1\r\n}\n"),
    sent_with_body("an_at_sign_first", "@/etc/hostname"),
    sent_with_body("a_nul", std::string("a\0b%s\\n", 7)),
    sent_with_body("no_utf_8", "{\"a\":\"\xff\"}"),
    sent_with_body("turned_text", "{\"a\":\"\xE2\x80\xAE\xC2\x9B\"}"),
    sent_with_body("a_long_body", std::string(200'000, 'a')),
    {"no_media_type",
     [](Request& request, auto&) {
       request.method = "POST";
       request.body = "a";
     }},
    {"a_body_of_get", [](Request& request, auto&) { request.body = "a"; }},
    {"chunks",
     [](Request& request, client::SendOptions& options) {
       request.method = "PUT";
       request.body = "{}";
       options.chunked = true;
     }},
    {"no_chunks",
     [](Request& request, client::SendOptions& options) {
       request.method = "PUT";
       options.chunked = true;
     }},
    {"an_expectation",
     [](Request& request, client::SendOptions& options) {
       request.method = "POST";
       request.body = "{}";
       options.expect_continue = true;
     }},
    {"an_unknown_method", [](Request& request, auto&) { request.method = "COUNTERPART"; }},
    {"head", [](Request& request, auto&) { request.method = "HEAD"; }}};

INSTANTIATE_TEST_SUITE_P(Suite, CurlLines, testing::ValuesIn(spec::tests::rows(kSentRequests)),
                         spec::tests::kRowNames);

// The shell encodes every byte of a credential that must be encoded in part.
TEST(CurlLine, sends_a_token_in_a_query) {
  const RequestRecorder recorder;
  const client::Trust trust;
  client::Client client(client::parse_base_url(recorder.url()).value(), trust);
  const auto target = "/a?key=" + spec::text::percent_encode(kSecretToken);

  const auto line = run::curl_line(
      two_secrets(), client.send({.method = "GET", .target = target, .headers = {}, .body = {}}));
  run_line(line);

  const auto taken = recorder.taken();
  ASSERT_EQ(taken.size(), 2U) << line;
  EXPECT_EQ(spec::text::percent_decode(taken[1].target), spec::text::percent_decode(target))
      << line;
  EXPECT_THAT(line, Not(HasSubstr("sk_Test")));
}

}  // namespace
}  // namespace contract_tests
