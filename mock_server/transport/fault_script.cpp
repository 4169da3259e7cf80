#include "mock_server/transport/fault_script.hpp"

#include "mock_server/reply/fault.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mock_server::transport {

namespace {

using reply::Fault;

constexpr Milliseconds kDripInterval{50};
constexpr std::size_t kDripPiece = 51;  // 1,020 bytes a second
constexpr Milliseconds kSplitInterval{1};
constexpr std::size_t kSplitPieces = 200;
constexpr std::size_t kGarbageBytes = 512;

constexpr std::string_view kLengthField = "Content-Length: ";

// Puts `line` in the place of the head's Content-Length line.
void replace_length(std::string& head, std::string_view line) {
  const std::size_t begin = head.find(kLengthField);
  if (begin == std::string::npos) {
    return;
  }
  head.replace(begin, head.find("\r\n", begin) - begin, line);
}

// Noise that is the same in every run, so that a failure it causes can be replayed. Its first byte
// has the high bit set: no status line begins so.
std::string garbage() {
  std::string noise(kGarbageBytes, '\0');
  std::uint32_t state = 0x9e3779b9U;
  for (char& byte : noise) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24U);
  }
  noise.front() = '\x81';
  return noise;
}

// A first chunk that is right, then one whose size is no number.
std::string bad_chunks(const std::string& body) {
  const std::size_t size = std::min<std::size_t>((body.size() + 1) / 2, 15);
  std::string bytes(1, spec::text::kHexDigits[size]);
  bytes.append("\r\n").append(body, 0, size).append("\r\nzz\r\n").append(body, size);
  return bytes;
}

Script whole(std::string bytes, Script::Ending ending) {
  Script script;
  script.first = bytes.size();
  script.bytes = std::move(bytes);
  script.ending = ending;
  return script;
}

Script slow_body(WireResponse&& wire) {
  Script script;
  script.first = wire.head.size();
  script.bytes = std::move(wire.head);
  script.bytes.append(wire.body);
  script.interval = kDripInterval;
  script.piece = kDripPiece;
  script.ending = wire.closes() ? Script::Ending::kClose : Script::Ending::kGoOn;
  return script;
}

Script split_writes(WireResponse&& wire) {
  Script script;
  script.bytes = std::move(wire.head);
  script.bytes.append(wire.body);
  script.first = 1;
  script.piece = std::max<std::size_t>(1, script.bytes.size() / kSplitPieces);
  script.interval = kSplitInterval;
  script.ending = wire.closes() ? Script::Ending::kClose : Script::Ending::kGoOn;
  return script;
}

Script held(std::string bytes, Script::Ending ending, Milliseconds hold) {
  Script script = whole(std::move(bytes), ending);
  script.hold = hold;
  return script;
}

}  // namespace

Script make_script(WireResponse&& wire, const Limits& limits) {
  using Ending = Script::Ending;
  const Fault wanted = wire.delivery.fault;
  // A stall needs no body to be late.
  const Fault fault =
      wire.body.empty() && wanted != Fault::kStall ? reply::without_body(wanted) : wanted;
  const std::size_t half = wire.body.size() / 2;
  switch (fault) {
    case Fault::kReset: return whole({}, Ending::kReset);
    case Fault::kEmpty: return whole({}, Ending::kClose);
    case Fault::kTruncate: return whole(wire.head + wire.body.substr(0, half), Ending::kClose);
    case Fault::kWrongLength:
      replace_length(wire.head, std::string(kLengthField) + std::to_string(half));
      return whole(wire.head + wire.body, Ending::kClose);
    case Fault::kBadChunk:
      replace_length(wire.head, "Transfer-Encoding: chunked");
      return whole(wire.head + bad_chunks(wire.body), Ending::kClose);
    case Fault::kGarbage: return whole(garbage(), Ending::kClose);
    case Fault::kSlowBody: return slow_body(std::move(wire));
    case Fault::kSlowClose:
      return held(wire.head + wire.body, Ending::kHoldThenClose, limits.slow_close);
    case Fault::kStall:
      // A bodiless response would be whole by then, so nothing of it is sent.
      return held(half == 0 ? std::string() : wire.head + wire.body.substr(0, half),
                  Ending::kHoldThenReset, limits.stall);
    case Fault::kSplitWrites: return split_writes(std::move(wire));
    case Fault::kCutItem:
    case Fault::kLateItem:
    case Fault::kRepeatedItem:
    case Fault::kSwappedItems:
    case Fault::kMalformedItem:
    case Fault::kNone: break;
  }
  return whole(wire.head + wire.body, Ending::kGoOn);
}

}  // namespace mock_server::transport
