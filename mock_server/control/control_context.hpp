#pragma once

// The parts that the control API acts on: loaded API, state, and settings of the program.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/journal/journal_coverage.hpp"
#include "mock_server/journal/metrics.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/session_store.hpp"
#include "mock_server/upstream/gateway.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control {

// The control API's own contract: the OpenAPI document of spec/control.openapi.yaml, which is part
// of the program, so that the program and its description cannot drift apart. Loaded when it is
// first asked for: a mock that is never controlled pays nothing. Safe from any thread.

class Api {
 public:
  // Throws spec::LoadError when the document is no contract; a test sees to it that it is one.
  const spec::contract::Contract& contract() const;
  // The document as it is written.
  static std::string_view text();

 private:
  mutable std::once_flag loaded_;
  mutable std::optional<spec::contract::Contract> contract_;
};

// Adds the parts of transport and log to the health report.
using HealthSource = std::function<nlohmann::json()>;

struct Settings {
  std::string token;  // "" means callers on this machine only
  std::string host;   // of --host: a name by which they may call, besides those of every machine
  std::string version;
  std::uint64_t seed = 0;       // of generated examples, in sessions that have none of their own
  HealthSource more_health;     // may be empty
  std::string scheme = "http";  // what requests come by; "https" with a certificate
  bool is_open = false;         // every caller may call, without a token
  bool names_tokens = false;    // --token is given
  // Why requests should not be sent here now ("draining"); may be empty, as may what it gives.
  std::function<std::vector<std::string>()> not_ready;
  // --rate-limit: for each operation and caller, instead of those of the fixtures.
  std::optional<state::RateLimit> rate_limit;
  // The real service, which must outlive this; null: none can be set.
  upstream::Upstream* upstream = nullptr;
};

struct ControlContext {
  const Api& control_api;
  const api::LoadedApi& api;
  state::Store& store;
  state::Journal& journal;
  const journal::Metrics& metrics;
  journal::CoverageCount& coverage;
  state::Session& session;
  const Settings& settings;
  bool from_this_machine = true;
};

}  // namespace mock_server::control
