#pragma once

// Lists in a request's body that records show otherwise: in a page around them, of objects that say
// more than what was sent.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace mock_server::service::responses {

// Gives the record such lists as its schemas have them: what was sent of each element, the record
// that it names by its key, and generated members that it must have. Elements with the `id` of one
// that the record had `before` (null if there was none) change that one.
void shape_sent_lists(const RequestContext& context, const RecordSource& source,
                      const std::string& own_key, const nlohmann::json* before,
                      nlohmann::json& record);

// A value that is shown whole where its key was sent: the record of that key, else `shown` with
// that key. `shown` for any other.
nlohmann::json shown_for_key(const RequestContext& context, const spec::schema::Schemas& schemas,
                             const nlohmann::json& shown, const nlohmann::json& sent);

}  // namespace mock_server::service::responses
