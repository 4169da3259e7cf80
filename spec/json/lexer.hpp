#pragma once

// The words of a JSON text: strings, numbers and literals, strictly as RFC 8259 spells them. The
// grammar above them is events.hpp; nothing else uses this. A Lexer reads one text once.

#include "spec/json/read.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace spec::json {

// An exponent with more digits than this is rejected (RFC 8259 §6 allows limits of range), so that
// sizes of numbers fit 64 bits whatever is added to them.
inline constexpr std::size_t kMaxExponentDigits = 18;

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // Passes over blanks. The next byte, or '\0' at the end (a NUL byte is in no JSON text either).
  char peek() {
    while (at_ < text_.size() && is_blank(text_[at_])) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool starts_with(std::string_view bytes) const { return text_.substr(at_).starts_with(bytes); }

  std::size_t offset() const { return at_; }

  bool at_end() const { return at_ == text_.size(); }

  void advance() { ++at_; }

  // Each reads one word that starts at offset(); false, and error() is set, if it is malformed.

  // Precondition: the next byte is '"'. `out` is decoded UTF-8, valid until the next call.
  bool string(std::string_view& out);
  // Precondition: the next byte is '-' or a digit. `out` is the text of the number.
  bool number(std::string_view& out);
  // `word` is "true", "false" or "null".
  bool literal(std::string_view word);

  // Fails with "expected <expected>, found <what is at offset()>"; always false.
  bool fail_here(std::string_view expected);
  bool fail(std::size_t offset, std::string message);

  const ReadError& error() const { return error_; }

 private:
  static bool is_blank(char byte) {
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
  }

  bool escaped_string(std::string_view& out);
  bool string_byte();
  bool escape();
  bool unicode_escape(std::size_t start);
  bool hex4(char32_t& unit);
  bool digits();
  bool exponent();

  std::string_view text_;
  std::size_t at_ = 0;
  std::string decoded_;
  ReadError error_;
};

}  // namespace spec::json
