#pragma once

// The report of a run, as text and as JUnit XML. Pure functions.

#include "mock_server/program/run_watch.hpp"

#include <string>

namespace mock_server::program {

struct RunResult {
  std::string command;  // as it was given
  int command_code = 0;
  double min_coverage = 0;  // percent

  bool has_enough(const Summary& summary) const {
    return summary.coverage.percent() >= min_coverage;
  }

  // The command's code; 1 if that is 0 but a request violated the contract or got no response of
  // the service, or the coverage is too low.
  int exit_code(const Summary& summary) const;
};

std::string text_report(const Summary& summary, const RunResult& result);

// One test case for each operation (skipped when it was never called), one for the command, one for
// the coverage, and one for calls that got no response of the service, if there are any.
std::string junit_report(const Summary& summary, const RunResult& result);

}  // namespace mock_server::program
