#pragma once

// What a new record takes from the records to which it refers, and the totals of what is in it.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json_fwd.hpp>

namespace mock_server::service::responses {

// Adds members that repeat those of records that the session has: of the product of `product_id`.
void add_repeated(const RequestContext& context, const RecordSource& source,
                  nlohmann::json& record);

// Makes totals the sum over the list with prices and quantities, but for those in `sent`.
void add_up_sent(const RequestContext& context, const RecordSource& source,
                 const nlohmann::json* sent, nlohmann::json& record);

}  // namespace mock_server::service::responses
