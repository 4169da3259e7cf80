#pragma once

// What was asked and answered, newest kept, in one ring of bytes whose size never changes. Noting
// an exchange copies its bytes and builds nothing; entries are read back, and explained, only when
// somebody asks. Says how many of a session's exchanges it no longer has. Safe from any thread.

#include "mock_server/state/clock.hpp"
#include "spec/http/message.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mock_server::state {

// An exchange about to be noted. Views need to live only during the call.
struct Exchange {
  std::uint64_t id = 0;       // from Journal::next_id()
  std::uint64_t session = 0;  // Session::serial()
  TimePoint time;
  std::chrono::nanoseconds took{0};
  std::string_view peer;
  std::string_view operation;   // operation id; "" when none was found
  std::string_view chosen_by;   // "fixture customers/cus_1", "rule primary brand", "example dog"
  std::string_view violations;  // of the request, JSON array text; "" for none
  std::string_view broken;      // what the answer breaks, JSON array text; "" for nothing
  const spec::http::Request* request = nullptr;
  const spec::http::Response* response = nullptr;
  std::string_view fault;   // that broke the delivery, by name; "" for none
  std::string_view target;  // instead of the request's, when that holds a secret; "" otherwise
  // Fields of the request whose values are secret, besides those that always are: Authorization
  // (its scheme is kept), Proxy-Authorization and the control token.
  std::span<const std::string> hidden_fields;
};

// What stands for a secret.
inline constexpr std::string_view kHidden = "[hidden]";

// Tells a secret value from others without keeping it: the same for the same text, in this process.
std::uint64_t secret_mark(std::string_view value);

// A field of a request whose value was not kept.
struct HiddenField {
  std::string name;
  std::uint64_t mark = 0;  // of the value
};

// An exchange as it was kept. Long bodies are kept in part; `*_body_bytes` is their whole length.
struct Entry {
  std::uint64_t id = 0;
  std::uint64_t session = 0;
  TimePoint time;
  std::chrono::nanoseconds took{0};
  std::string peer;
  std::string operation;
  std::string chosen_by;
  std::string violations;
  std::string broken;
  std::string fault;
  std::vector<HiddenField> hidden;
  spec::http::Request request;
  spec::http::Response response;
  std::uint64_t request_body_bytes = 0;
  std::uint64_t response_body_bytes = 0;
};

// How much of a session's past the journal still has.
struct JournalWindow {
  std::uint64_t noted = 0;  // since the start, or since the session's journal was cleared
  std::uint64_t kept = 0;   // of those, still here; fewer than noted means that old ones went out
  std::uint64_t last_lost_id = 0;  // the highest id that went out
  TimePoint last_lost_time;        // and the latest time
  bool is_partial = false;         // even `noted` is too low: the count itself was given up once

  std::uint64_t lost() const { return noted - kept; }
};

class Journal {
 public:
  static constexpr std::size_t kDefaultBytes = 4 * 1024 * 1024;

  explicit Journal(std::size_t limit_bytes = kDefaultBytes);

  // Ids count from 1 and are never used twice.
  std::uint64_t next_id() { return last_id_.fetch_add(1, std::memory_order_relaxed) + 1; }

  std::uint64_t last_id() const { return last_id_.load(std::memory_order_relaxed); }

  void note(const Exchange& exchange);

  // The kept entry `id` of `session`, if it is still there.
  std::optional<Entry> find(std::uint64_t session, std::uint64_t id) const;
  // Shows each kept entry of `session` to `visit`, oldest first. `visit` sees copies, made one at a
  // time, so that a long look does not stop the service.
  void each(std::uint64_t session, const std::function<void(const Entry&)>& visit) const;
  JournalWindow window(std::uint64_t session) const;
  // Forgets the exchanges of `session`.
  void clear(std::uint64_t session);

  std::size_t limit_bytes() const { return limit_bytes_; }

  std::size_t used_bytes() const;

 private:
  struct Slot {
    std::size_t offset = 0;
    std::size_t size = 0;
    std::uint64_t id = 0;
    std::uint64_t session = 0;
    TimePoint time;
    bool live = true;
  };

  JournalWindow& window_of(std::uint64_t session);
  char* make_room(std::size_t size);
  void drop_oldest();
  void forget_windows(std::uint64_t but);

  mutable std::mutex mutex_;
  std::size_t limit_bytes_;
  std::unique_ptr<char[]> ring_;  // not touched before it is used: an idle double stays small
  std::deque<Slot> slots_;        // oldest first; contiguous in the ring but for one wrap
  std::uint64_t dropped_ = 0;     // slots that ever left the front of slots_
  std::size_t next_offset_ = 0;
  std::size_t live_bytes_ = 0;
  std::unordered_map<std::uint64_t, JournalWindow> windows_;
  std::uint64_t forgotten_up_to_ = 0;  // windows of sessions up to this one may have been given up
  std::atomic<std::uint64_t> last_id_{0};
};

}  // namespace mock_server::state
