#pragma once

// `run -- COMMAND`: serves while a command runs, then reports what it called, also as JUnit XML
// and, with --report FOLDER, as a page to open: the console with the run's data in it.

#include "mock_server/program/options.hpp"
#include "mock_server/program/signal_watch.hpp"
#include "mock_server/run/watch.hpp"
#include "mock_server/service/mock_service.hpp"

namespace mock_server::program {

// Returns the exit code. Does not wait for workers or loops after the grace period. Throws
// spec::LoadError if a report cannot be written, before the command starts. Precondition:
// options.run.
int run_command(const Options& options, SignalWatch& signals, transport::Listener& listener,
                const run::Watch& watch, service::MockService& service);

}  // namespace mock_server::program
