#pragma once

// A pattern as a nondeterministic machine over bytes, for the simple patterns that most schemas
// have: characters, classes, groups, alternatives, counts, ^ and $. What it does not know is for
// PCRE2. Used by automaton.cpp alone.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace spec::schema::patterns {

using StateId = std::uint32_t;

struct State {
  enum class Kind : std::uint8_t { kBytes, kSplit, kBegin, kEnd, kMatch };

  Kind kind = Kind::kMatch;
  std::uint8_t low = 0;  // of kBytes: the bytes that lead on, both included
  std::uint8_t high = 0;
  StateId next = 0;
  StateId other = 0;  // of kSplit
};

struct Machine {
  std::vector<State> states;
  StateId start = 0;
};

// The machine of an ECMAScript pattern in UTF-8; nothing when the pattern has more in it than is
// known here, or would need too many states. Precondition: translate() takes the pattern.
std::optional<Machine> make_machine(std::string_view pattern);

}  // namespace spec::schema::patterns
