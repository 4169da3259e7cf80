#pragma once

// The plan as GoogleTest sees it: one test a case, suites by operation, names that are sentences.
// Tests report what the runner found; they send nothing themselves.

#include "contract_tests/program/progress_line.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/runner.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace contract_tests::program {

// Called with the selected cases before the first one runs; false: none may run.
using MayStart = std::function<bool(const std::vector<std::size_t>& selected)>;

// True if a case belongs to the run.
using HasCase = std::function<bool(const run::Case&)>;

struct Registration {
  unsigned jobs = 1;
  // Null: GoogleTest prints its own listing. Else the first failures alone are printed, and how far
  // the run is. It must outlive GoogleTest's runs.
  ProgressLine* progress = nullptr;
  bool failures = true;  // whether the first failures are printed
  MayStart may_start;
  HasCase has;
  // For a shard: runs these too, unreported, because they may be the cause of other outcomes.
  std::function<std::vector<std::size_t>(const std::vector<std::size_t>& selected)> add = {};
};

// Registers a test for each case of `plan` that belongs to the run. Each run of GoogleTest starts
// `runner` with the cases that its filter and shard leave. `plan` and `runner` must outlive
// GoogleTest's runs.
void register_cases(const run::Plan& plan, run::Runner& runner, const Registration& how);

using TextOfCase = std::function<std::string(const run::Case&)>;

// The same tests, each of which prints the text of its case; GoogleTest's listing is off. `plan`
// must outlive GoogleTest's runs.
void register_printed_cases(const run::Plan& plan, const HasCase& has, TextOfCase text);

// The cases that the last run of GoogleTest selected.
std::vector<std::size_t> selected_cases(const run::Plan& plan);

}  // namespace contract_tests::program
