#pragma once

// Tries the suite against the servers of the tables. Over sockets: the cases of the operations that
// the row names, against a faulty server before one shared mock, each row in a session of its own.
// In process: the row's steps are applied to responses that were recorded from the mock once, and
// the suite's own validation of a response is called. For tests of the suite alone.

#include "contract_tests/parity/rows.hpp"
#include "contract_tests/report/replay.hpp"
#include "contract_tests/tests/faulty_server/mutant_case.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace contract_tests::faulty_server {

// The findings of the suite.
struct Result {
  std::vector<checks::Finding> findings;
  std::size_t applied = 0;   // responses that the row's behaviours are about
  std::size_t requests = 0;  // 0 in process
  // For the first finding by the rule that the row is about, if it shows in every run: what its
  // curl line shows otherwise.
  std::string curl_difference;
  std::chrono::microseconds time{0};
};

// The replays of a run's errors.
struct Replays {
  std::vector<report::ReplayedFinding> on_mutant;  // a fresh server with the same fault
  std::vector<report::ReplayedFinding> on_mock;    // without it
};

// A comparison of the mock with the row's server as the service.
struct ParityOfRow {
  parity::ComparisonResult compared;
  std::vector<checks::Finding> findings;  // of the service
};

class MutantRunner {
 public:
  // Loads contract, rules and plan, and starts the mock. Throws spec::LoadError.
  MutantRunner();
  ~MutantRunner();
  MutantRunner(const MutantRunner&) = delete;
  MutantRunner& operator=(const MutantRunner&) = delete;

  // Starts to try the cases, on so many threads; they must outlive the runner.
  void start(std::vector<const MutantCase*> cases, unsigned jobs);
  // The result of one of them; waits for it.
  const Result& wait(const MutantCase& item);

  // Runs the suite on the row's server, over sockets, then replays every error of that run.
  Replays replay(const MutantCase& item) const;

  // Compares the mock with the row's server, on the cases that the row names.
  ParityOfRow compare_with_mock(const MutantCase& item) const;

 private:
  struct Suite;
  struct Work;

  Result run(const MutantCase& item) const;

  std::unique_ptr<Suite> suite_;
  std::unique_ptr<Work> work_;
};

}  // namespace contract_tests::faulty_server
