#include "spec/schema/patterns/pattern.hpp"

#include "spec/schema/patterns/pcre2_text.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>
#include <string>

namespace spec::schema::patterns {
namespace {

constexpr std::size_t kFirstStackBytes = std::size_t{32} * 1024;
constexpr std::size_t kMaxStackBytes = std::size_t{64} * 1024 * 1024;
constexpr std::uint32_t kMatchLimit = 10'000'000;

// Tried in turn while PCRE2 finds the pattern too large.
constexpr std::size_t kMaxCopies[] = {65535, 256, 16, 2};

constexpr std::uint32_t kOptions =
    PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;

const pcre2_code* code_of(const void* code) {
  return static_cast<const pcre2_code*>(code);
}

// What one thread needs for its searches; made at its first one.
class Workspace {
 public:
  Workspace()
      : data_(pcre2_match_data_create(1, nullptr)),
        context_(pcre2_match_context_create(nullptr)),
        stack_(pcre2_jit_stack_create(kFirstStackBytes, kMaxStackBytes, nullptr)) {
    if (data_ == nullptr || context_ == nullptr) {
      release();
      throw std::bad_alloc();
    }
    pcre2_set_match_limit(context_, kMatchLimit);
    pcre2_jit_stack_assign(context_, nullptr, stack_);
  }

  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  ~Workspace() { release(); }

  // ASCII needs no look at its UTF-8, which takes longer than most searches: straight to the code
  // that was compiled for this machine, if it was.
  int match(const pcre2_code* code, std::string_view text) {
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

bool is_not_utf8(int code) {
  return code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21;
}

}  // namespace

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
  const int result = workspace().match(code_of(code_.get()), text);
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
