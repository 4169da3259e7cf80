#pragma once

// The parts of a pattern that stand for one character: escapes and bracketed classes. Used by
// parse.cpp alone.

#include "spec/schema/patterns/cursor.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::schema::patterns {

// The PCRE2 escape for \p{expression}, or \P{expression} when `negated`; nothing if ECMAScript has
// no such property. Source: ECMA-262 §22.2.1.9, tables 67 to 69; Unicode PropertyValueAliases.
std::optional<std::string> property_escape(std::string_view expression, bool negated);

// The item of one character.
SetItem single(char32_t character);

// Reads the escape whose backslash has just been read and that stands for characters: \n, \x41,
// \u{1F432}, \d, \p{Letter}, \-. Fails at anything else.
SetItem read_character_escape(Cursor& cursor, bool in_class);

// Reads a class whose "[" has just been read, to its "]".
CharacterSet read_class(Cursor& cursor);

}  // namespace spec::schema::patterns
