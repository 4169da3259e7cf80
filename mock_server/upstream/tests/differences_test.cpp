// A client's view in mode observe beside what the service sent: the same bytes, but for the
// fields of one connection, framing and our own; or 502 where the bytes could be read in two ways.
// The services' bytes are the cases of the parser's tests, and those of this file.

#include "mock_server/upstream/tests/front.hpp"
#include "mock_server/upstream/tests/stand_in.hpp"
#include "spec/http/tests/wire_cases.hpp"
#include "spec/tests/paths.hpp"
#include "spec/text/ascii.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::upstream {
namespace {

using spec::http::Ending;
using spec::http::Framing;
using spec::http::ResponseHead;
using spec::http::ResponseParser;
using spec::http::ResponseRecord;
using spec::http::wire_cases::WireCase;
using testing::End;
using testing::Front;
using testing::StandIn;

constexpr std::string_view kOwn = "X-Counterpart-";
// RFC 9110 §7.6.1, framing, and what the row "named by Connection" names.
constexpr std::array<std::string_view, 9> kOfOneConnection{
    "Connection", "Keep-Alive",        "Proxy-Connection", "TE",   "Trailer",
    "Upgrade",    "Transfer-Encoding", "Content-Length",   "X-Hop"};

struct Row {
  std::string name;
  std::string bytes;
  std::string method = "GET";
  End end = End::kHold;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"redirect",
       "HTTP/1.1 302 Away\r\nLocation: http://elsewhere/%41\r\nContent-Length: 0\r\n\r\n"},
      {"hints first",
       "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
       "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"},
      {"trailers",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n"
       "1\r\na\r\n0\r\nT: 1\r\n\r\n"},
      {"fields with the same name",
       "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=%3b\r\n"
       "SET-COOKIE: c\r\nContent-Length: 0\r\n\r\n"},
      {"odd values",
       "HTTP/1.1 200 OK\r\nA:\r\nB: %0d%0a\r\nC: caf\xc3\xa9 \xff\r\nD: \"a, b\" , c\r\n"
       "Content-Length: 0\r\n\r\n"},
      {"gzip that is none",
       "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
       "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n{}\n"},
      {"old version", "HTTP/1.0 200 Fine\r\nServer: old\r\n\r\nbody", "GET", End::kClose},
      {"length of HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nETag: W/\"x\"\r\n\r\n",
       "HEAD"},
      {"not modified", "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"},
      {"range",
       "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/5\r\n"
       "Content-Length: 2\r\n\r\nab"},
      {"named by Connection",
       "HTTP/1.1 200 OK\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\n"
       "Keep-Alive: timeout=5\r\nX-End: 2\r\nContent-Length: 0\r\n\r\n"},
      {"unusual status", "HTTP/1.1 299 Odd reason, caf\xc3\xa9\r\nContent-Length: 0\r\n\r\n"},
      {"no date",
       "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nServer: a/1 (b)\r\n"
       "Vary: *\r\nContent-Length: 0\r\n\r\n"},
      {"binary body",
       "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + std::string("\0\r\n\xff\x80", 5)}};
  return all;
}

constexpr const char* kGood = "HTTP/1.1 204 Fine\r\n\r\n";

bool is_left_out(std::string_view name, bool with_date) {
  const auto is = [&](std::string_view one) { return spec::text::equals_ignoring_case(one, name); };
  return spec::text::equals_ignoring_case(name.substr(0, kOwn.size()), kOwn) ||
         std::ranges::any_of(kOfOneConnection, is) || (!with_date && is("Date"));
}

// Status, reason and end-to-end fields, in lines, without framing and our own.
std::vector<std::string> lines_of(const ResponseHead& head, bool with_date) {
  const std::size_t version = head.status_line.find(' ');
  std::vector<std::string> lines{
      version == std::string::npos ? "" : head.status_line.substr(version + 1)};
  for (const auto& line : head.lines) {
    if (!is_left_out(line.name, with_date)) {
      lines.push_back(line.name + ": " + line.value);
    }
  }
  return lines;
}

struct Message {
  std::vector<std::vector<std::string>> heads;
  std::string body;
  std::string length;  // as the service declared it; "" where it did not

