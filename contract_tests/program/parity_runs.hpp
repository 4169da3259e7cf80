#pragma once

// Carries out a comparison: starts or finds the mock, runs the plan against both sides, or takes
// one of them from a file, and compares.

#include "contract_tests/parity/report.hpp"
#include "contract_tests/program/options.hpp"

namespace contract_tests::program {

// The comparison with its exit code. Problems of files, flags and servers are spec::LoadErrors.
parity::Report compare_parity(const Options& options, const ParityOptions& how);

}  // namespace contract_tests::program
