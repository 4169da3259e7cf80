#pragma once

// Faults: ways to break a response on purpose, one row each. transport/fault_script.cpp plays them.
// Pure functions.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mock_server::reply {

enum class Fault : std::uint8_t {
  kNone,
  kReset,
  kEmpty,
  kTruncate,
  kWrongLength,
  kBadChunk,
  kGarbage,
  kSlowBody,
  kSlowClose,
  kStall,
  kSplitWrites,
  kCutItem,
  kLateItem,
  kRepeatedItem,
  kSwappedItems,
  kMalformedItem
};

// The part of a response that reaches the client. Without a part it sees no status line.
enum class Delivered : std::uint8_t { kNothing, kHalfOfBody, kAll };

struct FaultRow {
  Fault fault;
  std::string_view name;  // in preferences and scenarios
  Delivered delivered;
  bool needs_body;  // for a response without one it is a reset
  std::string_view words;
  // The response is right as HTTP, and wrong as a stream of items: the service makes it.
  bool is_of_items = false;
};

inline constexpr std::array kFaults = std::to_array<FaultRow>({
    {Fault::kNone, "none", Delivered::kAll, false, "all of it"},
    {Fault::kReset, "reset", Delivered::kNothing, false, "nothing: the connection was reset"},
    {Fault::kEmpty, "empty", Delivered::kNothing, false, "nothing: the connection was closed"},
    {Fault::kTruncate, "truncate", Delivered::kHalfOfBody, true,
     "the head and half of the body, then the connection was closed"},
    {Fault::kWrongLength, "wrong-length", Delivered::kAll, true,
     "all of it, with a Content-Length of half the body"},
    {Fault::kBadChunk, "bad-chunk", Delivered::kAll, true,
     "the body in chunks, of which the second has no size"},
    {Fault::kGarbage, "garbage", Delivered::kNothing, false, "bytes that are no HTTP"},
    {Fault::kSlowBody, "slow-body", Delivered::kAll, true, "all of it, the body slowly"},
    {Fault::kSlowClose, "slow-close", Delivered::kAll, false,
     "all of it; the connection was closed late"},
    {Fault::kStall, "stall", Delivered::kHalfOfBody, true,
     "the head and half of the body, then nothing for long"},
    {Fault::kSplitWrites, "split-writes", Delivered::kAll, false, "all of it, in small pieces"},
    {Fault::kCutItem, "cut-item", Delivered::kAll, false,
     "the first item and half of the second, then the connection was closed", true},
    {Fault::kLateItem, "late-item", Delivered::kAll, false,
     "all of it, from the second item on two seconds late", true},
    {Fault::kRepeatedItem, "repeated-item", Delivered::kAll, false,
     "all of it, the second item twice", true},
    {Fault::kSwappedItems, "swapped-items", Delivered::kAll, false,
     "all of it, the second item before the first", true},
    {Fault::kMalformedItem, "malformed-item", Delivered::kAll, false,
     "all of it, the second item no JSON", true},
});

constexpr const FaultRow& row_of(Fault fault) {
  return kFaults[static_cast<std::size_t>(fault)];
}

static_assert(std::ranges::all_of(kFaults,
                                  [](const FaultRow& row) { return &row == &row_of(row.fault); }));

// Those that can be asked for, in the order of Fault.
inline constexpr auto kFaultNames = [] {
  std::array<std::string_view, kFaults.size() - 1> names{};
  std::ranges::transform(kFaults.begin() + 1, kFaults.end(), names.begin(), &FaultRow::name);
  return names;
}();

// Null if no fault has this name; "none" is none.
constexpr std::optional<Fault> fault_of(std::string_view name) {
  const auto* const found =
      std::ranges::find(kFaults.begin() + 1, kFaults.end(), name, &FaultRow::name);
  return found == kFaults.end() ? std::nullopt : std::optional(found->fault);
}

constexpr bool delivers_head(Fault fault) {
  return row_of(fault).delivered != Delivered::kNothing;
}

constexpr bool is_of_items(Fault fault) {
  return row_of(fault).is_of_items;
}

// The fault for a response without a body.
constexpr Fault without_body(Fault fault) {
  return row_of(fault).needs_body ? Fault::kReset : fault;
}

}  // namespace mock_server::reply
