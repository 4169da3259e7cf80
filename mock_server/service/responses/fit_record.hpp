#pragma once

// What a request sends may have another shape than what a record shows: `device: 7` is sent, and
// `device: {id: 7, name: ...}` is shown; a password is sent and never shown.

#include "mock_server/service/responses/record_source.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::responses {

using request::RequestContext;

// Whether the source's schemas allow the record; true where that is undecided.
bool is_fit(const RequestContext& context, const RecordSource& source,
            const nlohmann::json& record);

// Changes the members that the record's schema does not allow, and no others: to a generated value
// that has what was sent as its key, else to a generated one, or takes them away. `before` is the
// record as it was, or null; `seed_text` is for what is generated. Returns JSON pointers of what
// was changed, without writeOnly members.
std::vector<std::string> fit_record(const RequestContext& context, const RecordSource& source,
                                    const nlohmann::json* before, std::string_view seed_text,
                                    nlohmann::json& record);

// Warns that these members are not kept as they were sent.
void warn_of_unfit(RequestContext& context, const std::vector<std::string>& pointers);

}  // namespace mock_server::service::responses
