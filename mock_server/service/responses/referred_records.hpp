#pragma once

// What a new record takes from the records to which it refers, and the totals of what is in it.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::responses {

// Adds members that repeat those of records that the session has: of the product of `product_id`.
void add_repeated(const RequestContext& context, const RecordSource& source,
                  nlohmann::json& record);

// Makes totals the sum over the list with prices and quantities, but for those in `sent`.
void add_up_sent(const RequestContext& context, const RecordSource& source,
                 const nlohmann::json* sent, nlohmann::json& record);

// Makes members of a record that was generated with that text name and show records that the
// session has.
void refer_record(const RequestContext& context, const RecordSource& source,
                  std::string_view seed_text, nlohmann::json& record);

// Makes members of a generated JSON body name records that collections start with.
void refer_body(const RequestContext& context, const spec::schema::Schemas& schemas,
                std::string& body);

// The record with that key in the first of the collections that has one; null if none has.
api::SharedValue record_in(const RequestContext& context,
                           const std::vector<const api::Collection*>& collections,
                           const nlohmann::json& key);

}  // namespace mock_server::service::responses
