#pragma once

// A simple pattern as a table: one look-up a byte, no limit to hit and no memory to take. What
// needs more than a small table is for PCRE2. Build once at load; search from any thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace spec::schema::patterns {

class Automaton {
 public:
  // The automaton of an ECMAScript pattern; nothing when it is not simple enough. Precondition:
  // translate() takes the pattern.
  static std::optional<Automaton> compile(std::string_view pattern);

  // Whether the pattern matches anywhere in `text`. Text that is not UTF-8 is not matched.
  bool search(std::string_view text) const;

 private:
  friend class AutomatonBuilder;

  // What is known when a state is reached.
  enum Outcome : std::uint8_t { kOpen, kFoundAtEnd, kFound, kHopeless };

  std::array<std::uint8_t, 256> classes_{};  // bytes that no state tells apart share one
  std::uint32_t class_count_ = 0;
  // A row for each state, the first for where searches start, the last for where they end: where
  // the row of the next state begins, by class, and at last the outcome.
  std::vector<std::uint16_t> rows_;
  std::size_t first_final_ = 0;  // where the rows begin from which a search goes no further
};

}  // namespace spec::schema::patterns
