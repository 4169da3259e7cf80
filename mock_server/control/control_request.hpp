#pragma once

// A request to an endpoint of the control API. By then the request was routed and
// validated by the control API's document: what it declares is there, decoded, and as it must be.

#include "mock_server/api/error_table.hpp"
#include "mock_server/api/loaded_api.hpp"
#include "mock_server/journal/journal_coverage.hpp"
#include "mock_server/journal/metrics.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/session_store.hpp"
#include "mock_server/upstream/gateway.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

// Of --fixtures and --edit-fixtures.
struct FixtureEditing {
  bool has_folder = false;  // a folder is given: the last one
  bool may_edit = false;
  std::function<void()> reload;  // asks for one; may be empty
};

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
  FixtureEditing fixtures;
  // The real service, which must outlive this; null: none can be set.
  upstream::Upstream* upstream = nullptr;
};

// The parts that the control API acts on: loaded API, state, and settings of the program.
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

// Error responses of the control API: the service's error shape, with every problem. Statuses and
// codes are the defaults, whatever fixtures declare.

// {"code": ..., "message": the problem}; of several: {"code": ..., "message": how many, "problems":
// [each]}. No problem is in the body twice.
spec::http::Response reject(api::ErrorKind kind, std::vector<std::string> problems);
spec::http::Response reject(api::ErrorKind kind, std::string_view problem);

// The rejection of a request that violates the contract of the control API: 415, 400 or 422, as the
// service chooses them. `others` are problems that the contract cannot express.
spec::http::Response reject(const std::vector<spec::contract::Violation>& violations,
                            std::vector<std::string> others);

struct ControlRequest {
  const ControlContext& context;
  const spec::http::Request& http;
  const spec::contract::Operation& operation;
  spec::contract::RequestReading reading;
  std::vector<std::string> arguments;  // the path's values, decoded, in the template's order
  std::string argument;                // the last of them; "" when there is none

  // The decoded query parameter; a null pointer when it was not given.
  const nlohmann::json* query(std::string_view name) const;
};

// 422 for a body; `problem` names the place and the rule.
spec::http::Response reject_body(std::string_view problem);
// 404 that lists what there is: `what` is "session", "scenario" and so on.
spec::http::Response unknown(std::string_view what, std::string_view name,
                             const std::vector<std::string>& there_are);
// 404 for a session, with the names of those that there are.
spec::http::Response unknown_session(const ControlRequest& request, std::string_view name);
// 409: it is there already, or was changed by others again and again.
spec::http::Response conflict(std::string_view problem);
// 507: the sessions have no room for it.
spec::http::Response no_room();

// `change` reads a cell, tries to change it and says what became of that.
template <typename Change>
state::Put insist(Change change) {
  state::Put put = state::Put::kStale;
  while (put == state::Put::kStale) {
    put = change();
  }
  return put;
}

// Makes `text` the session's cell, whatever it was before; without a text it goes.
state::Put set_cell(state::Session& session, std::string_view key,
                    const std::optional<std::string>& text);

}  // namespace mock_server::control
