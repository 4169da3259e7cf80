#pragma once

// The endpoints of the control API: functions from a request, which is validated, to a response.
// routes.cpp leads to them; control.openapi.yaml says what each does. What may promise its response
// for later returns a Reply.

#include "mock_server/control/control_request.hpp"
#include "mock_server/journal/journal_query.hpp"
#include "spec/http/message.hpp"
#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control {

spec::http::Response show_health(const ControlRequest& request);
// 200 as long as the program runs.
spec::http::Response show_liveness(const ControlRequest& request);
// 200 when requests may be sent here, 503 with the reasons when they better go elsewhere.
spec::http::Response show_readiness(const ControlRequest& request);
// Prometheus's text form.
spec::http::Response show_metrics(const ControlRequest& request);
spec::http::Response show_operations(const ControlRequest& request);
spec::http::Response show_assumptions(const ControlRequest& request);
spec::http::Response show_contract(const ControlRequest& request);
spec::http::Response show_control_contract(const ControlRequest& request);
spec::http::Response show_control_text(const ControlRequest& request);
spec::http::Response list_schemas(const ControlRequest& request);
spec::http::Response show_schema(const ControlRequest& request);

// Records, clock, rates and journal of the session, as at the start.
spec::http::Response reset_session(const ControlRequest& request);

spec::http::Response list_sessions(const ControlRequest& request);
spec::http::Response show_session(const ControlRequest& request);
// Body {"name": NEW, "from": NAME}: a new session with what another has; "from" left out, the
// session of the request. 409 when there is one of that name.
spec::http::Response fork_session(const ControlRequest& request);
spec::http::Response delete_session(const ControlRequest& request);

// Copies of the request's session by name; taking one again replaces it.
spec::http::Response list_snapshots(const ControlRequest& request);
spec::http::Response take_snapshot(const ControlRequest& request);
spec::http::Response restore_snapshot(const ControlRequest& request);
spec::http::Response drop_snapshot(const ControlRequest& request);

spec::http::Response show_clock(const ControlRequest& request);
// Body {"now": INSTANT, "frozen": BOOLEAN}: either may be left out, not both.
spec::http::Response set_clock(const ControlRequest& request);
// Body {"seconds": NUMBER}: on, or back when negative.
spec::http::Response advance_clock(const ControlRequest& request);
// The machine's time again.
spec::http::Response reset_clock(const ControlRequest& request);

// The seed of everything that is made up in the session: samples, and what happens by chance.
spec::http::Response show_seed(const ControlRequest& request);
// Body {"seed": NUMBER}.
spec::http::Response set_seed(const ControlRequest& request);
spec::http::Response reset_seed(const ControlRequest& request);

spec::http::Response show_upstream(const ControlRequest& request);
// Body {"mode": "observe" | "record" | "fill" | "mock", "fill_on": LIST}. The URL is that of
// --upstream: who may call the control API does not choose where the mock sends requests.
spec::http::Response set_upstream(const ControlRequest& request);
// The program's settings again.
spec::http::Response reset_upstream(const ControlRequest& request);

// The collection that the path names, or null; and the rejection of one that is not there.
const api::Collection* find_collection(const ControlRequest& request);
spec::http::Response unknown_collection(const ControlRequest& request);

spec::http::Response list_collections(const ControlRequest& request);
spec::http::Response list_records(const ControlRequest& request, const api::Collection& collection);
// Every record of the collection; kept whole when there is no room to note that.
spec::http::Response remove_records(const ControlRequest& request,
                                    const api::Collection& collection);
// The collection, and one record of it, as the fixtures have it.
spec::http::Response reset_records(const ControlRequest& request,
                                   const api::Collection& collection);
spec::http::Response reset_record(const ControlRequest& request, const api::Collection& collection);

spec::http::Response show_record(const ControlRequest& request, const api::Collection& collection);
// 201 when there was none of that key.
spec::http::Response put_record(const ControlRequest& request, const api::Collection& collection);
// The body is a merge patch (RFC 7396).
spec::http::Response patch_record(const ControlRequest& request, const api::Collection& collection);
spec::http::Response remove_record(const ControlRequest& request,
                                   const api::Collection& collection);

