#pragma once

// Every way to keep state, for tests that each of them must pass. The tests of this folder say what
// a store of state must do; mock_server/service/tests runs the whole service on any of them.

#include "mock_server/state/journal.hpp"
#include "mock_server/state/memory_journal.hpp"
#include "mock_server/state/session_store.hpp"

#include <cstddef>
#include <memory>
#include <ostream>
#include <string_view>
#include <vector>

namespace mock_server::state::conformance {

struct OpenOptions {
  TimeSource source = system_now;
  StoreLimits limits{};
  std::size_t journal_bytes = MemoryJournal::kDefaultBytes;
};

// State that was opened, with nothing in it. What it keeps is gone when it ends.
class OpenedState {
 public:
  OpenedState() = default;
  virtual ~OpenedState() = default;
  OpenedState(const OpenedState&) = delete;
  OpenedState& operator=(const OpenedState&) = delete;
  OpenedState(OpenedState&&) = delete;
  OpenedState& operator=(OpenedState&&) = delete;

  virtual Store& store() = 0;
  virtual Journal& journal() = 0;

  // Ends store and journal as a program does, and opens what they kept. References to them, and
  // sessions, must be gone. Memory keeps nothing, and goes on.
  virtual void reopen() {}
};

struct StateKind {
  const char* name = "";
  std::unique_ptr<OpenedState> (*open)(const OpenOptions& options) = nullptr;
  bool is_kept = false;  // after the end of the process
};

void PrintTo(const StateKind& kind, std::ostream* out);

// A store that is new has a line here.
const std::vector<StateKind>& state_kinds();

// Those whose state is there after the end of the process.
std::vector<StateKind> kept_kinds();

// The kind that COUNTERPART_TEST_STATE names; memory without it. Throws std::runtime_error if there
// is none of that name.
const StateKind& wanted_kind();

}  // namespace mock_server::state::conformance
