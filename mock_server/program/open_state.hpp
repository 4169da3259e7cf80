#pragma once

// Opens the store of sessions and the journal, as --state says: in memory, in a file behind it, or
// shared by several mocks.

#include "mock_server/program/program_options.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/disk/disk_state.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/session_store.hpp"
#include "mock_server/state/shared/redis.hpp"
#include "mock_server/transport/listener.hpp"
#include "spec/contract/contract.hpp"
#include "spec/non_copyable.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace mock_server::program {

// The mark by which kept state knows its contract. Reads the contract's files again; a file that
// cannot be read counts as empty.
state::ContractMark mark_of(const spec::contract::Contract& contract);

struct OpenState {
  std::unique_ptr<state::disk::DiskState> disk;  // null: no file
  std::unique_ptr<state::shared::Redis> redis;   // null: not shared
  std::unique_ptr<state::Journal> journal;
  std::unique_ptr<state::Store> store;  // uses the others

  // True if state of an earlier start, or of other mocks, is there.
  bool is_kept() const { return disk != nullptr || redis != nullptr; }
};

// Kept state is that of one contract. Throws spec::LoadError.
OpenState open_state(const Options& options, const spec::contract::Contract& contract);

// Arms the scenarios for all sessions, and in a default session without changes.
void arm_for_all(const std::vector<std::string>& scenarios, const OpenState& state);

// True if a request needs no state: probes, metrics, and what is loaded.
bool needs_no_state(const spec::http::Request& request);

// Gives requests that need shared state to threads that may wait for it; loops never do.
void let_wait(const OpenState& state, transport::ListenerOptions& options);
// The service, as the place of state needs it.
reply::Handler with_state(const OpenState& state, reply::Handler service);

// {"state": {"kind", "status", "problem"}}; and "status": "degraded" while it cannot be used.
nlohmann::json health_of(const OpenState& state);

// Writes the last of it before the loops end to which it reports.
class StateEnd : spec::NonCopyable {
 public:
  explicit StateEnd(const OpenState& state) : state_(state) {}

  ~StateEnd();

 private:
  const OpenState& state_;
};

}  // namespace mock_server::program
