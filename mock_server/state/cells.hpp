#pragma once

// What state is made of: cells, texts by key with a version each. Whatever keeps state, in this
// process or beside it, offers three verbs: read, compare-and-set and append (the journal's). Plain
// values.

#include "mock_server/state/clock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::state {

// A cell that was never set, or was removed or reset, has version 0 and no text.
struct Cell {
  std::uint64_t version = 0;
  std::shared_ptr<const std::string> text;
  std::optional<TimePoint> expires{};  // by the session's clock; from then on it may go

  explicit operator bool() const { return text != nullptr; }

  // "" without a text.
  std::string_view view() const { return text ? std::string_view(*text) : std::string_view(); }
};

using Cells = std::map<std::string, Cell, std::less<>>;

// What became of a change: made; not made, since another was quicker; not made, since there is no
// room for it.
enum class Put : std::uint8_t { kDone, kStale, kFull };

// How often a change is tried where others are quicker, and what is said then; and for kFull.
inline constexpr int kMaxTries = 1000;
inline constexpr std::string_view kChangedTooOften =
    "other requests kept changing the record; try again";
inline constexpr std::string_view kSessionsAreFull =
    "the sessions are full (--session-bytes): reset or delete some";

// Bytes that all sessions together may take.
struct Budget {
  static constexpr std::size_t kDefaultBytes = std::size_t{64} * 1024 * 1024;

  std::size_t limit = kDefaultBytes;
  std::atomic<std::size_t> used{0};

  // Takes `bytes` if there is room.
  bool take(std::size_t bytes);

  void give_back(std::size_t bytes) { used.fetch_sub(bytes, std::memory_order_relaxed); }
};

// What a cell counts for: its texts and its bookkeeping.
std::size_t weight(std::string_view key, const Cell& cell);
std::size_t weight(const Cells& cells);

}  // namespace mock_server::state
