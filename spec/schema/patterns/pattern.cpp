#include "spec/schema/patterns/pattern.hpp"

#include "spec/non_copyable.hpp"
#include "spec/schema/patterns/pcre2_text.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

namespace spec::schema::patterns {
namespace {

constexpr std::size_t kFirstStackBytes = std::size_t{32} * 1024;
constexpr std::size_t kMaxStackBytes = std::size_t{64} * 1024 * 1024;
// PCRE2's limit is one for each place of the text where a match may start.
constexpr std::uint64_t kMatchLimit = 10'000'000;
constexpr std::uint64_t kMaxSteps = 100'000'000;
constexpr std::uint64_t kMinOfMaxLimit = 1'000;

thread_local SearchBudget* budget_of_thread = nullptr;

std::uint64_t max_limit(std::uint64_t starts) {
  return std::clamp(kMaxSteps / starts, kMinOfMaxLimit, kMatchLimit);
}

// Tried in turn while PCRE2 finds the pattern too large.
constexpr std::size_t kMaxCopies[] = {65535, 256, 16, 2};

constexpr std::uint32_t kOptions =
    PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;

const pcre2_code* code_of(const void* code) {
  return static_cast<const pcre2_code*>(code);
}

// What one thread needs for its searches; made at its first one.
class Workspace : NonCopyable {
 public:
  Workspace()
      : data_(pcre2_match_data_create(1, nullptr)),
        context_(pcre2_match_context_create(nullptr)),
        stack_(pcre2_jit_stack_create(kFirstStackBytes, kMaxStackBytes, nullptr)) {
    if (data_ == nullptr || context_ == nullptr) {
      release();
      throw std::bad_alloc();
    }
    pcre2_jit_stack_assign(context_, nullptr, stack_);
  }

  ~Workspace() { release(); }

  // ASCII needs no look at its UTF-8, which takes longer than most searches: straight to the code
  // that was compiled for this machine, if it was.
  int match(const pcre2_code* code, std::string_view text, std::uint64_t limit) {
    pcre2_set_match_limit(context_, static_cast<std::uint32_t>(limit));
    if (text::is_ascii(text)) {
      const int result = pcre2_jit_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()),
                                         text.size(), 0, 0, data_, context_);
      if (result != PCRE2_ERROR_JIT_BADOPTION) {
        return result;
      }
    }
    return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0, data_,
                       context_);
  }

  // Where the last match was. Precondition: there was one.
  std::string_view matched(std::string_view text) const {
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data_);
    return text.substr(ends[0], ends[1] - ends[0]);
  }

 private:
  void release() {
    pcre2_jit_stack_free(stack_);
    pcre2_match_context_free(context_);
    pcre2_match_data_free(data_);
  }

  pcre2_match_data* data_;
  pcre2_match_context* context_;
  pcre2_jit_stack* stack_;
};

Workspace& workspace() {
  thread_local Workspace of_this_thread;
  return of_this_thread;
}

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 200> buffer{};
  pcre2_get_error_message(code, buffer.data(), buffer.size());
  return "PCRE2 cannot run it: " + std::string(reinterpret_cast<const char*>(buffer.data()));
}

// How many steps a search takes is not known before or after it, so it is tried with few, which are
// enough for most and are free, and with ever more.
int match_within(SearchBudget& budget, const pcre2_code* code, std::string_view text,
                 std::uint64_t starts) {
  constexpr std::uint64_t kFirstSteps = 2'000;
  constexpr std::uint64_t kMinLimit = 64;
  constexpr std::uint64_t kGrowth = 8;
  const std::uint64_t most = max_limit(starts);
  std::uint64_t limit = std::max(kMinLimit, kFirstSteps / starts);
  int result = workspace().match(code, text, limit);
  while (result == PCRE2_ERROR_MATCHLIMIT && limit != 0 && limit != most) {
    limit = budget.take(std::min(limit * kGrowth, most), starts);
    result = limit == 0 ? result : workspace().match(code, text, limit);
  }
  return result;
}

bool is_not_utf8(int code) {
  return code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21;
}

}  // namespace

SearchBudget::SearchBudget(std::uint64_t steps, std::function<bool()> may_stop)
    : outer_(budget_of_thread), left_(steps), may_stop_(std::move(may_stop)) {
  budget_of_thread = this;
}

SearchBudget::~SearchBudget() {
  budget_of_thread = outer_;
}

std::uint64_t SearchBudget::take(std::uint64_t wanted, std::uint64_t starts) {
  const std::uint64_t taken = std::min(wanted, left_ / starts);
  left_ -= taken * starts;
  if (taken == 0) {
    left_ = 0;
    if (may_stop_()) {
      throw UsedUp{};
    }
  }
  return taken;
}

void SearchBudget::leave_long_work() {
  if (budget_of_thread != nullptr && budget_of_thread->may_stop_()) {
    throw UsedUp{};
  }
}

bool SearchBudget::is_used_up() {
  return budget_of_thread != nullptr && budget_of_thread->left_ == 0;
}

Pattern::Pattern(void* code, std::size_t max_characters)
    : code_(code), max_characters_(max_characters) {
  std::uint32_t options = 0;
  pcre2_pattern_info(code_of(code), PCRE2_INFO_ALLOPTIONS, &options);
  is_anchored_ = (options & PCRE2_ANCHORED) != 0;
}

void Pattern::Free::operator()(void* code) const {
  pcre2_code_free(static_cast<pcre2_code*>(code));
}

Result<Pattern, SyntaxError> Pattern::compile(std::string_view text) {
  const auto tree = parse(text);
  if (!tree) {
    return Unexpected{tree.error()};
  }
  Pcre2Text translated;
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = nullptr;
  for (const std::size_t copies : kMaxCopies) {
    translated = pcre2_text(*tree, copies);
    code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.text.data()),
                         translated.text.size(), kOptions, &error, &offset, nullptr);
    if (code != nullptr || error != PCRE2_ERROR_PATTERN_TOO_LARGE) {
      break;
    }
  }
  if (code == nullptr) {
    return Unexpected{SyntaxError{0, message_of(error)}};
  }
  // Without JIT on this machine the interpreter does the same work, slower.
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
  return Pattern(code, translated.max_characters);
}

Search Pattern::search(std::string_view text) const {
  if (text.size() > max_characters_ &&
      text::first_characters(text, max_characters_).size() < text.size()) {
    return Search::kUndecided;
  }
  const pcre2_code* const code = code_of(code_.get());
  const std::uint64_t starts = is_anchored_ ? 1 : text.size() + 1;
  const int result = budget_of_thread != nullptr
                         ? match_within(*budget_of_thread, code, text, starts)
                         : workspace().match(code, text, max_limit(starts));
  if (result >= 0) {
    return Search::kFound;
  }
  // All else is a limit of matching, stack or heap, and nothing is known.
  return result == PCRE2_ERROR_NOMATCH || is_not_utf8(result) ? Search::kNotFound
                                                              : Search::kUndecided;
}

std::optional<std::string_view> Pattern::find(std::string_view text) const {
  return search(text) == Search::kFound ? std::optional(workspace().matched(text)) : std::nullopt;
}

}  // namespace spec::schema::patterns
