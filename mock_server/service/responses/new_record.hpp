#pragma once

// Records that requests create: their keys, and the members that the request did not send.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::responses {

using request::RequestContext;

// True if the source's schemas allow the record; true if that is undecided.
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

// The request's body if it is an object, else null.
const nlohmann::json* sent_object(const RequestContext& context);

// The record's own key as the body has it, by the binding's `key` or at the collection's `id`.
std::optional<std::string> key_in_body(const RequestContext& context);

// The record that the request's body makes: what was sent, the key, the parents that the request
// names, defaults, and generated values for what the body cannot say or the contract requires.
// Changes members that a record cannot have, as fit_record does, with a warning. `before` is the
// record that it replaces: members that the body cannot set stay; null if there is none.
nlohmann::json make_record(RequestContext& context, const std::string& own_key,
                           const nlohmann::json* before);

// The next number of the collection in this session; nothing if there is no room.
std::optional<std::uint64_t> take_number(const RequestContext& context);

// Sets the times of the last change (`on_change`) in a record that was `before`, but those that the
// request sets to another time.
void renew_times(const RequestContext& context, const nlohmann::json& before,
                 nlohmann::json& record);

}  // namespace mock_server::service::responses
