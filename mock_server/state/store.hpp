#pragma once

// All sessions, by name: made on first use, bounded in number (the one that was idle longest goes
// first), kept in memory. Sessions are shared pointers: one that is deleted while a request uses it
// lives until that request ends. Safe from any thread.

#include "mock_server/state/session.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mock_server::state {

struct SessionSummary {
  std::string name;
  std::uint64_t serial = 0;
  std::size_t cells = 0;
  TimePoint last_used;  // not kept for the default session
};

class Store {
 public:
  static constexpr std::size_t kMaxSessions = 10'000;

  explicit Store(TimeSource source = system_now, std::size_t max_sessions = kMaxSessions);

  // The session `name`, made if there is none; "" is the default session, which always is.
  std::shared_ptr<Session> session(std::string_view name);
  // Only if it is there; does not count as use.
  std::shared_ptr<Session> find(std::string_view name) const;
  // By name, the default session first.
  std::vector<SessionSummary> list() const;
  // False when there is none. The default session is reset instead.
  bool remove(std::string_view name);
  std::size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<Session> session;
    std::uint64_t used = 0;  // a tick of uses_, for eviction
    TimePoint last_used;
  };

  void evict_idlest();

  TimeSource source_;
  std::size_t max_sessions_;
  std::shared_ptr<Session> default_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> sessions_;
  std::uint64_t uses_ = 0;
  std::uint64_t next_serial_ = 1;
};

// Session names: 1 to 64 letters, digits, ".", "_", "-".
bool is_session_name(std::string_view name);

}  // namespace mock_server::state
