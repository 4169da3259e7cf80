#pragma once

// Changes of one value in a text that people wrote. What is not changed stays as it is, byte by
// byte: comments, order, quotes. What cannot be changed so is an error with its place, never a
// loss.

#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::api::loading {

// A text with the member `key` of its object as `value`, or without it where there is no value.
// With an empty `key` the whole text is the value. `name` is the file, for places. The error says
// why it cannot be changed.
spec::Result<std::string, std::string> edit_yaml(std::string_view text, std::string_view name,
                                                 std::string_view key,
                                                 const std::optional<nlohmann::json>& value);

// The same for JSON. What is new is indented as the rest of the text.
spec::Result<std::string, std::string> edit_json(std::string_view text, std::string_view name,
                                                 std::string_view key,
                                                 const std::optional<nlohmann::json>& value);

// The value of a text with that change: of its value `before`.
nlohmann::json changed_value(const nlohmann::json& before, std::string_view key,
                             const std::optional<nlohmann::json>& value);

}  // namespace mock_server::api::loading
