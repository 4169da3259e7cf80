#pragma once

// Records made for a request: what fixtures/record_source.hpp says, with the session's seed and
// clock.

#include "mock_server/fixtures/record_source.hpp"
#include "mock_server/service/request/request_context.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string_view>

namespace mock_server::service::responses {

using fixtures::RecordSource;
using request::RequestContext;

// Of the binding's collection.
RecordSource record_source(const RequestContext& context);

fixtures::RecordMaker record_maker(const RequestContext& context);

// The record that the contract's example stands for, with the keys of the request's path: what a
// read sends while nothing was changed. Null if there is none.
nlohmann::json example_record(const RequestContext& context, const RecordSource& source);

// A generated record, else example_record().
nlohmann::json some_record(const RequestContext& context, const RecordSource& source,
                           std::uint64_t seed);

// Adds what `schemas` require and `value` has not, from `example`, also in inner objects.
void add_required(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                  const nlohmann::json& example, nlohmann::json& value, int depth = 0);

// A number for the session's seed and a text: the same for the same two.
std::uint64_t seed_for(const RequestContext& context, std::string_view text);

}  // namespace mock_server::service::responses
