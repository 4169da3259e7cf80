#pragma once

// Runs the cases of a plan on one worker or several and keeps their outcomes: registered tests
// report, they do not execute. The order of cases is that of Queue, in turns by operation when the
// number of requests is limited.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/found_values.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/queue.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "contract_tests/run/sender.hpp"
#include "contract_tests/run/undo.hpp"
#include "contract_tests/run/watcher.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace contract_tests::run {

// Progress of a run.

// Counts of the selected cases.
struct Progress {
  std::size_t of = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
};

class Runner {
 public:
  // Both must outlive the runner.
  Runner(const Settings& settings, const Plan& plan);
  ~Runner();

  // Values for what the plan made up, for these cases (found_values.hpp). Before start().
  FoundValues find_values(const std::vector<std::size_t>& selected, Search search);
  // Starts the cases with these indices into the plan; earlier outcomes are forgotten.
  void start(const std::vector<std::size_t>& selected, unsigned jobs);
  // From any thread, while the cases run.
  Progress progress() const;
  // The outcome of a case; waits for it, if it was selected.
  const Outcome& wait(std::size_t index);
  // The same, moved out: reports need it, and nothing else does afterwards.
  Outcome take(std::size_t index);
  // Waits for every worker, then undoes what cases could not undo themselves, also some seconds
  // after the deadline. Returns the changes that could not be undone.
  std::vector<RemainingChange> finish();

  // The changes of the run; complete when finish() was called.
  const UndoLog& changes() const { return context_.undo; }

  // Admits all requests, those outside the cases included.
  Pace& pace() { return context_.pace; }

  // Stops sending, except requests that restore records. Safe from a signal handler.
  void interrupt() noexcept { context_.pace.interrupt(); }

  // The problems of the run as a whole, one sentence each.
  std::vector<std::string> headlines() const;

  // True if no case could decide anything, whatever the service is like.
  bool is_unusable() const { return watcher_.is_unusable(); }

  // Coverage of the operations with selected cases; complete when all cases are done.
  spec::contract::CoverageReport coverage() const;

  checks::Severity fail_on() const { return settings_.fail_on; }

 private:
  void work();
  std::optional<Queue::Job> take_job();
  void run_job(const Queue::Job& job, Sender& sender);
  Outcome execute_safely(const Case& item, Sender& sender);
  Outcome execute(const Case& item, Sender& sender);
  Outcome execute_repeatedly(const Case& item, Sender& sender);
  // Notes how the plain request of an operation ended, and the one without credentials.
  void note_causes(const CaseRun& case_run, const Outcome& outcome);
  // `outcome`, unless one of these failed and explains it.
  Outcome explained(const Case& item, Outcome outcome) const;
  // True if the resource of `first` changes between two equal requests.
  bool learns_what_changes(const Case& item, const CaseRun& first, Sender& sender);
  bool changes_by_itself(const Case& item, const CaseRun& first, Sender& sender);
  // The failure of the smallest request that still fails like `failed`, within a budget.
  Outcome shrink(const Case& item, Outcome failed, Sender& sender);

  void set(std::size_t index, Outcome outcome);

  const Settings& settings_;
  const Plan& plan_;
  RunContext context_;
  Watcher watcher_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Queue queue_;
  OutcomeTrimmer kept_;
  std::vector<Outcome> outcomes_;
  Progress progress_;
  std::size_t limited_ = 0;  // cases that were given up because of 429
  std::vector<bool> done_;
  std::set<std::string> asked_;  // ids of operations with cases selected
  std::vector<std::jthread> workers_;
};

}  // namespace contract_tests::run
