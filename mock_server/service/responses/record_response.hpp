#pragma once

// Responses that show records of a collection: the record or the page at its place, and around it
// what the contract requires besides. Each is validated; members that the response does not have
// are left out, required ones that the record lacks are generated.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::responses {

// A body, and the headers that say more of it: where a created record is read, which pages there
// are.
struct ShownBody {
  int status = 200;
  nlohmann::json body;
  spec::http::Headers headers{};
  std::vector<std::string> left_out{};  // declared headers that would say something untrue
};

// Nothing when the response would violate the contract; `context.response_violations` says how.
std::optional<ChosenResponse> show_body(RequestContext& context, ShownBody shown);

// `record` at the place that the binding names. Where the binding shows the contract's example
// instead, that has the values of the record in the members that both have.
std::optional<ChosenResponse> show_whole_record(RequestContext& context,
                                                const nlohmann::json& record, int status,
                                                std::string location = {});

// `record` as the operation's response; nothing as above.
std::optional<ChosenResponse> show_record(RequestContext& context, const nlohmann::json& record);

// Sets the members of the example that the record has, too: of an object, those that both have, for
// it may be another object of that name.
void set_shared_members(nlohmann::json& example, const nlohmann::json& record);

// A violation of `record`, to be stored in place of `found`, that `found` does not have, and
// that the response of that status does not show: one that does is validated. "" for
// nothing.
std::string unshown_problem(const RequestContext& context, const FoundRecord& found,
                            const nlohmann::json& record, int status);

// True if it says that nothing was done: then nothing may be changed. Source: RFC 9110 §15.5.
bool is_rejection(const ChosenResponse& chosen);

// The declared success status that says "created", or the first one.
int created_status(const spec::contract::Operation& operation);
// The status of a success that creates nothing.
int changed_status(const spec::contract::Operation& operation);

// The response that replaces one that cannot be made: the error, 501 for a change in an inferred
// collection; a read of one is the contract's example, with a warning.
ChosenResponse not_shown(RequestContext& context, std::string_view why);

}  // namespace mock_server::service::responses
