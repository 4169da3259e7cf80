#pragma once

// Where sessions and journal are, as --state says: in memory, or shared by several mocks.

#include "mock_server/program/options.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/shared/redis.hpp"
#include "mock_server/state/store.hpp"
#include "mock_server/transport/listener.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace mock_server::program {

struct OpenState {
  std::unique_ptr<state::shared::Redis> redis;  // null: in memory
  std::unique_ptr<state::Journal> journal;
  std::unique_ptr<state::Store> store;  // uses both

  // Why it cannot be used now; "" when it can.
  std::string problem() const { return redis ? redis->problem() : ""; }
};

// `contract` tells the data of different contracts apart. Throws spec::LoadError.
OpenState open_state(const Options& options, const std::string& contract);

// Arms the scenarios for all sessions, and in the default session. Shared state keeps what it has.
void arm_for_all(const std::vector<std::string>& scenarios, const OpenState& state);

// Whether a request needs no state: probes, metrics, and what is loaded.
bool needs_no_state(const spec::http::Request& request);

// Gives requests that need shared state to workers, which wait for it; loops never do.
void use_workers(const OpenState& state, transport::ListenerOptions& options);
reply::Handler on_workers(const OpenState& state, reply::Handler handler);

// {"state": {"kind", "status", "problem"}}; and "status": "degraded" while it cannot be used.
nlohmann::json health_of(const OpenState& state);

}  // namespace mock_server::program
