#pragma once

// The grammar of JSON text (RFC 8259) as a sequence of events with byte offsets. One pass, no
// recursion, depth bounded. Used by read.hpp to build values and by spec/document to build
// documents with places; duplicate keys are the handler's to reject, since it holds the keys.
//
// A Handler has the members of IgnoreEvents below. Offsets count bytes from 0 and point at the
// first byte of the value or key. The text of a number is as written. A string and a key are
// decoded UTF-8; the view is valid during the call only, unless it lies inside the text. A key that
// returns false stops the reading.

#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spec::json {

// The words of a JSON text: strings, numbers and literals, strictly as RFC 8259 spells them. The
// grammar above them is events.hpp; nothing else uses this. A Lexer reads one text once.

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

// Takes every event and does nothing: the bare grammar, and a start for handlers of a few events.
struct IgnoreEvents {
  void null(std::size_t /*offset*/) {}

  void boolean(bool /*value*/, std::size_t /*offset*/) {}

  void number(std::string_view /*text*/, std::size_t /*offset*/) {}

  void string(std::string_view /*value*/, std::size_t /*offset*/) {}

  bool key(std::string_view /*value*/, std::size_t /*offset*/) { return true; }

  void begin_array(std::size_t /*offset*/) {}

  void begin_object(std::size_t /*offset*/) {}

  void end_array() {}

  void end_object() {}
};

template <typename Handler>
class EventReader {
 public:
  EventReader(std::string_view text, std::size_t max_depth, Handler& handler)
      : lexer_(text), max_depth_(max_depth), handler_(handler) {}

  // None if the whole text was read or the handler stopped it; else the first error.
  std::optional<ReadError> run() {
    if (!(no_mark() && values()) && !stopped_) {
      return lexer_.error();
    }
    return std::nullopt;
  }

 private:
  // RFC 8259 §8.1 lets a reader take a byte order mark; we do not, since no sender may add one.
  bool no_mark() {
    return !lexer_.starts_with("\xEF\xBB\xBF") ||
           lexer_.fail(0, "the text starts with a byte order mark; remove it");
  }

  // Reads values until the outermost one is complete, then expects the end of the text.
  bool values() {
    while (true) {
      bool opened = false;
      if (!value(opened)) {
        return false;
      }
      if (!opened && !close_and_separate()) {
        return false;
      }
      if (open_.empty()) {
        return true;
      }
    }
  }

  // One scalar or the opening of a container; `opened` says that a value must follow at once.
  bool value(bool& opened) {
    const char next = lexer_.peek();
    const std::size_t offset = lexer_.offset();
    switch (next) {
      case '"': return string(offset);
      case '{': return begin_object(offset, opened);
      case '[': return begin_array(offset, opened);
      case 't': return literal("true", [&] { handler_.boolean(true, offset); });
      case 'f': return literal("false", [&] { handler_.boolean(false, offset); });
      case 'n': return literal("null", [&] { handler_.null(offset); });
      default:
        if (next == '-' || text::is_digit(next)) {
          return number(offset);
        }
        return lexer_.fail_here("a JSON value");
    }
  }

  bool string(std::size_t offset) {
    std::string_view text;
    if (!lexer_.string(text)) {
      return false;
    }
    handler_.string(text, offset);
    return true;
  }

  bool number(std::size_t offset) {
    std::string_view text;
    if (!lexer_.number(text)) {
      return false;
    }
    handler_.number(text, offset);
    return true;
  }

  template <typename Report>
  bool literal(std::string_view word, Report report) {
    if (!lexer_.literal(word)) {
      return false;
    }
    report();
    return true;
  }

  bool descend(char kind, std::size_t offset) {
    if (open_.size() >= max_depth_) {
      return lexer_.fail(offset, "nested deeper than " + std::to_string(max_depth_) + " levels");
    }
    open_.push_back(kind);
    lexer_.advance();
    return true;
  }

  bool begin_array(std::size_t offset, bool& opened) {
    if (!descend('[', offset)) {
      return false;
    }
    handler_.begin_array(offset);
    opened = lexer_.peek() != ']';
    return true;
  }

  bool begin_object(std::size_t offset, bool& opened) {
    if (!descend('{', offset)) {
      return false;
    }
    handler_.begin_object(offset);
    opened = lexer_.peek() != '}';
    return !opened || key("a member name or '}'");
  }

  bool key(std::string_view expected) {
    if (lexer_.peek() != '"') {
      return lexer_.fail_here(expected);
    }
    const std::size_t offset = lexer_.offset();
    std::string_view name;
    if (!lexer_.string(name)) {
      return false;
    }
    if (!handler_.key(name, offset)) {
      stopped_ = true;
      return false;
    }
    if (lexer_.peek() != ':') {
      return lexer_.fail_here("':'");
    }
    lexer_.advance();
    return true;
  }

  // After a complete value: closes every container that ends here, up to a ',' that announces the
  // next value, or to the end of the text.
  bool close_and_separate() {
    while (!open_.empty()) {
      const bool in_object = open_.back() == '{';
      const char next = lexer_.peek();
      if (next == ',') {
        lexer_.advance();
        return !in_object || key("a member name");
      }
      if (next != (in_object ? '}' : ']')) {
        return lexer_.fail_here(in_object ? "',' or '}'" : "',' or ']'");
      }
      lexer_.advance();
      open_.pop_back();
      in_object ? handler_.end_object() : handler_.end_array();
    }
    lexer_.peek();
    return lexer_.at_end() || lexer_.fail_here("the end of the text");
  }

  Lexer lexer_;
  std::size_t max_depth_;
  Handler& handler_;
  std::string open_;  // '[' or '{' for each container that is not closed yet
  bool stopped_ = false;
};

// Reads `text` into `handler`. None if all was read or a `key` returned false.
template <typename Handler>
std::optional<ReadError> read_events(std::string_view text, std::size_t max_depth,
                                     Handler& handler) {
  return EventReader<Handler>(text, max_depth, handler).run();
}

}  // namespace spec::json
