#pragma once

// The mock running: service, state and transport wired together, until a signal ends it.

#include "mock_server/program/options.hpp"

namespace mock_server::program {

// Serves until SIGTERM or SIGINT, which drain; a second one ends at once. Returns the exit code.
// Throws spec::LoadError for whatever cannot be loaded or listened on, before anything is served.
int serve(const Options& options);

}  // namespace mock_server::program
