#pragma once

// Records that requests create: their keys, and the members that the request did not send.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/record_source.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace mock_server::service::responses {

using request::RequestContext;

// The request's body if it is an object, else null.
const nlohmann::json* sent_object(const RequestContext& context);

// The record's own key as the body has it, by the binding's `key` or at the collection's `id`.
std::optional<std::string> key_in_body(const RequestContext& context);

// The record that the request's body makes: what was sent, the key, the parents that the request
// names, defaults, and generated values for what the body cannot say or the contract requires.
// What a record cannot have is changed as fit_record says, with a warning. `before` is the record
// that it replaces: what the body cannot say stays; null if there is none.
nlohmann::json make_record(RequestContext& context, const std::string& own_key,
                           const nlohmann::json* before);

// The next number of the collection in this session; nothing if there is no room.
std::optional<std::uint64_t> take_number(const RequestContext& context);

// Sets the times of the last change (`on_change`) in a record that was `before`, but those that the
// request sets to another time.
void renew_times(const RequestContext& context, const nlohmann::json& before,
                 nlohmann::json& record);

}  // namespace mock_server::service::responses
