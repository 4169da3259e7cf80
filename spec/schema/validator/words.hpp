#pragma once

// Values and counts in the words of violations. Pure functions. Used only by this folder.

#include "spec/schema/keyword.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::validator {

// The value as JSON, cut at 60 characters; the cost is bounded by that too.
std::string short_text(const nlohmann::json& value);

// `text` as a JSON string, cut the same way.
std::string in_quotes(std::string_view text);

// `text` between quotes without escapes, for patterns, which have enough of their own.
std::string in_plain_quotes(std::string_view text);

using text::counted;

// "a string or null".
std::string type_words(TypeSet types);

// `"a"`, `one of "a" or "b"`; cut at 60 characters, with the number of them.
std::string choice(const std::vector<nlohmann::json>& values);

}  // namespace spec::schema::validator
