#pragma once

// Where ECMAScript and PCRE2 disagree about back references. ECMAScript empties the groups of a
// repeated part before each round; PCRE2 keeps what an earlier round captured. Used only by this
// folder's sources.

#include "spec/schema/patterns/cursor.hpp"

#include <cstddef>
#include <vector>

namespace spec::schema::patterns {

// A part of the pattern, from byte `first` to before byte `last`.
struct Span {
  std::size_t first = 0;
  std::size_t last = 0;

  bool contains(const Span& inner) const { return first <= inner.first && inner.last <= last; }

  friend bool operator==(const Span&, const Span&) = default;
};

struct BackReference {
  Span span;
  std::size_t group = 0;  // from 1
};

// The parts that decide what a back reference sees.
struct Captures {
  std::vector<Span> groups;    // by number, from 1 at index 0
  std::vector<Span> repeated;  // parts that may match more than once
  std::vector<Span> optional;  // parts that may be passed over: x?, x*, one of several alternatives
  std::vector<BackReference> references;
};

// Fails at the first back reference that may see what an earlier round captured, or that names no
// group.
void check_back_references(Cursor& cursor, const Captures& captures);

}  // namespace spec::schema::patterns
