#pragma once

// What `--check` and `--list-assumptions` print, and what is said at the start. Pure functions to
// text.

#include "mock_server/fixtures/examine.hpp"

#include <string>
#include <vector>

namespace mock_server::program {

// What an examination found: the loaded API, if it can be used, then every warning and note.
std::string check_report(const fixtures::Examination& found);

// What a contract that is served is warned of, a line each, cut after some: `--check` lists all.
std::vector<std::string> start_warnings(const fixtures::LoadedApi& api);

std::string assumptions_report(const fixtures::LoadedApi& api);

}  // namespace mock_server::program
