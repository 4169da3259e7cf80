#pragma once

// Runs the mock: connects service, state and transport, until a signal ends it.

#include "mock_server/program/program_options.hpp"

namespace mock_server::program {

// Serves until SIGTERM or SIGINT, which drain; a second one ends at once. Returns the exit code.
// Throws spec::LoadError if something cannot be loaded or the address cannot be used.
int serve(const Options& options);

}  // namespace mock_server::program
