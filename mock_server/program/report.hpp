#pragma once

// What `--check` and `--list-assumptions` print. Pure functions to text.

#include "mock_server/fixtures/examine.hpp"

#include <string>

namespace mock_server::program {

// What an examination found: the world, if it can be used, then every warning.
std::string check_report(const fixtures::Examination& found);

std::string assumptions_report(const fixtures::World& world);

}  // namespace mock_server::program
