#pragma once

// Runs one case (tests/cases/README.md) against the validator.

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace spec::contract {

// The expectations of the case that failed, one a line; empty if it passed. `folder` is that of its
// table.
std::vector<std::string> run_case(const nlohmann::json& one, const std::filesystem::path& folder);

}  // namespace spec::contract
