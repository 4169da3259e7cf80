#pragma once

// JSON pointers (RFC 6901): text to tokens and back, and look-up in values.
// Pure functions, safe from any thread.

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spec::json {

// Appends "/" and `token` with "~" and "/" escaped. Source: RFC 6901 §3.
void append_token(std::string& pointer, std::string_view token);
void append_token(std::string& pointer, std::size_t index);

// "/a/b" for the tokens a and b; "" for none.
std::string pointer_of(const std::vector<std::string>& tokens);

// The tokens of `pointer`, unescaped; none if it is neither empty nor starts with "/", or has a "~"
// that is followed by neither 0 nor 1.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer);

// The array index that `token` spells: decimal, no sign, no leading zero. Source: RFC 6901 §4.
std::optional<std::size_t> array_index(std::string_view token);

// The value at `pointer`; null pointer if there is none or the pointer is malformed. An array index
// has no leading zero. Source: RFC 6901 §4.
const nlohmann::json* find(const nlohmann::json& value, std::string_view pointer);
nlohmann::json* find(nlohmann::json& value, std::string_view pointer);

// The value under the tokens, which are unescaped; null pointer if there is none.
const nlohmann::json* find(const nlohmann::json& value, std::span<const std::string> tokens);
nlohmann::json* find(nlohmann::json& value, std::span<const std::string> tokens);

// Erases the member at `pointer` from its object; does nothing if there is no such member.
void erase_member(nlohmann::json& value, std::string_view pointer);

// The text at `pointer`; "" if there is none.
std::string_view text_at(const nlohmann::json& value, std::string_view pointer);

}  // namespace spec::json
