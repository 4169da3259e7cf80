#pragma once

// Carries out a comparison: starts or finds the mock, runs the plan against both sides, or takes
// one of them from a file, and compares.

#include "contract_tests/parity/report.hpp"
#include "contract_tests/program/flags/options.hpp"

#include <filesystem>
#include <string>

namespace contract_tests::program::commands {

// What the command takes beside the flags of a run.
struct ParityOptions {
  std::string mock;                     // URL; "" starts one
  std::filesystem::path mock_subjects;  // "" for those of its fixtures
  std::filesystem::path from;           // a HAR file instead of the service
  std::filesystem::path markdown;
  std::filesystem::path json;
};

// The comparison with its exit code. Problems of files, flags and servers are spec::LoadErrors.
parity::Report compare_parity(const flags::Options& options, const ParityOptions& how);

}  // namespace contract_tests::program::commands
