#pragma once

// Members that a request asks to see whole, "expand[]=customer": references become the records that
// they name.

#include "mock_server/service/request/request_context.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

// True for a parameter of the query, by its plain name, that lists such members.
bool asks_to_expand(std::string_view plain);

// The places that the request lists, "data.customer", in its query, or in the body's `expand`,
// which is taken out of it, as it is no part of a record. Unless records have such a member.
std::vector<std::string> take_expansions(RequestContext& context);

// Shows the records that the members of a response refer to, where the contract declares them as a
// key or the record of a collection. Warns of places where that cannot be.
void expand_members(RequestContext& context, const std::vector<std::string>& places,
                    ChosenResponse& chosen);

}  // namespace mock_server::service::responses
