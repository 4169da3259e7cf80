#pragma once

// What a new record takes from the records to which it refers, and the totals of what is in it.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <vector>

namespace mock_server::service::responses {

// Adds members that repeat those of records that the session has: of the product of `product_id`.
void add_repeated(const RequestContext& context, const RecordSource& source,
                  nlohmann::json& record);

// Makes totals the sum over the list with prices and quantities, but for those in `sent`.
void add_up_sent(const RequestContext& context, const RecordSource& source,
                 const nlohmann::json* sent, nlohmann::json& record);

// The first object with members among the shapes of the schemas, behind its references; none
// if there is none.
std::optional<spec::schema::SchemaId> first_object(const RequestContext& context,
                                                   const spec::schema::Schemas& schemas);

// The collections whose records are the first object among the shapes of the schemas: of "the key
// of a customer, or the customer" those of customers. Empty if there are none.
std::vector<const api::Collection*> collections_showing(const RequestContext& context,
                                                        const spec::schema::Schemas& schemas);

// The record with that key in the first of the collections that has one; null if none has.
api::SharedValue record_in(const RequestContext& context,
                           const std::vector<const api::Collection*>& collections,
                           const nlohmann::json& key);

}  // namespace mock_server::service::responses
