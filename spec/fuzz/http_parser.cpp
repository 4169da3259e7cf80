// Both HTTP parsers on any bytes: no crash, and the same outcome whole, in two parts and byte by
// byte. The first byte chooses the parser, the second the place of the split.

#include "spec/http/request_parser.hpp"
#include "spec/http/response_parser.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace spec::http;

std::string outcome_of_requests(std::string_view bytes, std::size_t first, std::size_t piece) {
  const RequestLimits limits;
  RequestParser parser(limits);
  std::string outcome;
  std::size_t size = first;
  while (!bytes.empty() && parser.stage() != RequestParser::Stage::kRejected) {
    std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(part.size());
    size = piece;
    while (!part.empty() && parser.stage() != RequestParser::Stage::kRejected) {
      part.remove_prefix(parser.feed(part));
      if (parser.stage() == RequestParser::Stage::kComplete) {
        const Request& request = parser.request();
        outcome += request.method + " " + request.target + " " + request.body + "\n";
        for (const auto& [name, value] : request.headers.lines()) {
          outcome.append(name).append(": ").append(value).append("\n");
        }
        outcome += parser.keep_alive() ? "keep\n" : "close\n";
        parser.reset();
      }
    }
  }
  return outcome + std::to_string(static_cast<int>(parser.stage())) + parser.rejection().message;
}

std::string outcome_of_responses(std::string_view bytes, std::size_t first, std::size_t piece) {
  ResponseParser parser("GET");
  std::size_t size = first;
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(part.size());
    size = piece;
    parser.note_surplus(part.substr(parser.feed(part)));
  }
  parser.end_of_input();
  const ResponseRecord& record = parser.record();
  std::string outcome = std::to_string(record.head.status) + record.response.body + record.surplus +
                        std::to_string(static_cast<int>(record.ending)) +
                        std::to_string(record.chunk_count) + std::to_string(record.bytes);
  for (const FieldLine& line : record.head.lines) {
    outcome += line.raw + "|" + line.name + "|" + line.value + "\n";
  }
  for (const Deviation& deviation : record.deviations) {
    if (deviation.error != ParseError::kSurplus) {  // its text shows the first piece that came
      outcome += deviation.message.text() + std::to_string(deviation.offset) + "\n";
    }
  }
  return outcome;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t split = bytes.empty() ? 1 : 1 + data[1] % bytes.size();
  const auto outcome = data[0] % 2 == 0 ? outcome_of_requests : outcome_of_responses;
  const std::string whole = outcome(bytes, bytes.size(), 1);
  if (outcome(bytes, split, bytes.size()) != whole || outcome(bytes, 1, 1) != whole) {
    std::abort();
  }
  return 0;
}
