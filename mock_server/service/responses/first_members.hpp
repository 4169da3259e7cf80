#pragma once

// What members of a new record have where nothing says it: their default, a first state, or what
// there is before anything happened.

#include "mock_server/service/request/request_context.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::service::responses {

using request::RequestContext;

std::optional<nlohmann::json> default_of(const RequestContext& context,
                                         const spec::schema::Schemas& schemas);

// True for "deletedAt", "archived_on", "last_login": a new record has no such time yet. `made`: a
// generated one.
bool is_time_of_end(const spec::schema::Summary& summary, std::string_view name,
                    const nlohmann::json& made);

// True for a mark, a count of nothing, and an empty list.
bool is_blank(const nlohmann::json& value);

// Gives members of the generated example, also those of inner objects, the value of a new record:
// of other records in it the states alone.
void start_members(const RequestContext& context, const spec::schema::Schemas& schemas,
                   nlohmann::json& example);

}  // namespace mock_server::service::responses
