#pragma once

// A compiled pattern. Compile once at load; search from any thread. Every search is bounded: a
// match limit instead of exponential time, a growing stack for the compiled code instead of the
// thread's own.

#include "spec/non_copyable.hpp"
#include "spec/result.hpp"
#include "spec/schema/patterns/pattern_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace spec::schema::patterns {

// kUndecided: a limit was reached before the result was known: 10,000,000 steps from one place of
// the text, 100,000,000 from all of them together, 64 MiB of stack, the thread's SearchBudget, or
// the length of a text for which PCRE2 has the pattern's counts.
enum class Search : std::uint8_t { kFound, kNotFound, kUndecided };

// Steps for all searches of this thread together, as long as it lives; those that take few are not
// counted. One within another replaces it for a while.
class SearchBudget : NonCopyable {
 public:
  // Thrown by a search when no steps are left, if `may_stop` returns true then. Not a
  // std::exception, so that no handler of errors catches it.
  struct Exhaustion {};

  SearchBudget(std::uint64_t steps, std::function<bool()> may_stop);
  ~SearchBudget();

  // Takes `wanted` steps for each of `starts`, or the rest of the budget; returns the number for
  // each.
  std::uint64_t take(std::uint64_t wanted, std::uint64_t starts);

  // Throws Exhaustion if a search would; to be called before long work.
  static void throw_if_exhausted();

  // True if no steps are left to this thread.
  static bool is_exhausted();

 private:
  SearchBudget* const outer_;
  std::uint64_t left_;
  const std::function<bool()> may_stop_;
};

class Pattern {
 public:
  // `text` is an ECMAScript pattern in UTF-8, read by Grammar::kTolerant. The error's offset is
  // into `text`, 0 when PCRE2 rejects what was made of it.
  static Result<Pattern, SyntaxError> compile(std::string_view text);

  // Searches for a match anywhere in `text`. Text that is not UTF-8 is not matched.
  Search search(std::string_view text) const;

  // The first stretch of `text` that the pattern matches; none if search() does not find one.
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  struct CodeDeleter {
    void operator()(void* code) const;
  };

  Pattern(void* code, std::size_t max_characters);

  std::unique_ptr<void, CodeDeleter> code_;  // a pcre2_code
  std::size_t max_characters_;               // of a text that it decides
  bool is_anchored_ = false;                 // matches at the text's start, or not at all
};

}  // namespace spec::schema::patterns
