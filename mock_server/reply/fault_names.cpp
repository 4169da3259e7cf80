#include "mock_server/reply/fault_names.hpp"

#include <algorithm>
#include <array>

namespace mock_server::reply {
namespace {

constexpr std::array<std::string_view, 10> kNames{
    "reset",   "empty",     "truncate",   "wrong-length", "bad-chunk",
    "garbage", "slow-body", "slow-close", "stall",        "split-writes"};

}  // namespace

std::span<const std::string_view> fault_names() {
  return kNames;
}

std::optional<Fault> fault_of(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    return std::nullopt;
  }
  return static_cast<Fault>(found - kNames.begin() + 1);
}

std::string_view name_of(Fault fault) {
  return fault == Fault::kNone ? "none" : kNames[static_cast<std::size_t>(fault) - 1];
}

std::string_view delivered_with(Fault fault) {
  switch (fault) {
    case Fault::kReset: return "nothing: the connection was reset";
    case Fault::kEmpty: return "nothing: the connection was closed";
    case Fault::kTruncate: return "the head and half of the body, then the connection was closed";
    case Fault::kWrongLength: return "all of it, with a Content-Length of half the body";
    case Fault::kBadChunk: return "the body in chunks, of which the second has no size";
    case Fault::kGarbage: return "bytes that are no HTTP";
    case Fault::kSlowBody: return "all of it, the body slowly";
    case Fault::kSlowClose: return "all of it; the connection was closed late";
    case Fault::kStall: return "the head and half of the body, then nothing for long";
    case Fault::kSplitWrites: return "all of it, in small pieces";
    case Fault::kNone: break;
  }
  return "all of it";
}

bool delivers_head(Fault fault) {
  return fault != Fault::kReset && fault != Fault::kEmpty && fault != Fault::kGarbage;
}

Fault without_body(Fault fault) {
  const bool makes_body_invalid = fault == Fault::kTruncate || fault == Fault::kWrongLength ||
                                  fault == Fault::kBadChunk || fault == Fault::kSlowBody ||
                                  fault == Fault::kStall;
  return makes_body_invalid ? Fault::kReset : fault;
}

}  // namespace mock_server::reply
