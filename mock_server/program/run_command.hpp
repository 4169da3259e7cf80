#pragma once

// `run -- COMMAND`: serves while a command runs, then reports what it called, also as JUnit XML
// and, with --report FOLDER, as a page to open: the console with the run's data in it.

#include "mock_server/program/program_options.hpp"
#include "mock_server/program/run_watch.hpp"
#include "mock_server/program/signal_watch.hpp"
#include "mock_server/service/mock_service.hpp"

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace mock_server::program {

// Returns the exit code. Does not wait for workers or loops after the grace period. Throws
// spec::LoadError if a report cannot be written, before the command starts. Precondition:
// options.run.
int run_command(const Options& options, SignalWatch& signals, transport::Listener& listener,
                const Watch& watch, service::MockService& service);

// A command as a child process that never outlives this process: signals are forwarded to it, and
// the system kills it if this process is killed. Uses process-wide signal state, so only one at a
// time, started from the thread that waits for it.

struct ChildEnd {
  int code = 0;         // as in a shell: 128 + the signal that ended it
  std::string problem;  // why it could not run; code is then 127 (not found) or 126
};

// Blocks, in this thread and those it makes later, every signal that run_child() waits for.
void block_child_signals();

// Runs `command` (found by PATH) with `environment` added to this process's and waits for its end.
// Forwards signals; after SIGTERM, SIGHUP or SIGQUIT the command has ten seconds.
// Preconditions: block_child_signals() was called; `command` is not empty.
ChildEnd run_child(const std::vector<std::string>& command,
                   const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace mock_server::program
