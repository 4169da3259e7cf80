// Every case of responses/*.txt: the same record however the bytes are split.

#include "spec/http/response_parser.hpp"

#include "spec/http/tests/wire_cases.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace spec::http {

namespace {

using wire_cases::escaped;
using wire_cases::read_wire_cases;
using wire_cases::slug;
using wire_cases::WireCase;

using Lines = std::vector<std::string>;

std::string field_text(const FieldLine& line) {
  return line.name + ": " + escaped(line.value);
}

void add_head(Lines& lines, const ResponseRecord& record) {
  for (const ResponseHead& interim : record.interim) {
    std::string text = "interim " + std::to_string(interim.status);
    for (const FieldLine& line : interim.lines) {
      text += " " + field_text(line);
    }
    lines.push_back(text);
  }
  if (record.head.status != 0) {
    lines.push_back(std::to_string(record.head.status) + " \"" + escaped(record.response.reason) +
                    "\" " + (record.keep_alive ? "keep-alive" : "close"));
  }
  for (const FieldLine& line : record.head.lines) {
    lines.push_back(field_text(line));
  }
}

void add_body(Lines& lines, const ResponseRecord& record) {
  if (record.framing == Framing::kUntilClose) {
    lines.emplace_back("until close");
  } else if (record.framing == Framing::kChunked) {
    lines.emplace_back("chunked");
  } else if (record.declared_length) {
    lines.push_back("length " + std::to_string(*record.declared_length));
  }
  for (const Chunk& chunk : record.chunks) {
    lines.push_back("chunk " + std::to_string(chunk.size) +
                    (chunk.extension.empty() ? "" : " " + chunk.extension));
  }
  for (const FieldLine& line : record.trailers) {
    lines.push_back("trailer " + field_text(line));
  }
  if (!record.response.body.empty()) {
    lines.push_back("body " + escaped(record.response.body));
  }
}

std::string name_of_ending(Ending ending) {
  switch (ending) {
    case Ending::kOpen: return "open";
    case Ending::kComplete: return "complete";
    case Ending::kNothing: return "nothing";
    case Ending::kCut: return "cut";
    case Ending::kMalformed: return "malformed";
    case Ending::kTooLarge: return "too large";
  }
  return "";
}

Lines rendered(const ResponseRecord& record) {
  Lines lines;
  if (record.ending != Ending::kTooLarge) {
    add_head(lines, record);
    add_body(lines, record);
  }
  for (const Deviation& deviation : record.deviations) {
    lines.push_back("error " + std::string(name_of(deviation.error)) + " at " +
                    std::to_string(deviation.offset));
  }
  if (!record.surplus.empty()) {
    lines.push_back("surplus " + escaped(record.surplus));
  }
  lines.push_back(name_of_ending(record.ending));
  return lines;
}

Lines outcome(const WireCase& wire_case, std::vector<std::size_t> pieces) {
  const auto method = wire_case.words.find("method");
  ResponseParser parser(method == wire_case.words.end() ? "GET" : method->second);
  for (std::string_view rest = wire_case.bytes; !rest.empty();) {
    const std::string_view piece = rest.substr(0, pieces.front());
    rest.remove_prefix(piece.size());
    if (pieces.size() > 1) {
      pieces.erase(pieces.begin());
    }
    const std::string_view left = piece.substr(parser.feed(piece));
    if (parser.record().ending == Ending::kComplete) {
      parser.note_surplus(left);
    }
  }
  if (wire_case.has("input")) {
    parser.end_of_input();
  }
  return rendered(parser.record());
}

class ResponseCase : public ::testing::Test {
 public:
  explicit ResponseCase(WireCase wire_case) : case_(std::move(wire_case)) {}

  void TestBody() override {
    SCOPED_TRACE(case_.place + "\n" + escaped(case_.bytes).substr(0, 500));
    const std::size_t size = case_.bytes.size();

    ASSERT_EQ(outcome(case_, {size}), case_.expected);

    for (const std::size_t piece : {1, 2, 3, 7}) {
      ASSERT_EQ(outcome(case_, {piece}), case_.expected) << "in pieces of " << piece;
    }
    for (std::size_t split = 1; split < size; split += 1 + size / 2000) {
      ASSERT_EQ(outcome(case_, {split, size}), case_.expected) << "split at " << split;
    }
  }

 private:
  WireCase case_;
};

const bool kResponsesRegistered = [] {
  for (const WireCase& wire_case :
       read_wire_cases(test_paths::source() + "/spec/http/tests/responses")) {
    ::testing::RegisterTest(
        "ResponseParser", slug(wire_case.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [wire_case]() -> ::testing::Test* { return new ResponseCase(wire_case); });
  }
  return true;
}();

ResponseRecord record_of(std::string_view bytes, ResponseLimits limits = {}) {
  ResponseParser parser("GET", limits);
  parser.feed(bytes);
  parser.end_of_input();
  return parser.take();
}

}  // namespace

TEST(ResponseParserRecord, keeps_lines_as_they_were_sent) {
  const ResponseRecord record =
      record_of("HTTP/1.1 200  Fine \r\nX:a  \r\nY : b\r\n\tc\r\nContent-Length: 0\r\n\r\n");

  ASSERT_TRUE(kResponsesRegistered);
  EXPECT_EQ(record.head.status_line, "HTTP/1.1 200  Fine ");
  EXPECT_THAT(
      record.head.lines,
      ::testing::ElementsAre(FieldLine{"X:a  ", "X", "a"}, FieldLine{"Y : b\r\n\tc", "Y", "b c"},
                             FieldLine{"Content-Length: 0", "Content-Length", "0"}));
}

TEST(ResponseParserRecord, names_what_was_expected_and_what_came) {
  const ResponseRecord record = record_of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");

  EXPECT_THAT(record.deviations,
              ::testing::ElementsAre(Deviation{
                  ParseError::kCut,
                  43,
                  {"must be complete", "ends inside the body: 4 bytes of 9 are missing"}}));
}

TEST(ResponseParserRecord, stops_an_endless_body_at_the_limit) {
  ResponseLimits limits;
  limits.body_bytes = 4;

  const ResponseRecord record = record_of(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n", limits);

  EXPECT_EQ(record.ending, Ending::kTooLarge);
  EXPECT_EQ(record.response.body, "abc");
}

TEST(ResponseParserRecord, counts_the_bytes_of_the_response_alone) {
  ResponseParser parser("GET");
  const std::string_view bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1";

  const std::size_t used = parser.feed(bytes);

  EXPECT_EQ(bytes.substr(used), "HTTP/1.1");
  EXPECT_EQ(parser.record().bytes, used);
}

}  // namespace spec::http