// Body {"collection", "key", "scenario", "as_scenario", "write", "tag"}: what the session changed,
// as a change of the last fixtures folder; written with "write" alone.
spec::http::Response save_fixtures(const ControlRequest& request);

// The session's scenario that the path names, or null; and the rejection of one that is not there.
std::shared_ptr<const api::Scenario> find_scenario(const ControlRequest& request);
spec::http::Response unknown_scenario(const ControlRequest& request);

spec::http::Response list_scenarios(const ControlRequest& request);
spec::http::Response show_scenario(const ControlRequest& request, const api::Scenario& scenario);
// From its first step on, whether it was armed or not. Arming and disarming with "session=*" does
// it in every session and in those made later.
spec::http::Response arm_scenario(const ControlRequest& request, const api::Scenario& scenario);
// The body is a scenario file's content: validated, kept for the session, and armed. One of that
// name in the fixtures is hidden until it is deleted.
spec::http::Response put_scenario(const ControlRequest& request);
// The same for the scenario of that name whose file would hold `body`; the rejection, or nothing
// when it is kept and armed. What is likely a mistake in it is added to `warnings`.
std::optional<spec::http::Response> keep_own_scenario(const ControlRequest& request,
                                                      std::string_view scenario,
                                                      const nlohmann::json& body,
                                                      std::vector<std::string>& warnings);
// Disarms and forgets the session's own.
void drop_own_scenario(state::Session& session, std::string_view scenario);
// Not armed; the session's own is still there to be armed again.
spec::http::Response reset_scenario(const ControlRequest& request, const api::Scenario& scenario);
// Every rule, or the one that `rule` in the query counts from 0, goes to its next step. 409 when
// the scenario is not armed.
spec::http::Response advance_scenario(const ControlRequest& request, const api::Scenario& scenario);
// The session's own is forgotten as well.
spec::http::Response disarm_scenario(const ControlRequest& request, const api::Scenario& scenario);
// None is armed any more.
spec::http::Response disarm_all(const ControlRequest& request);

spec::http::Response list_faults(const ControlRequest& request);
spec::http::Response put_faults(const ControlRequest& request);
spec::http::Response drop_faults(const ControlRequest& request);

using journal::JournalQuery;

// {"noted": n, "kept": n, "lost": n} of a session.
nlohmann::json window_of(const state::Journal& journal, std::uint64_t session);

// A session and a query of its journal.
struct JournalRequest {
  std::uint64_t serial = 0;
  std::string session;
  JournalQuery query;
};

// The query about the session that `parameters` name, or else the request's own. The rejection,
// with what there is, if there is no such session, or if the contract lacks the operation: else a
// misspelt one would be counted as never called.
spec::Result<JournalRequest, spec::http::Response> journal_request_of(
    const ControlRequest& request, const nlohmann::json& parameters, JournalQuery query);
// The same of all sessions.
std::optional<spec::http::Response> reject_query(const ControlRequest& request,
                                                 const JournalQuery& query);

// Deletes the entries of the request's session.
void clear_journal(const ControlRequest& request);

spec::http::Response list_requests(const ControlRequest& request);
spec::http::Response clear_requests(const ControlRequest& request);
spec::http::Response show_request(const ControlRequest& request);
// Exports the journal as HAR 1.2 or as JSON lines.
spec::http::Response export_requests(const ControlRequest& request);

// {"seen", "points", "percent", "operations"}, of all sessions since the start; later, while it is
// being counted.
reply::Reply show_coverage(const ControlRequest& request);

// A stream of server-sent events; event_stream.hpp makes them.
reply::Reply stream_events(const ControlRequest& request);

// The streams of items that the session's clients have open.
spec::http::Response list_streams(const ControlRequest& request);
// The body is an item, or several, for those of the operation that the path names; validated as a
// response of it.
spec::http::Response push_items(const ControlRequest& request);
spec::http::Response end_streams(const ControlRequest& request);

// 200 with the verdict "pass"; 409 with "fail" or "inconclusive" and near misses. With `timeout_ms`
// it gives the requests so long to come.
reply::Reply verify_requests(const ControlRequest& request);

// 200 once `count` requests match; 409 when they did not in time, or when it is unknown.
reply::Reply wait_for_requests(const ControlRequest& request);

}  // namespace mock_server::control
