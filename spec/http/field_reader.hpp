#pragma once

// Reads a field value from left to right. A token, a letter or blanks that are not there leave the
// place as it is.

#include "spec/http/bytes.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace spec::http {

class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  // Whether `letter` is next, which is not read.
  bool is_at(char letter) const { return rest_.starts_with(letter); }

  bool take(char letter) {
    const bool there = is_at(letter);
    rest_.remove_prefix(there ? 1 : 0);
    return there;
  }

  bool blanks() { return !until(rest_.find_first_not_of(" \t")).empty(); }

  std::string_view token() { return until(run_of(rest_, kTokenByte)); }

  // All before the first of `ends`.
  std::string_view before_any_of(std::string_view ends) { return until(rest_.find_first_of(ends)); }

  // The text of a quoted string, unescaped; nothing if there is none, or it is not closed.
  std::optional<std::string> quoted() {
    if (!take('"')) {
      return std::nullopt;
    }
    std::string text = unescaped();
    return take('"') ? std::optional(std::move(text)) : std::nullopt;
  }

  // A token, or the text of a quoted string, also of one that is not closed.
  std::string word() {
    if (!take('"')) {
      return std::string(token());
    }
    std::string text = unescaped();
    take('"');
    return text;
  }

 private:
  std::string unescaped() {
    std::string text;
    while (!at_end() && !is_at('"') && !(take('\\') && at_end())) {
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    return text;
  }

  std::string_view until(std::size_t end) {
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(text.size());
    return text;
  }

  std::string_view rest_;
};

// The text as a field has it: a token, or quoted where it is none. Source: RFC 9110 §5.6.4.
inline std::string as_word(std::string_view text) {
  if (is_token(text)) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char letter : text) {
    quoted += letter == '"' || letter == '\\' ? "\\" : "";
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace spec::http
