#pragma once

// The parts of state: cells, texts by key with a version each. Whatever keeps state, in this
// process or beside it, offers three verbs: read, compare-and-set and append (the journal's). Plain
// values.

#include "mock_server/state/session_clock.hpp"
#include "spec/non_copyable.hpp"
#include "spec/text/ascii.hpp"

#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

// The outcome of a change: made; not made, since another was quicker; not made, since there is no
// room for it.
enum class Put : std::uint8_t { kDone, kStale, kFull };

// The number of times that a change is tried if others are quicker, and the error then; and for
// kFull.
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

// The bytes that a cell counts for: its texts and its bookkeeping.
std::size_t weight(std::string_view key, const Cell& cell);
std::size_t weight(const Cells& cells);

// The seam behind which state lies: where the cells of one session, or of one of its snapshots, are
// kept. In this process that is memory (memory_cells.hpp); a store that several processes share
// derives from this and takes its place, and nothing above it changes. Safe from any thread.

class CellStore : spec::NonCopyable {
 public:
  virtual ~CellStore() = default;

  // The number of cells; asked several times a request, so it must be quick.
  virtual std::size_t count() const = 0;
  virtual Cell read(std::string_view key) const = 0;
  virtual Cells all() const = 0;
  // Those whose key starts with `prefix`.
  virtual Cells starting_with(std::string_view prefix) const = 0;

  // Sets the cell, or removes it when there is no text, if its version still is `expected`. From
  // `expires` on it may be dropped; `now` is the session's time.
  virtual Put compare_and_set(std::string_view key, std::uint64_t expected,
                              std::optional<std::string> text, std::optional<TimePoint> expires,
                              TimePoint now) = 0;
  // Makes `cells` all there are, with versions that none ever had here, so that nothing that was
  // read before fits; kFull leaves everything as it was.
  virtual Put replace(const Cells& cells) = 0;
};

// Opens the cells that are kept under a name ("SESSION", "SESSION/SNAPSHOT") for the session of
// that serial. What they weigh counts towards the budget, which may be null: no bound.
using OpenCells = std::function<std::unique_ptr<CellStore>(
    std::string_view name, std::uint64_t serial, const std::shared_ptr<Budget>& budget)>;

// The names of a session's cells, for the rooms that share them.

// The beginning of the names of all cells of records.
inline std::string record_cells() {
  return "record/";
}

// A record as the session has it: JSON text, or an empty text for one that it removed.
inline std::string record_cell(std::string_view collection, std::string_view key) {
  return record_cells() + std::string(collection) + '/' + std::string(key);
}

// The beginning of the names of all cells of rate limits.
inline constexpr std::string_view kRateCells = "rate/";

// The beginning of the names of these.
inline constexpr std::string_view kNumberCells = "number/";
inline constexpr std::string_view kOrderCells = "order/";

// The last number that a collection gave to a record that was created in it, in decimal digits.
inline std::string number_cell(std::string_view collection) {
  return std::string(kNumberCells) + std::string(collection);
}

// The number in such a cell; 0 for a cell without text, or of a text that is no number.
inline std::uint64_t number_in(const Cell& cell) {
  return spec::text::parse_number<std::uint64_t>(cell.view()).value_or(0);
}

// The number of a created record, in decimal digits: lists show records in this order.
inline std::string order_cell(std::string_view collection, std::string_view key) {
  return std::string(kOrderCells) + std::string(collection) + '/' + std::string(key);
}

// What is to happen to a record by itself: JSON, [[MICROSECONDS, MERGE PATCH], ...].
inline constexpr std::string_view kStepCells = "steps/";

inline std::string step_cell(std::string_view collection, std::string_view key) {
  return std::string(kStepCells) + std::string(collection) + '/' + std::string(key);
}

// Tokens that a login issued, each by a hash of it: microseconds of its end, or 0 for none.
inline constexpr std::string_view kIssuedCells = "issued/";

// Decimal digits.
inline constexpr std::string_view kSeedCell = "seed";

// The cell of the session's upstream mode, if it is not as the program's flags say.
inline constexpr std::string_view kUpstreamCell = "upstream";

// Whole numbers with blanks between them: the texts of cells that count or tell the time; and texts
// of one line each. Known to the rooms that keep such cells.

// The numbers of `text`, up to the first thing that is none.
inline std::vector<std::int64_t> read_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{}) {
      break;
    }
    numbers.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
    text.remove_prefix(text.starts_with(' ') ? 1 : 0);
  }
  return numbers;
}

inline std::string write_numbers(std::initializer_list<std::int64_t> numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    text += (text.empty() ? "" : " ") + std::to_string(number);
  }
  return text;
}

inline std::vector<std::string> read_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

inline std::string write_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + '\n';
  }
  return text;
}

// Which contract kept state belongs to, for a start that must not take the state of another one. A
// plain value; the program makes it, and stores keep it.

struct ContractMark {
  std::string title;
  std::string fingerprint;  // of its texts; "" if it is not known
  std::string operations;   // "GET /pets", sorted, one a line

  friend bool operator==(const ContractMark&, const ContractMark&) = default;
};

// The error if state of `kept` is used with `now`, for "has the state of ...": another title,
// or no operation in common. "" if nothing is: a contract that was changed is the same contract.
std::string contract_problem(const ContractMark& kept, const ContractMark& now);

// The store of state cannot be asked now: the request that needs it is rejected with 503 and may be
// sent again.

class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mock_server::state
