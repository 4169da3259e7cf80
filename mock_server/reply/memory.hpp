#pragma once

// The memory of the long bodies of all connections together, and of values made of them.
// Safe from any thread; a charge belongs to one thread at a time.

#include <atomic>
#include <cstddef>
#include <string_view>
#include <utility>

namespace mock_server::reply {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}

  bool has_room_for(std::size_t more) const { return used() <= limit_ && more <= limit_ - used(); }

  bool is_exceeded() const { return used() > limit_; }

  // Data that can be left out takes no more: see Charge::try_add_to_half().
  bool is_half_used() const { return used() > limit_ / 2; }

  std::size_t used() const { return used_.load(); }

 private:
  friend class Charge;

  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

// One holder's share of a budget, which must outlive it. Gives it back when it is destroyed, so
// that what is charged goes with what holds the memory, also from thread to thread.
class Charge {
 public:
  explicit Charge(MemoryBudget& budget) : budget_(&budget) {}

  ~Charge() { change_to(0); }

  Charge(Charge&& other) noexcept
      : budget_(other.budget_), bytes_(std::exchange(other.bytes_, 0)) {}

  Charge& operator=(Charge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::size_t bytes() const { return bytes_; }

  // For memory that is held already: beyond the limit, too.
  void change_to(std::size_t bytes) noexcept {
    budget_->used_.fetch_add(bytes - bytes_);
    bytes_ = bytes;
  }

  // For memory that is still to be taken. False, and nothing more is charged, when there is no room
  // for `more`.
  [[nodiscard]] bool try_add(std::size_t more) noexcept {
    return try_add_within(budget_->limit_, more);
  }

  // The same for what can be left out: half of the limit is for what cannot, such as a response.
  [[nodiscard]] bool try_add_to_half(std::size_t more) noexcept {
    return try_add_within(budget_->limit_ / 2, more);
  }

 private:
  // Not for a moment more than the limit: others look at what is used, and reject for it.
  bool try_add_within(std::size_t limit, std::size_t more) noexcept {
    std::size_t used = budget_->used_.load();
    do {
      if (used > limit || more > limit - used) {
        return false;
      }
    } while (!budget_->used_.compare_exchange_weak(used, used + more));
    bytes_ += more;
    return true;
  }

  MemoryBudget* budget_;
  std::size_t bytes_ = 0;
};

// About how many bytes the values of this JSON text will hold while it is read, each with what its
// container keeps for it: no less than they do hold. Of other content: as if it were JSON. Pure.
std::size_t bytes_of_values(std::string_view text);

}  // namespace mock_server::reply
