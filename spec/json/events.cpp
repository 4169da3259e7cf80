#include "spec/json/events.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <cstdint>
#include <utility>

namespace spec::json {

bool Lexer::fail(std::size_t offset, std::string message) {
  error_ = {.byte_offset = offset, .message = std::move(message)};
  return false;
}

bool Lexer::fail_here(std::string_view expected) {
  return fail(at_,
              "expected " + std::string(expected) + ", found " + text::describe_byte(text_, at_));
}

bool Lexer::literal(std::string_view word) {
  for (const char expected : word) {
    if (at_ == text_.size() || text_[at_] != expected) {
      return fail_here(std::string{'\'', expected, '\''} + " of '" + std::string(word) + "'");
    }
    ++at_;
  }
  return true;
}

bool Lexer::digits() {
  if (at_ == text_.size() || !text::is_digit(text_[at_])) {
    return fail_here("a digit");
  }
  while (at_ < text_.size() && text::is_digit(text_[at_])) {
    ++at_;
  }
  return true;
}

bool Lexer::exponent() {
  ++at_;
  if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
    ++at_;
  }
  const std::size_t start = at_;
  if (!digits()) {
    return false;
  }
  std::size_t significant = start;
  while (significant < at_ && text_[significant] == '0') {
    ++significant;
  }
  if (at_ - significant > kMaxExponentDigits) {
    return fail(start, "the exponent has " + std::to_string(at_ - significant) +
                           " digits; the limit is " + std::to_string(kMaxExponentDigits));
  }
  return true;
}

// Source: RFC 8259 §6.
bool Lexer::number(std::string_view& out) {
  const std::size_t start = at_;
  if (text_[at_] == '-') {
    ++at_;
  }
  if (at_ < text_.size() && text_[at_] == '0') {
    ++at_;
    if (at_ < text_.size() && text::is_digit(text_[at_])) {
      return fail(at_, "a number has no leading zero");
    }
  } else if (!digits()) {
    return false;
  }
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    if (!digits()) {
      return false;
    }
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E') && !exponent()) {
    return false;
  }
  out = text_.substr(start, at_ - start);
  return true;
}

// Source: RFC 8259 §7. Most strings have no escape and are views of the text.
bool Lexer::string(std::string_view& out) {
  const std::size_t start = ++at_;
  while (true) {
    at_ = text::plain_run_end(text_, at_);
    if (at_ < text_.size() && text_[at_] == '"') {
      out = text_.substr(start, at_ - start);
      ++at_;
      return true;
    }
    if (at_ < text_.size() && text_[at_] == '\\') {
      decoded_.assign(text_, start, at_ - start);
      return escaped_string(out);
    }
    if (!string_byte()) {
      return false;
    }
  }
}

// The rest of a string from its first escape on.
bool Lexer::escaped_string(std::string_view& out) {
  while (true) {
    const std::size_t start = at_;
    at_ = text::plain_run_end(text_, at_);
    decoded_.append(text_, start, at_ - start);
    if (at_ < text_.size() && text_[at_] == '"') {
      out = decoded_;
      ++at_;
      return true;
    }
    if (at_ < text_.size() && text_[at_] == '\\') {
      if (!escape()) {
        return false;
      }
      continue;
    }
    const std::size_t sequence = at_;
    if (!string_byte()) {
      return false;
    }
    decoded_.append(text_, sequence, at_ - sequence);
  }
}

// Passes over one character that is not ASCII; false for what no string may hold.
bool Lexer::string_byte() {
  if (at_ == text_.size()) {
    return fail(at_, "the text ends inside a string");
  }
  if (static_cast<unsigned char>(text_[at_]) < 0x20U) {
    return fail(at_, "control characters in a string must be escaped, found " +
                         text::describe_byte(text_, at_));
  }
  const std::size_t length = text::utf8_sequence(text_, at_);
  if (length == 0) {
    return fail(at_, "invalid UTF-8: " + text::describe_byte(text_, at_));
  }
  at_ += length;
  return true;
}

bool Lexer::escape() {
  const std::size_t start = at_++;
  switch (at_ < text_.size() ? text_[at_] : '\0') {
    case '"':
    case '\\':
    case '/': decoded_ += text_[at_]; break;
    case 'b': decoded_ += '\b'; break;
    case 'f': decoded_ += '\f'; break;
    case 'n': decoded_ += '\n'; break;
    case 'r': decoded_ += '\r'; break;
    case 't': decoded_ += '\t'; break;
    case 'u': ++at_; return unicode_escape(start);
    default: return fail_here("one of \"\\/bfnrtu after '\\'");
  }
  ++at_;
  return true;
}

bool Lexer::hex4(char32_t& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = at_ < text_.size() ? text::hex_digit_value(text_[at_]) : -1;
    if (digit < 0) {
      return fail_here("a hexadecimal digit");
    }
    unit = unit * 16U + static_cast<char32_t>(digit);
    ++at_;
  }
  return true;
}

// A surrogate that is not half of a pair names no character: rejected, since the value could be
// neither stored as UTF-8 nor sent on (RFC 8259 §8.2 leaves it open). `start` is at the '\\'.
bool Lexer::unicode_escape(std::size_t start) {
  char32_t unit = 0;
  if (!hex4(unit)) {
    return false;
  }
  if (unit >= 0xD800U && unit <= 0xDFFFU) {
    char32_t low = 0;
    const bool paired = unit < 0xDC00U && text_.substr(at_).starts_with("\\u");
    if (paired) {
      at_ += 2;
      if (!hex4(low)) {
        return false;
      }
    }
    if (low < 0xDC00U || low > 0xDFFFU) {
      fail(start, "half of a surrogate pair is not a character");
      error_.is_lone_surrogate = true;
      return false;
    }
    unit = 0x10000U + ((unit - 0xD800U) << 10U) + (low - 0xDC00U);
  }
  text::append_utf8(decoded_, unit);
  return true;
}

}  // namespace spec::json
