#pragma once

// A compiled pattern. Compile once at load; search from any thread. Every search is bounded: a
// match limit instead of exponential time, a growing stack for the compiled code instead of the
// thread's own.

#include "spec/result.hpp"
#include "spec/schema/patterns/automaton.hpp"
#include "spec/schema/patterns/translate.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace spec::schema::patterns {

// kUndecided: a limit (10,000,000 steps, 64 MiB of stack) was hit before an answer was known.
enum class Search : std::uint8_t { kFound, kNotFound, kUndecided };

class Pattern {
 public:
  // `text` is an ECMAScript pattern in UTF-8, read by Grammar::kTolerant. The error's offset is
  // into `text`, 0 when PCRE2 refuses what was translated.
  static Result<Pattern, SyntaxError> compile(std::string_view text);

  // The same, by PCRE2 though it be simple: for tests that compare the two.
  static Result<Pattern, SyntaxError> compile_for_pcre2(std::string_view text);

  // Whether the pattern matches anywhere in `text`. Text that is not UTF-8 is not matched.
  Search search(std::string_view text) const;

 private:
  struct Free {
    void operator()(void* code) const;
  };

  explicit Pattern(void* code) : code_(code) {}

  explicit Pattern(Automaton automaton) : automaton_(std::move(automaton)) {}

  std::optional<Automaton> automaton_;  // of a simple pattern
  std::unique_ptr<void, Free> code_;    // a pcre2_code, of any other
};

}  // namespace spec::schema::patterns
