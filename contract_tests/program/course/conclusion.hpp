#pragma once

// The end of a run, however its outcomes came about: compared with the baseline, written as
// reports, shown in a pull request and printed.

#include "contract_tests/program/course/course.hpp"
#include "contract_tests/program/flags/options.hpp"
#include "contract_tests/program/setup/session.hpp"
#include "contract_tests/report/run_value.hpp"
#include "spec/load_error.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace contract_tests::program::course {

struct Started {
  std::string text;  // RFC 3339, UTC
  std::chrono::steady_clock::time_point at;
};

std::chrono::microseconds since(const Started& started);

// What is known of a run before its first case. `documents` must outlive the value.
report::Run started_run(const flags::Options& options, const setup::Documents& documents,
                        const Started& started);

// Ends the run: `value` has its outcomes and all that happened. Gives the exit code. Throws
// spec::LoadError where a file cannot be written.
int conclude(const flags::Options& options, const setup::Documents& documents,
             const run::Settings& settings, report::Run value, Course& course);

// Checks that reports can be written, then does `work`, whose exit code it gives. It fills the
// documents; a spec::LoadError of it is reported as that of a run that could not start, and thrown.
int with_reports(const flags::Options& options,
                 const std::function<int(const Started&, setup::Documents&)>& work);

// The reports of a run that ended before its first case, with the reasons.
void report_no_run(const flags::Options& options, const setup::Documents& documents,
                   const Started& started, std::vector<std::string> reasons, bool unusable);

// Its problems as reports show them: without folders of this machine.
std::vector<std::string> lines_of(const spec::LoadError& error);

}  // namespace contract_tests::program::course
