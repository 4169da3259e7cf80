#pragma once

// All sessions of all replicas, in Redis: made on first use, bounded in number, gone when idle. On
// an event loop nothing is asked of Redis, and what this process knows is given. Safe from any
// thread.

#include "mock_server/state/session_store.hpp"
#include "mock_server/state/shared/shared_cells.hpp"
#include "mock_server/state/shared/shared_journal.hpp"

#include <atomic>
#include <condition_variable>
#include <thread>

namespace mock_server::state::shared {

class SharedStore final : public Store {
 public:
  // `redis` and `journal` must outlive it.
  SharedStore(Redis& redis, SharedJournal& journal, TimeSource source, StoreLimits limits);

  bool is_shared() const override { return true; }

  std::unique_ptr<RequestState> open_request() override { return std::make_unique<RequestScope>(); }

  std::shared_ptr<Session> session(std::string_view name) override;
  std::shared_ptr<Session> find(std::string_view name) override;
  std::vector<SessionSummary> list() override;
  bool remove(std::string_view name) override;
  std::vector<std::shared_ptr<Session>> sessions() override;
  std::vector<std::string> armed_for_all() override;
  void arm_for_all(std::string_view scenario) override;
  void disarm_for_all(std::string_view scenario) override;
  Fork fork(const Session& from, std::string_view name) override;
  std::size_t size() override;

  std::size_t used_bytes() const override { return 0; }

 private:
  struct KnownSession {
    std::shared_ptr<Session> session;
    std::shared_ptr<SharedCells> cells;  // of the session
  };

  std::shared_ptr<Session> begin(std::string_view name, bool is_use);
  KnownSession load(std::string_view name, bool is_use);
  Value ask_for(std::string_view name, const KnownSession& before, std::uint64_t version,
                bool is_use);
  KnownSession find_known(std::string_view name);
  KnownSession known(std::string_view name, std::uint64_t serial);

  // The newest version of the data that this process knows.
  struct DataVersion {
    std::string epoch;       // tells it from other data; "" before the first
    std::uint64_t done = 0;  // a count that only goes up
  };

  DataVersion data_version();
  void note_version(const DataVersion& now);
  std::vector<SessionSummary> known_sessions();
  void refresh();
  bool is_time_to_sweep();
  std::size_t count_sessions();
  std::string now_ms() const;
  std::string idle_ms() const;

  Redis& redis_;
  SharedJournal& journal_;
  TimeSource source_;
  std::mutex mutex_;
  std::unordered_map<std::string, KnownSession> known_;  // guarded by mutex_, as
  DataVersion version_;
  std::atomic<std::size_t> size_{1};
  std::atomic<TimePoint> swept_{TimePoint::min()};
  std::mutex wait_mutex_;
  std::condition_variable_any wait_;
  std::jthread thread_;  // probes Redis and refreshes; last, so that it ends first
};

}  // namespace mock_server::state::shared
