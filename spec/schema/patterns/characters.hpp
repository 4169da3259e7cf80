#pragma once

// The parts of a pattern that match one character: escapes and bracketed classes. Used by
// pattern_tree.cpp alone.

#include "spec/schema/patterns/pattern_tree.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace spec::schema::patterns {

// A place in a pattern that is being read. The first failure stays and moves the place to the end,
// so that every reading loop stops by itself. Used only by this folder's sources.
struct Cursor {
  std::string_view text;
  Grammar grammar = Grammar::kTolerant;
  std::size_t at = 0;
  std::optional<SyntaxError> error = std::nullopt;

  bool at_end() const { return at >= text.size(); }

  bool tolerant() const { return grammar == Grammar::kTolerant; }

  // The byte `ahead` of the place; NUL past the end.
  char peek(std::size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }

  // Steps over `token` if it is here.
  bool take(std::string_view token) {
    if (!text.substr(at < text.size() ? at : text.size()).starts_with(token)) {
      return false;
    }
    at += token.size();
    return true;
  }

  void fail(std::size_t offset, std::string message) {
    if (!error) {
      error = SyntaxError{offset, std::move(message)};
    }
    at = text.size();
  }

  // The code point here, stepped over. Precondition: not at the end, the text is UTF-8.
  char32_t next_code_point();
};

// The PCRE2 escape for \p{expression}, or \P{expression} if `negated`; none if ECMAScript has no
// such property. Source: ECMA-262 §22.2.1.9, tables 67 to 69; Unicode PropertyValueAliases.
std::optional<std::string> property_escape(std::string_view expression, bool negated);

// The item of one character.
SetItem single(char32_t character);

// Reads the escape whose backslash has just been read and that stands for characters: \n, \x41,
// \u{1F432}, \d, \p{Letter}, \-. Fails at anything else.
SetItem read_character_escape(Cursor& cursor, bool in_class);

// Reads a class whose "[" has just been read, to its "]".
CharacterSet read_class(Cursor& cursor);

}  // namespace spec::schema::patterns
