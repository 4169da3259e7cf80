#pragma once

// The control API under /_mock/: inspects and changes the mock itself. JSON in and out, in the
// service's error shape; acts on one session. Routed and validated by its own contract (api.hpp).
// Only callers on this machine may use it, unless a control token is set, which then every caller
// must send.

#include "mock_server/control/api.hpp"
#include "mock_server/control/coverage.hpp"
#include "mock_server/fixtures/loading/loaded_api.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/metrics.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/store.hpp"
#include "mock_server/upstream/upstream.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control {

// Adds the parts of transport and log to the health report.
using HealthSource = std::function<nlohmann::json()>;

struct Settings {
  std::string token;  // "" means callers on this machine only
  std::string version;
  std::uint64_t seed = 0;       // of sessions that have none of their own
  HealthSource more_health;     // may be empty
  std::string scheme = "http";  // what requests come by; "https" with a certificate
  bool is_open = false;         // every caller may call, without a token
  bool names_tokens = false;    // --token is given
  // Why requests should not be sent here now ("draining"); may be empty, as may what it gives.
  std::function<std::vector<std::string>()> not_ready;
  // --rate-limit: instead of those of the fixtures.
  std::optional<state::RateLimit> rate_limit;
  upstream::Upstream* upstream = nullptr;  // the real service; null: none can be set
};

struct ControlContext {
  const Api& control_api;
  const fixtures::LoadedApi& api;
  state::Store& store;
  state::Journal& journal;
  const state::Metrics& metrics;
  CoverageCount& coverage;
  state::Session& session;
  const Settings& settings;
  bool from_this_machine = true;
};

// The text that every path of the control API starts with.
inline constexpr std::string_view kPrefix = "/_mock";

// The index; also at "/" where the contract has no operation there.
inline constexpr std::string_view kIndexPath = "/_mock/";

// True for "/_mock" and everything below it. `path` is without a session's prefix.
bool is_control_path(std::string_view path);

// Precondition: is_control_path(path), or "/" for the index; `path` is still encoded.
reply::Reply answer(const ControlContext& context, const spec::http::Request& request,
                    std::string_view path);

}  // namespace mock_server::control
