#pragma once

// Reloads contract, fixtures and certificates while the mock serves: if all of it is valid it
// replaces the old ones, else every problem is logged and the old ones stay. Triggered by SIGHUP,
// or by a change on disk (--watch). Safe from any thread.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/program/program_options.hpp"
#include "mock_server/program/request_log.hpp"
#include "mock_server/record/redacted_journal.hpp"
#include "mock_server/service/mock_service.hpp"
#include "mock_server/transport/listener.hpp"
#include "spec/load_error.hpp"
#include "spec/non_copyable.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::program {

struct WatchedPaths {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> folders;  // with everything below them but hidden names

  friend bool operator==(const WatchedPaths&, const WatchedPaths&) = default;
};

// Size and time of a file; they change with its content. All zero: there is no such file.
struct Stamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  friend bool operator==(const Stamp&, const Stamp&) = default;
};

// By path, links followed. Files that are named but missing are in it too.
using Stamps = std::map<std::string, Stamp>;

Stamps look(const WatchedPaths& paths);

class Reloader : spec::NonCopyable {
 public:
  using TimePoint = std::chrono::system_clock::time_point;

  // The API to reload, its options and its log; all must outlive the reloader.
  struct Parts {
    const Options& options;
    service::MockService& service;
    transport::Listener& listener;
    RequestLog& log;
    record::Redaction* redaction;  // null for none
  };

  // `read_at`: when loading what is served now began. `reloaded` is called with what is served
  // after a reload.
  Reloader(const Parts& parts, TimePoint read_at,
           std::function<void(const api::LoadedApi&)> reloaded);
  // Waits for a reload in progress.
  ~Reloader() = default;

  // Reloads soon. Requests during a reload become one more reload.
  void request_reload() noexcept;

  // The results of reloads, for /_mock/health: {"reload": {...}}.
  nlohmann::json health() const;

 private:
  struct Report {
    std::uint64_t done = 0;
    std::uint64_t rejected = 0;
    std::string last_time;
    std::string last;  // "done", "rejected"; "" before the first
    std::vector<spec::Problem> problems;
  };

  void run(const std::stop_token& stop);
  bool wait_for_reason(const std::stop_token& stop);
  void reload();
  std::vector<spec::Problem> try_to_swap();
  void report(const std::vector<spec::Problem>& problems);
  WatchedPaths paths_to_watch(const std::vector<spec::Problem>& problems) const;
  void watch_again(const std::vector<spec::Problem>& problems, const Stamps& before,
                   TimePoint read_at);

  const Options& options_;
  service::MockService& service_;
  transport::Listener& listener_;
  RequestLog& log_;
  record::Redaction* const redaction_;
  const std::function<void(const api::LoadedApi&)> reloaded_;
  WatchedPaths paths_;
  Stamps seen_;                                       // as the files were when they were last read
  std::vector<std::filesystem::path> missing_files_;  // of the last reload, if it was rejected
  mutable std::mutex mutex_;
  std::condition_variable_any requested_;
  bool is_requested_ = false;  // guarded by mutex_
  Report report_;              // guarded by mutex_
  std::jthread thread_;        // last: it ends before all above
};

}  // namespace mock_server::program
