#include "spec/schema/patterns/pattern.hpp"

#include "spec/non_copyable.hpp"
#include "spec/schema/patterns/characters.hpp"
#include "spec/schema/patterns/pattern_tree.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace spec::schema::patterns {

namespace {

// The text of a PCRE2 pattern of the same meaning as a tree, when a schema is compiled.

struct Pcre2Text {
  std::string text;
  std::size_t max_characters = Node::kEndless;  // of a text for which it is equivalent to the tree
};

// ECMAScript's white space and line ends, which PCRE2's \s is not, and all the rest.
// Source: ECMA-262 §22.2.2.9, CharacterClassEscape :: s.
constexpr std::string_view kSpaces =
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
    "\\x{3000}\\x{feff}";
constexpr std::string_view kNoSpaces =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
    "\\x{3001}-\\x{d7ff}\\x{e000}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

// Matches nothing. In a group, since PCRE2 does not repeat a bare look-around.
constexpr std::string_view kNothing = "(?:(?!))";

void append_code(std::string& out, char32_t character) {
  std::array<char, 8> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(),
                                    static_cast<std::uint32_t>(character), 16);
  out += "\\x{";
  out.append(digits.data(), result.ptr);
  out += '}';
}

// UTF-8 holds no surrogates: a range is written without them, perhaps as the empty text.
void append_range(std::string& out, char32_t first, char32_t last) {
  const bool holds_surrogates = first <= kLastSurrogate && last >= kFirstSurrogate;
  if (holds_surrogates) {
    if (first < kFirstSurrogate) {
      append_range(out, first, kFirstSurrogate - 1);
    }
    if (last > kLastSurrogate) {
      append_range(out, kLastSurrogate + 1, last);
    }
    return;
  }
  append_code(out, first);
  if (first != last) {
    out += '-';
    append_code(out, last);
  }
}

// Writes an item for use between PCRE2's brackets. \d and \w are ASCII without PCRE2_UCP, as
// ECMAScript's are always.
void append_item(std::string& out, const SetItem& item) {
  switch (item.kind) {
    case SetItem::Kind::kRange: return append_range(out, item.low, item.high);
    case SetItem::Kind::kDigits: out += item.negated ? "\\D" : "\\d"; return;
    case SetItem::Kind::kWordCharacters: out += item.negated ? "\\W" : "\\w"; return;
    case SetItem::Kind::kSpaces: out += item.negated ? kNoSpaces : kSpaces; return;
    case SetItem::Kind::kProperty:
      out += property_escape(item.property, item.negated).value_or("");
      return;
  }
}

bool is_word_character(char32_t character) {
  return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
         (character >= 'A' && character <= 'Z');
}

constexpr std::size_t kMaxRounds = 65535;  // of PCRE2's quantifiers

class Writer {
 public:
  explicit Writer(std::size_t max_copies) : max_copies_(std::min(max_copies, kMaxRounds)) {}

  void write(const Node& node) {
    switch (node.kind) {
      case Node::Kind::kSequence: return write_children(node, "");
      case Node::Kind::kAlternatives: return write_children(node, "|");
      case Node::Kind::kSet: return write_set(node.set);
      case Node::Kind::kRepeat: return write_repeat(node);
      case Node::Kind::kGroup: return write_group(node);
      case Node::Kind::kLook:
        out_ += node.behind ? "(?<" : "(?";
        out_ += node.negated ? '!' : '=';
        write_children(node, "");
        out_ += ')';
        return;
      case Node::Kind::kAnchor:
        out_ += node.anchor == 'b' || node.anchor == 'B' ? "\\" : "";
        out_ += node.anchor;
        return;
      case Node::Kind::kReference: return write_reference(node);
    }
  }

  Pcre2Text take() { return {std::move(out_), max_characters_}; }

 private:
  void write_children(const Node& node, std::string_view between) {
    std::string_view before;
    for (const Node& child : node.children) {
      out_ += before;
      write(child);
      before = between;
    }
  }

  void write_group(const Node& node) {
    out_ += node.group == 0 ? "(?:" : "(";
    write_children(node, "");
    out_ += ')';
    closed_.insert(node.group);
  }

  // A reference to a group that is not closed before it matches the empty text.
  void write_reference(const Node& node) {
    out_ += closed_.contains(node.group) ? "\\g{" + std::to_string(node.group) + '}' : "(?:)";
  }

