#pragma once

// The names that are between the braces of \p{...} in ECMAScript, as PCRE2 spells them.
// Pure functions, safe from any thread.

#include <optional>
#include <string>
#include <string_view>

namespace spec::schema::patterns {

// The PCRE2 escape for \p{expression}, or \P{expression} when `negated`; nothing if ECMAScript has
// no such property. Source: ECMA-262 §22.2.1.9, tables 67 to 69; Unicode PropertyValueAliases.
std::optional<std::string> property_escape(std::string_view expression, bool negated);

}  // namespace spec::schema::patterns
