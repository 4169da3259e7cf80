#pragma once

// Patterns as JSON Schema has them, ECMAScript regular expressions with the "u" flag (JSON Schema
// 2020-12 Core §6.4), turned into PCRE2 patterns of the same meaning. What has none is an error
// with its place, never a pattern that means something else. Used when a schema is compiled, and by
// the `regex` format. Pure functions, safe from any thread.

#include "spec/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spec::schema::patterns {

// What is wrong with a pattern; `offset` counts its bytes from 0.
struct SyntaxError {
  std::size_t offset = 0;
  std::string message;
};

// kUnicode: the grammar of the "u" flag, to the letter (ECMA-262 §22.2.1).
// kTolerant: also what the web's old grammar gives one clear meaning and people write in schemas:
// escaped punctuation (`\-`), a literal `{`, `}` or `]`, a class escape beside a hyphen (`[\w-.]`).
// Source: ECMA-262 §B.1.2.
enum class Grammar : std::uint8_t { kUnicode, kTolerant };

// The PCRE2 pattern (for PCRE2_UTF, PCRE2_DOLLAR_ENDONLY, PCRE2_MATCH_UNSET_BACKREF; not PCRE2_UCP)
// that finds what `pattern` finds. `pattern` is UTF-8. A lookbehind of variable length is
// translated all the same: PCRE2 refuses it.
Result<std::string, SyntaxError> translate(std::string_view pattern,
                                           Grammar grammar = Grammar::kTolerant);

}  // namespace spec::schema::patterns