  // Each round takes a character or changes nothing: a text of no more characters than a bound
  // cannot exceed it, and one of fewer than another cannot reach that.
  void write_repeat(const Node& node) {
    write_children(node, "");
    const bool is_set = node.children.front().kind == Node::Kind::kSet;
    const std::size_t highest = is_set ? kMaxRounds : max_copies_;
    const std::size_t min = std::min(node.min, highest);
    const std::size_t max = node.max > highest ? Node::kEndless : node.max;
    if (max != node.max) {
      max_characters_ = std::min(max_characters_, node.max);
    }
    if (min != node.min) {
      max_characters_ = std::min(max_characters_, min - 1);
    }
    if (min == 0 && max == Node::kEndless) {
      out_ += '*';
    } else if (min == 1 && max == Node::kEndless) {
      out_ += '+';
    } else if (min == 0 && max == 1) {
      out_ += '?';
    } else {
      out_ += '{' + std::to_string(min) + ',';
      out_ += max == Node::kEndless ? "}" : std::to_string(max) + '}';
    }
    out_ += node.lazy ? "?" : "";
  }

  void write_set(const CharacterSet& set) {
    const bool is_one = !set.negated && set.items.size() == 1 &&
                        set.items.front().kind == SetItem::Kind::kRange &&
                        set.items.front().low == set.items.front().high;
    if (is_one) {
      return write_literal(set.items.front().low);
    }
    std::string items;
    for (const SetItem& item : set.items) {
      append_item(items, item);
    }
    if (items.empty()) {
      out_ += set.negated ? std::string_view("[\\x{0}-\\x{10ffff}]") : kNothing;
      return;
    }
    out_ += set.negated ? "[^" : "[";
    out_ += items + ']';
  }

  void write_literal(char32_t character) {
    if (character >= kFirstSurrogate && character <= kLastSurrogate) {
      out_ += kNothing;
    } else if (character < 0x20 || character == 0x7F) {
      append_code(out_, character);
    } else {
      out_ += character < 0x80 && !is_word_character(character) ? "\\" : "";
      text::append_utf8(out_, character);
    }
  }

  std::size_t max_copies_;
  std::size_t max_characters_ = Node::kEndless;
  std::string out_;
  std::set<std::size_t> closed_;  // groups whose ")" is written
};

// The PCRE2 pattern (for PCRE2_UTF, PCRE2_DOLLAR_ENDONLY, PCRE2_MATCH_UNSET_BACKREF; not PCRE2_UCP)
// that finds what the ECMAScript pattern finds. A lookbehind of variable length is written all the
// same: PCRE2 rejects it. PCRE2 counts to 65535 and copies a group for each round: counts above
// that, and those of groups above `max_copies`, are left out, which makes a difference only for
// long texts.
Pcre2Text pcre2_text(const Node& tree, std::size_t max_copies) {
  Writer writer(max_copies);
  writer.write(tree);
  return writer.take();
}

// Compiling that text with PCRE2, and searching within bounds.

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

// The memory for one thread's searches, created at its first one.
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

  // Searches ASCII without checking UTF-8, which takes longer than most searches, by the code
  // compiled for this machine, if there is any.
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

  // The last match. Precondition: there was one.
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

// The number of steps of a search is unknown before and after it, so it is tried with few, which
// are enough for most and are free, and then with ever more.
int match_within(SearchBudget& budget, const pcre2_code* code, std::string_view text,
                 std::uint64_t starts) {
  constexpr std::uint64_t kFirstSteps = 2'000;
  constexpr std::uint64_t kMinLimit = 64;
  constexpr std::uint64_t kGrowth = 8;
  const std::uint64_t max_steps = max_limit(starts);
  std::uint64_t limit = std::max(kMinLimit, kFirstSteps / starts);
  int result = workspace().match(code, text, limit);
  while (result == PCRE2_ERROR_MATCHLIMIT && limit != 0 && limit != max_steps) {
    limit = budget.take(std::min(limit * kGrowth, max_steps), starts);
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
      throw Exhaustion{};
    }
  }
  return taken;
}

void SearchBudget::throw_if_exhausted() {
  if (budget_of_thread != nullptr && budget_of_thread->may_stop_()) {
    throw Exhaustion{};
  }
}

bool SearchBudget::is_exhausted() {
  return budget_of_thread != nullptr && budget_of_thread->left_ == 0;
}

Pattern::Pattern(void* code, std::size_t max_characters)
    : code_(code), max_characters_(max_characters) {
  std::uint32_t options = 0;
  pcre2_pattern_info(code_of(code), PCRE2_INFO_ALLOPTIONS, &options);
  is_anchored_ = (options & PCRE2_ANCHORED) != 0;
}

void Pattern::CodeDeleter::operator()(void* code) const {
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
  // Any other error is a limit of matching, stack or heap, and the result is unknown.
  return result == PCRE2_ERROR_NOMATCH || is_not_utf8(result) ? Search::kNotFound
                                                              : Search::kUndecided;
}

std::optional<std::string_view> Pattern::find(std::string_view text) const {
  return search(text) == Search::kFound ? std::optional(workspace().matched(text)) : std::nullopt;
}

}  // namespace spec::schema::patterns
