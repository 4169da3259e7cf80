#pragma once

// The texts of `--check` and `--list-assumptions`, and the warnings of a start. Pure functions.

#include "mock_server/api/loaded_api.hpp"

#include <string>
#include <vector>

namespace mock_server::program {

// The loaded API, if it is valid, then every warning and note.
std::string check_report(const api::Examination& found);

// Warnings about a loaded API, a line each, cut after some: `--check` lists all.
std::vector<std::string> start_warnings(const api::LoadedApi& api);

// A problem for each of `names` (--scenario) that is no scenario of `api`.
std::vector<spec::Problem> unknown_scenarios(const std::vector<std::string>& names,
                                             const api::LoadedApi& api);

std::string assumptions_report(const api::LoadedApi& api);

}  // namespace mock_server::program
