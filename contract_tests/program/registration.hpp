#pragma once

// The plan as GoogleTest sees it: one test a case, suites by operation, names that are sentences.
// Tests report what the runner found; they send nothing themselves.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/runner.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace contract_tests::program {

// "GET_customers_customer_id", the suite of an operation's cases, and "a_plain_request_succeeds".
struct TestName {
  std::string suite;
  std::string test;
};

// One for each case, in the plan's order, no two the same: where two cases have the same name
// (/docs and /docs/), the later ones are numbered.
std::vector<TestName> test_names(const run::Plan& plan);

// Called with the selected cases before the first one runs; false: none may run.
using MayStart = std::function<bool(const std::vector<std::size_t>& selected)>;

struct Registration {
  unsigned jobs = 1;
  bool listing = false;  // GoogleTest's own; else failures alone are printed
  MayStart may_start;
};

// Registers a test for each case of `plan`. Each run of GoogleTest starts `runner` with the cases
// that its filter and shard leave. `plan` and `runner` must outlive GoogleTest's runs.
void register_cases(const run::Plan& plan, run::Runner& runner, const Registration& how);

// The same tests, each of which prints what its case would send; GoogleTest's listing is off.
void register_dry_cases(const run::Plan& plan, const run::Settings& settings);

// The cases that the last run of GoogleTest selected.
std::vector<std::size_t> selected_cases(const run::Plan& plan);

}  // namespace contract_tests::program
