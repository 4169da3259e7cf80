#pragma once

// What `--check` and `--list-assumptions` print. Pure functions from a world to text.

#include "mock_server/fixtures/world.hpp"

#include <string>

namespace mock_server::program {

std::string check_report(const fixtures::World& world);

std::string assumptions_report(const fixtures::World& world);

}  // namespace mock_server::program