  friend bool operator==(const Message&, const Message&) = default;
};

void PrintTo(const Message& message, std::ostream* out) {
  *out << ::testing::PrintToString(message.heads) << " length " << message.length << " body "
       << spec::http::wire_cases::escaped(message.body);
}

struct Compared {
  bool date = false;  // of the service; ours otherwise (RFC 9110 §6.6.1)
  bool length = false;
};

Message message_of(const ResponseRecord& record, const Compared& compared) {
  Message message{{}, record.response.body, ""};
  for (const auto& one : record.interim) {
    if (one.status != 100) {
      message.heads.push_back(lines_of(one, compared.date));
    }
  }
  message.heads.push_back(lines_of(record.head, compared.date));
  if (compared.length && record.declared_length) {
    message.length = std::to_string(*record.declared_length);
  }
  return message;
}

ResponseRecord read_response(const Row& row) {
  ResponseParser parser(row.method);
  parser.feed(row.bytes);
  if (row.end != End::kHold && !parser.has_ended()) {
    parser.end_of_input();
  }
  return parser.take();
}

// Over a new connection to the service, and over one that was kept.
class Differences : public ::testing::TestWithParam<bool> {
 protected:
  // A response without fault is passed on, but for a change of protocols; the rest may be rejected.
  void compare(const Row& row) {
    if (GetParam() && row.bytes.empty()) {
      return;  // the request is sent again, on another connection
    }
    service_.respond_with({row.bytes, row.end, 0, GetParam() ? kGood : ""});
    if (GetParam()) {
      ASSERT_EQ(front_.ask("GET", "/first").head.status, 204);
    }
    const auto sent = read_response(row);
    const auto got = front_.ask(row.method, "/a");
    const bool is_rejected =
        got.head.status == 502 || (got.head.status == 504 && sent.ending == Ending::kOpen);
    const bool by_us = got.response.headers.find("X-Counterpart-Served-By") != "upstream";
    if (is_rejected && by_us) {
      EXPECT_TRUE(sent.ending != Ending::kComplete || !sent.deviations.empty() ||
                  sent.head.status == 101)
          << got.response.body;
      ++rejected_;
      return;
    }
    const Compared compared{sent.response.headers.has("Date"), sent.framing == Framing::kLength ||
                                                                   row.method == "HEAD" ||
                                                                   sent.head.status == 304};
    EXPECT_EQ(message_of(got, compared), message_of(sent, compared));
    EXPECT_EQ(got.ending, Ending::kComplete);
    ++passed_on_;
  }

  StandIn service_{{""}};
  Front front_{service_.url(), {"--quiet", "--upstream-timeout-ms", "500"}};
  int passed_on_ = 0;
  int rejected_ = 0;
};

TEST_P(Differences, are_none_in_what_services_send) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    compare(row);
  }

  EXPECT_EQ(passed_on_, static_cast<int>(rows().size()));
}

TEST_P(Differences, are_none_in_the_cases_of_the_parser_that_are_passed_on) {
  for (const WireCase& one : spec::http::wire_cases::read_wire_cases(
           test_paths::source() + "/spec/http/tests/responses")) {
    SCOPED_TRACE(one.place + " " + one.name);
    const auto method = one.words.find("method");
    compare({one.name, one.bytes, method == one.words.end() ? "GET" : method->second,
             one.has("input") ? End::kClose : End::kHold});
  }

  EXPECT_GE(passed_on_, 24);
  EXPECT_GE(rejected_, 20);
}

INSTANTIATE_TEST_SUITE_P(Connection, Differences, ::testing::Bool(),
                         [](const auto& one) { return std::string(one.param ? "kept" : "fresh"); });

}  // namespace
}  // namespace mock_server::upstream
