#pragma once

// The parts of a pattern that stand for one character: escapes and bracketed classes. Used only by
// this folder's sources.

#include "spec/schema/patterns/cursor.hpp"

#include <string>

namespace spec::schema::patterns {

// A character, or a set of characters written as it may stand between PCRE2's brackets.
struct CharacterSet {
  bool single = true;
  char32_t character = 0;
  std::string items;
};

// Reads the escape whose backslash has just been read and that stands for characters: \n, \x41,
// \u{1F432}, \d, \p{Letter}, \-. Fails at anything else.
CharacterSet read_character_escape(Cursor& cursor, bool in_class);

// Reads a class whose "[" has just been read, to its "]"; appends it to `out` as PCRE2 has it.
void read_class(Cursor& cursor, std::string& out);

// Appends one character outside a class, so that it means itself.
void append_literal(std::string& out, char32_t character);

// Appends a set outside a class.
void append_set(std::string& out, const CharacterSet& set);

}  // namespace spec::schema::patterns
