#pragma once

// Values of members of a record that is new, by their names: nothing has happened to it yet. Pure
// functions.

#include "spec/time/instant.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string_view>

namespace spec::schema::generate {

// The member of a record that is made `now`, where `made` is one of any record: no mark, no count,
// an empty list, a time that is now or later. Nothing where the name does not tell.
std::optional<nlohmann::json> new_value(std::string_view name, const nlohmann::json& made,
                                        const time::Instant& now);

// True for a time at which the record came to be: "created_at", "uploadedAt", "sent_on".
bool is_time_of_beginning(std::string_view name);

// True for a time of what happened last: "last_login_at".
bool is_time_of_last(std::string_view name, const nlohmann::json& made);

}  // namespace spec::schema::generate
