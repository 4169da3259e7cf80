// Every case of requests/*.txt: the same messages, and the same end, however the bytes are split.

#include "spec/http/request_parser.hpp"

#include "spec/http/tests/wire_cases.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace spec::http {

namespace {

using wire_cases::escaped;
using wire_cases::read_wire_cases;
using wire_cases::slug;
using wire_cases::WireCase;

constexpr std::size_t kLongCase = 4000;  // beyond, not every offset is tried

std::string cut(const std::string& text) {
  constexpr std::size_t kShown = 80;
  return text.size() <= kShown
             ? text
             : text.substr(0, kShown) + "...(" + std::to_string(text.size()) + ")";
}

std::string line_of(RequestParser& parser) {
  const Request& request = parser.request();
  std::string line = "accepted " + request.method + " " + cut(request.target);
  if (!request.body.empty()) {
    line += " " + cut(escaped(request.body));
  }
  return line;
}

std::string ending_of(const RequestParser& parser, bool keep_alive) {
  switch (parser.stage()) {
    case RequestParser::Stage::kRejected:
      return "rejected " + std::to_string(parser.rejection().status);
    case RequestParser::Stage::kBefore: return keep_alive ? "open" : "closed";
    case RequestParser::Stage::kHead: return "waits for the head";
    default:
      return parser.expects_continue() ? "waits for the body it will ask for"
                                       : "waits for the body";
  }
}

// The outcome when the bytes come in pieces of the given sizes, the last one repeated.
std::vector<std::string> outcome(std::string_view bytes, std::vector<std::size_t> pieces) {
  const RequestLimits limits;
  RequestParser parser(limits);
  std::vector<std::string> lines;
  bool keep_alive = true;
  for (std::size_t at = 0; at < bytes.size() && keep_alive;) {
    const std::size_t size = pieces.front();
    if (pieces.size() > 1) {
      pieces.erase(pieces.begin());
    }
    std::string_view piece = bytes.substr(at, size);
    at += piece.size();
    while (!piece.empty() && keep_alive && parser.stage() != RequestParser::Stage::kRejected) {
      piece.remove_prefix(parser.feed(piece));
      if (parser.stage() == RequestParser::Stage::kComplete) {
        lines.push_back(line_of(parser));
        keep_alive = parser.keep_alive();
        parser.reset();
      }
    }
  }
  lines.push_back(ending_of(parser, keep_alive));
  return lines;
}

class RequestCase : public ::testing::Test {
 public:
  explicit RequestCase(WireCase wire_case) : case_(std::move(wire_case)) {}

  void TestBody() override {
    SCOPED_TRACE(case_.place + "\n" + escaped(case_.bytes).substr(0, 500));
    const std::size_t size = case_.bytes.size();

    ASSERT_EQ(outcome(case_.bytes, {size}), case_.expected);

    for (const std::size_t piece : {1, 2, 3, 7, 64}) {
      ASSERT_EQ(outcome(case_.bytes, {piece}), case_.expected) << "in pieces of " << piece;
    }
    const std::size_t step = size > kLongCase ? size / 97 : 1;
    for (std::size_t split = 1; split < size; split += step) {
      ASSERT_EQ(outcome(case_.bytes, {split, size}), case_.expected) << "split at " << split;
    }
  }

 private:
  WireCase case_;
};

const bool kRequestsRegistered = [] {
  for (const WireCase& wire_case :
       read_wire_cases(test_paths::source() + "/spec/http/tests/requests")) {
    ::testing::RegisterTest(
        "RequestParser", slug(wire_case.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [wire_case]() -> ::testing::Test* { return new RequestCase(wire_case); });
  }
  return true;
}();

}  // namespace

TEST(RequestParserTrailers, are_no_header_fields) {
  const RequestLimits limits;
  RequestParser parser(limits);

  parser.feed(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      "0\r\nAuthorization: Bearer x\r\nX-Sum: 1\r\n\r\n");

  EXPECT_EQ(parser.stage(), RequestParser::Stage::kComplete);
  EXPECT_EQ(parser.request().headers, (Headers{{"Host", "a"}, {"Transfer-Encoding", "chunked"}}));
}

TEST(RequestParserHost, is_that_of_an_absolute_target) {
  const RequestLimits limits;
  RequestParser parser(limits);

  parser.feed("GET http://a.test:81/x HTTP/1.1\r\nHost: b.test\r\nA: 1\r\n\r\n");
  const Headers absolute = parser.request().headers;
  parser.reset();
  parser.feed("GET /x HTTP/1.1\r\nHost: b.test\r\n\r\n");

  EXPECT_EQ(absolute.find("Host"), "a.test:81");
  EXPECT_EQ(absolute.all("Host").size(), 1U);
  EXPECT_EQ(parser.request().headers.find("Host"), "b.test");
}

TEST(RequestParserCases, cover_every_file_and_have_names_of_their_own) {
  std::vector<std::string> names;
  for (const WireCase& wire_case :
       read_wire_cases(test_paths::source() + "/spec/http/tests/requests")) {
    names.push_back(slug(wire_case.name));
  }
  std::sort(names.begin(), names.end());

  EXPECT_TRUE(kRequestsRegistered);
  EXPECT_GT(names.size(), 150U);
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace spec::http
