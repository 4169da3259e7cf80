#pragma once

// The items of a response of the real service, which are passed on as they come: events, lines,
// records. Validates each when it is whole, and keeps the first ones. Holds one item and what is
// kept, no more. Not for several threads at once.

#include "mock_server/reply/memory.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/http/items.hpp"
#include "spec/http/message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service {

// Longer items are passed on and not validated.
inline constexpr std::size_t kMaxItemBytes = 64U * 1024;

class PassedItems {
 public:
  using Violations = std::vector<spec::contract::Violation>;

  // The response's contract; `operation` is null where nothing is validated. Both must outlive it.
  struct Rules {
    const spec::contract::Contract& contract;
    const spec::contract::Operation* operation = nullptr;
  };

  // So much of the body is kept, charged to `budget`, which may be null, and must outlive it.
  struct Room {
    std::size_t bytes = 0;
    reply::MemoryBudget* budget = nullptr;
  };

  // `head`: status and fields of the response.
  PassedItems(spec::http::ItemForm form, Rules rules, const spec::http::Response& head, Room room);

  // Takes what came next. The violations of items that are whole by now.
  Violations take(std::string_view bytes);
  // The service ended the body: what is left is an item, too.
  Violations end();

  // Of all that came, items and bytes.
  std::size_t count() const { return count_; }

  std::uint64_t bytes() const { return bytes_; }

  // How many were too long to be validated.
  std::size_t unvalidated() const { return unvalidated_; }

  // The first items as they came, and when each did, since the response began.
  const std::string& kept() const { return kept_; }

  const std::vector<std::chrono::milliseconds>& times() const { return times_; }

 private:
  std::optional<std::size_t> whole_size(std::string_view open) const;
  void take_item(std::string_view item, Violations& found);
  void keep(std::string_view item);

  const spec::http::ItemForm form_;
  const Rules rules_;
  const spec::http::Response head_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::string open_;          // the item that is not whole
  bool is_skipping_ = false;  // it is too long: only its end is looked for
  std::size_t index_ = 0;     // of the next item for its violations
  std::size_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t unvalidated_ = 0;
  std::size_t room_;  // what more may be kept
  std::optional<reply::Charge> charge_;
  std::string kept_;
  std::vector<std::chrono::milliseconds> times_;
};

}  // namespace mock_server::service
