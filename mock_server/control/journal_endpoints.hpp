#pragma once

// The endpoints of the control API that show the journal.

#include "mock_server/control/control_request.hpp"
#include "mock_server/control/journal_query.hpp"
#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace mock_server::control {

// {"noted": n, "kept": n, "lost": n} of a session.
nlohmann::json window_of(const state::Journal& journal, std::uint64_t session);

struct SessionId {
  std::uint64_t serial = 0;
  std::string name;
};

// The session that a request names, or the rejection, which lists what there is.
spec::Result<SessionId, spec::http::Response> session_of(const ControlRequest& request,
                                                         const std::string& name);

// Why the query cannot be asked: it names an operation that the contract lacks. Else a misspelt one
// would be counted as never called.
std::optional<spec::http::Response> reject_query(const ControlRequest& request,
                                                 const JournalQuery& query);

// Deletes the entries of the request's session.
void clear_journal(const ControlRequest& request);

spec::http::Response list_requests(const ControlRequest& request);
spec::http::Response clear_requests(const ControlRequest& request);
spec::http::Response show_request(const ControlRequest& request);
// As HAR 1.2, or as JSON lines.
spec::http::Response export_requests(const ControlRequest& request);

}  // namespace mock_server::control
