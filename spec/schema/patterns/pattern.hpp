#pragma once

// A compiled pattern. Compile once at load; search from any thread. Every search is bounded: a
// match limit instead of exponential time, a growing stack for the compiled code instead of the
// thread's own.

#include "spec/result.hpp"
#include "spec/schema/patterns/tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace spec::schema::patterns {

// kUndecided: a limit (10,000,000 steps, 64 MiB of stack, the length of a text for which PCRE2
// has the pattern's counts) was reached before the result was known.
enum class Search : std::uint8_t { kFound, kNotFound, kUndecided };

class Pattern {
 public:
  // `text` is an ECMAScript pattern in UTF-8, read by Grammar::kTolerant. The error's offset is
  // into `text`, 0 when PCRE2 rejects what was made of it.
  static Result<Pattern, SyntaxError> compile(std::string_view text);

  // Whether the pattern matches anywhere in `text`. Text that is not UTF-8 is not matched.
  Search search(std::string_view text) const;

  // The first stretch of `text` that the pattern matches; nothing where search() does not find one.
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  struct Free {
    void operator()(void* code) const;
  };

  Pattern(void* code, std::size_t max_characters) : code_(code), max_characters_(max_characters) {}

  std::unique_ptr<void, Free> code_;  // a pcre2_code
  std::size_t max_characters_;        // of a text that it decides
};

}  // namespace spec::schema::patterns
