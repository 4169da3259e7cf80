#pragma once

// The endpoints of the control API that show the journal, and the coverage that is counted from it.

#include "mock_server/control/journal/journal_query.hpp"
#include "mock_server/control/request/control_request.hpp"
#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace mock_server::control::endpoints {

using journal::JournalQuery;
using request::ControlRequest;

// {"noted": n, "kept": n, "lost": n} of a session.
nlohmann::json window_of(const state::Journal& journal, std::uint64_t session);

// What is asked of the journal: of which session, and what is looked for.
struct Asked {
  std::uint64_t serial = 0;
  std::string session;
  JournalQuery query;
};

// The query about the session that `parameters` name, or else the request's own. The rejection,
// with what there is, if there is no such session, or if the contract lacks the operation: else a
// misspelt one would be counted as never called.
spec::Result<Asked, spec::http::Response> asked_of(const ControlRequest& request,
                                                   const nlohmann::json& parameters,
                                                   JournalQuery query);
// The same of all sessions.
std::optional<spec::http::Response> reject_query(const ControlRequest& request,
                                                 const JournalQuery& query);

// Deletes the entries of the request's session.
void clear_journal(const ControlRequest& request);

spec::http::Response list_requests(const ControlRequest& request);
spec::http::Response clear_requests(const ControlRequest& request);
spec::http::Response show_request(const ControlRequest& request);
// As HAR 1.2, or as JSON lines.
spec::http::Response export_requests(const ControlRequest& request);

// {"seen", "points", "percent", "operations"}, of all sessions since the start; later, while it is
// being counted.
reply::Reply show_coverage(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
