#pragma once

// A pattern of JSON Schema as a tree: an ECMAScript regular expression with the "u" flag (JSON
// Schema 2020-12 Core §6.4). parse() makes it; pcre2_text() and the generator of matching texts
// read it. Pure functions, safe from any thread.

#include "spec/result.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::patterns {

// UTF-16 code units that are no characters by themselves.
inline constexpr char32_t kFirstSurrogate = 0xD800;
inline constexpr char32_t kLastSurrogate = 0xDFFF;

// The error of a pattern; `offset` counts its bytes from 0.
struct SyntaxError {
  std::size_t offset = 0;
  std::string message;
};

// kUnicode: the grammar of the "u" flag, to the letter (ECMA-262 §22.2.1). kTolerant: also the
// forms of the web's old grammar that have one clear meaning and that people write in schemas:
// escaped punctuation (`\-`), a literal `{`, `}` or `]`, a class escape beside a hyphen (`[\w-.]`).
// Source: ECMA-262 §B.1.2.
enum class Grammar : std::uint8_t { kUnicode, kTolerant };

// A part of the pattern, from byte `first` to before byte `last`.
struct Span {
  std::size_t first = 0;
  std::size_t last = 0;

  bool contains(const Span& inner) const { return first <= inner.first && inner.last <= last; }

  friend bool operator==(const Span&, const Span&) = default;
};

// Characters that are side by side in a class.
struct SetItem {
  enum class Kind : std::uint8_t { kRange, kDigits, kWordCharacters, kSpaces, kProperty };

  Kind kind = Kind::kRange;
  bool negated = false;  // \D, \W, \S, \P
  char32_t low = 0;      // of a range, both ends included; may be or hold surrogates
  char32_t high = 0;
  std::string property;  // the text in its braces: "Script=Greek"
};

// One character of a set: a literal, an escape, ".", or a class in brackets.
struct CharacterSet {
  bool negated = false;
  std::vector<SetItem> items;
};

struct Node {
  enum class Kind : std::uint8_t {
    kSequence,
    kAlternatives,
    kSet,
    kRepeat,
    kGroup,
    kLook,
    kAnchor,
    kReference
  };

  static constexpr std::size_t kEndless = std::numeric_limits<std::size_t>::max();

  Kind kind = Kind::kSequence;
  Span span;
  std::vector<Node> children;  // of a sequence, alternatives; one of a repeat, group, look
  CharacterSet set;
  std::size_t min = 1;    // of a repeat
  std::size_t max = 1;    // kEndless: without bound
  bool lazy = false;      // of a repeat: a trailing "?"
  std::size_t group = 0;  // number of a group, from 1 (0: it captures nothing), or of the group
                          // that a reference names
  bool behind = false;    // of a look-around
  bool negated = false;   // of a look-around
  char anchor = 0;        // '^', '$', 'b', 'B'
};

// Reads the pattern, UTF-8. At most 200 groups deep; a count above 10^9 is taken for 10^9. A back
// reference that may see what an earlier round of a repetition captured is an error: ECMAScript
// empties the groups of a repeated part before each round, PCRE2 does not.
Result<Node, SyntaxError> parse(std::string_view pattern, Grammar grammar = Grammar::kTolerant);

}  // namespace spec::schema::patterns
