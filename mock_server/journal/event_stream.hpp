#pragma once

// Server-sent events for one reader: requests as they come to the journal, changes
// of sessions, reloads. Looks now and then at what there is, so that whoever is served waits for no
// reader. One thread at a time.
// Source: HTML standard, 9.2 "Server-sent events".

#include "mock_server/journal/journal_query.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/session_changes.hpp"
#include "mock_server/state/session_store.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mock_server::journal {

// A reader's choice of events.
struct EventFilter {
  std::optional<std::string> session;  // by name; nothing: all of them
  JournalQuery query;                  // its `after` does not count
  std::optional<std::uint64_t> after;  // an id to go on behind; nothing: only what is new
};

class EventStream {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using TimeSource = std::function<TimePoint()>;

  // The most events that one call adds, but for the last event of it.
  static constexpr std::size_t kMaxShown = 25;
  static constexpr std::size_t kMaxSeen = 200;
  static constexpr std::size_t kMaxBytes = 32 * 1024;

  // `journal` and `store` must outlive it.
  EventStream(const state::Journal& journal, state::Store& store, EventFilter filter,
              TimeSource now = std::chrono::steady_clock::now);

  // Appends the events since it was asked last. Never kEnded.
  reply::Growth ask(std::string& bytes);

 private:
  void add_hello(std::string& bytes);
  bool add_requests(std::string& bytes);
  void add_changes(std::string& bytes);
  bool has_time_left(TimePoint now);
  void find_session_again();
  nlohmann::json session_name(std::uint64_t serial, bool& has_looked);

  const state::Journal& journal_;
  state::Store& store_;
  EventFilter filter_;
  TimeSource now_;
  state::ChangeWatch watch_;
  std::optional<std::uint64_t> serial_;  // of the session; nothing: of all
  state::JournalMark mark_;
  std::uint64_t reloads_ = 0;
  std::unordered_map<std::uint64_t, std::string> names_;  // of sessions, by serial
  TimePoint next_changes_;
  TimePoint next_keep_;
  TimePoint second_began_;
  std::chrono::nanoseconds spent_{0};  // in that second
  bool is_greeted_ = false;
};

}  // namespace mock_server::journal
