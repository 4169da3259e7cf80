#pragma once

// A run from the command line to the exit code: load, find the server, register, run, compare with
// the baseline, write reports, print. The commands over recorded runs and calls have its parts.

#include "contract_tests/program/run_options.hpp"
#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/report/run_value.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::program {

// Prints the summary of a run value; gives the exit code.
int print_summary(const nlohmann::json& run);

// Chooses the cases that run, and what is printed.
struct RunMode {
  std::optional<std::set<std::string>> cases = std::nullopt;  // by name; all if there is none
  bool prints_failures = true;                                // in full
  // Called when contract and plan are known; with an exit code, the program ends at once.
  std::function<std::optional<int>(const Documents&)> prepare = nullptr;
  // The run did not start, for these reasons.
  std::function<void(const std::vector<std::string>&)> say_why_not = nullptr;
  // The outcomes as they came, and what is known of the run, which may be added to.
  std::function<void(const run::Settings&, report::Run&)> take = nullptr;
  // Prints the end of the run, a run value; gives the exit code.
  std::function<int(const nlohmann::json&)> finish = &print_summary;

  bool has(const run::Case& item) const { return !cases || cases->contains(item.id); }
};

// --last-failed: the cases that failed or were inconclusive in this run. Throws spec::LoadError.
RunMode last_failed(const std::filesystem::path& run);

// Loads what `options` names, runs the cases of `mode`, writes the reports; gives the exit code.
int execute_run(Options& options, const RunMode& mode);

struct RunStart {
  std::string text;  // RFC 3339, UTC
  std::chrono::steady_clock::time_point at;
};

std::chrono::microseconds time_since(const RunStart& started);

// The run value before the first case. `documents` must outlive it.
report::Run started_run(const Options& options, const Documents& documents,
                        const RunStart& started);

// Ends the run: `value` has its outcomes and all that happened. Gives the exit code. Throws
// spec::LoadError if a file cannot be written.
int finish_run(const Options& options, const Documents& documents, const run::Settings& settings,
               report::Run value, const RunMode& mode);

// Checks that reports can be written, then does `work`, whose exit code it gives. It fills the
// documents; a spec::LoadError of it is reported as that of a run that could not start, and thrown.
int with_reports(const Options& options,
                 const std::function<int(const RunStart&, Documents&)>& work);

// The reports of a run that ended before its first case, with the reasons.
void report_no_run(const Options& options, const Documents& documents, const RunStart& started,
                   std::vector<std::string> reasons, bool unusable);

// Its problems as reports show them: without folders of this machine.
std::vector<std::string> lines_of(const spec::LoadError& error);

}  // namespace contract_tests::program
