#pragma once

// Reads one case file (tests/cases/README.md) and runs it against the validator.

#include <filesystem>
#include <string>
#include <vector>

namespace spec::contract {

// What the case at `file` expects and does not get, one a line; empty if it holds.
std::vector<std::string> run_case(const std::filesystem::path& file);

}  // namespace spec::contract
