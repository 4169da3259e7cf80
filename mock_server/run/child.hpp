#pragma once

// A command as a child process that never outlives us: signals that we get are handed on to it, and
// the system ends it should we be killed. Makes and uses process-wide signal state, so there is one
// at a time, started from the thread that waits for it.

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace mock_server::run {

struct ChildEnd {
  int code = 0;         // as a shell says it: 128 + the signal that ended it
  std::string problem;  // why it never ran, then code is 127 (not found) or 126; "" otherwise
};

// Blocks, in this thread and those it makes later, every signal that run_child() waits for.
void block_child_signals();

// Runs `command` (found by PATH) with `environment` added to ours and waits for its end. Signals
// that somebody sends us meanwhile go to it; after SIGTERM, SIGHUP or SIGQUIT it has ten seconds.
// Preconditions: block_child_signals() was called; `command` is not empty.
ChildEnd run_child(const std::vector<std::string>& command,
                   const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace mock_server::run
