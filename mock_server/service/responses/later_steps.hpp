#pragma once

// Values that actions set, and what happens to a record by itself afterwards, with the session's
// clock: kept as patches with their times, and applied by whoever reads the record.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace mock_server::service::responses {

// Sets each value; times in the form that the contract shows. A member that null clears is null
// where the contract shows it as null, else it is taken away.
void apply_settings(const RequestContext& context, const std::vector<api::Setting>& settings,
                    state::TimePoint now, nlohmann::json& record);

// Keeps the steps that the binding starts for the record, and drops those of before where it, or
// the request that stored `value`, overtakes them.
void note_steps(const RequestContext& context, const FoundRecord& found,
                const nlohmann::json& value);

// The response with the seconds until the next step in a declared Retry-After.
ChosenResponse with_retry_after(const RequestContext& context, const FoundRecord& found,
                                ChosenResponse chosen);

}  // namespace mock_server::service::responses
