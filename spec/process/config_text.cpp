#include "spec/process/config_text.hpp"

#include "spec/document/text_file.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace spec::process {
namespace {

constexpr std::string_view kForm = "must be NAME = VALUE";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMaxProblems = 10;  // of a file that is something else

// A syntax error, which ends the reading of a line.
struct LineError {
  std::size_t at;
  std::string message;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file)
      : text_(text), file_(file), cursor_(text) {}

  ConfigText read() && {
    if (const auto at = first_that_is_no_text(); at < text_.size()) {
      note(at, "must be text in UTF-8, but here is " + text::describe_byte(text_, at));
      return std::move(read_);
    }
    while (at_ < text_.size() && read_.problems.size() < kMaxProblems) {
      try {
        read_line();
      } catch (const LineError& error) {
        note(error.at, error.message);
        at_ = std::min(text_.find('\n', std::max(at_, error.at)), text_.size());
      }
      ++at_;  // the line break
    }
    return std::move(read_);
  }

 private:
  // The offset of the first byte that is no UTF-8, or a control character (a return that ends no
  // line is one); else the end.
  std::size_t first_that_is_no_text() const {
    const auto end = text::valid_utf8_prefix(text_);
    std::size_t at = 0;
    while (at < end && !is_control(at)) {
      ++at;
    }
    return at;
  }

  bool is_control(std::size_t at) const {
    const char byte = text_[at];
    return static_cast<unsigned char>(byte) < 0x20 && byte != '\t' && byte != '\n' &&
           !ends_line(at);
  }

  // True if this is the return before a line break.
  bool ends_line(std::size_t at) const { return text_.substr(at, 2) == "\r\n"; }

  void note(std::size_t at, std::string message) {
    const document::Spot spot = cursor_.locate(at);
    read_.problems.push_back({.file = file_,
                              .line = spot.line,
                              .column = spot.column,
                              .pointer = "",
                              .message = std::move(message)});
  }

  char here() const { return at_ < text_.size() ? text_[at_] : '\n'; }

  // Skips blanks, also the return before a line break.
  void skip_blanks() {
    while (here() == ' ' || here() == '\t' || here() == '\r') {
      ++at_;
    }
  }

  void skip_comment() {
    skip_blanks();
    if (here() == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
  }

  void read_line() {
    skip_comment();
    if (here() == '\n') {
      return;
    }
    if (here() == '[') {
      throw LineError{at_, "sections are not used; write NAME = VALUE without one"};
    }
    ConfigLine line;
    const document::Spot spot = cursor_.locate(at_);
    line.line = spot.line;
    line.column = spot.column;
    line.name = read_name();
    line.is_list = here() == '[';
    if (line.is_list) {
      read_list(line.values);
    } else {
      line.values.push_back(read_value());
    }
    skip_comment();
    if (here() != '\n') {
      throw LineError{
          at_,
          "unexpected " + text::describe_byte(text_, at_) +
              " after a value; put a text with blanks into quotes, and several values into []"};
    }
    read_.lines.push_back(std::move(line));
  }

  // Reads up to the first byte of the value.
  std::string read_name() {
    const auto start = at_;
    while (text::is_letter_or_digit(here()) || here() == '-' || here() == '_' || here() == '.') {
      ++at_;
    }
    std::string name(text_.substr(start, at_ - start));
    skip_blanks();
    if (name.empty() || here() != '=') {
      throw LineError{start, std::string(kForm) + ", as in jobs = 4 or verbose = true"};
    }
    ++at_;
    skip_blanks();
    return name;
  }

  std::string read_value() {
    if (here() == '"') {
      return read_text();
    }
    if (here() == '\'') {
      return read_literal();
    }
    const auto start = at_;
    while (at_ < text_.size() && text_.find_first_of(" \t\r\n,[]#\"'", at_) != at_) {
      ++at_;
    }
    if (here() == '#' && at_ > start) {
      throw LineError{at_, "put a text with # into quotes, or a blank before a comment"};
    }
    if (at_ == start) {
      throw LineError{at_, std::string(kForm) + ", but has no value"};
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::size_t end_of_quoted(char quote) const {
    const auto end = text_.find_first_of(std::string{quote, '\n'}, at_);
    return end == std::string_view::npos || text_[end] == '\n' ? text_.size() : end;
  }

  std::string read_literal() {
    const auto start = at_++;
    const auto end = end_of_quoted('\'');
    if (end == text_.size()) {
      throw LineError{start, "a text in quotes has no end in its line"};
    }
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }

  std::string read_text() {
    const auto start = at_++;
    std::string value;
    while (here() != '"') {
      if (here() == '\n') {
        throw LineError{start, "a text in quotes has no end in its line"};
      }
      if (here() == '\\') {
        append_escaped(value);
      } else {
        value += here();
        ++at_;
      }
    }
    ++at_;
    return value;
  }

  void append_escaped(std::string& value) {
    static constexpr std::string_view kLetters = "btnfr\"\\";
    static constexpr std::string_view kMeant = "\b\t\n\f\r\"\\";
    const auto start = at_++;
    const char letter = here();
    const auto found = kLetters.find(letter);
    if (found != std::string_view::npos) {
      value += kMeant[found];
      ++at_;
      return;
    }
    const std::size_t digits = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    const auto point = code_point(text_.substr(std::min(at_ + 1, text_.size()), digits), digits);
    if (!point) {
      const auto escape = text_.substr(start, digits == 0 ? 2 : digits + 2);
      throw LineError{start, text::in_quotes(escape) +
                                 " is no escape; write \\\\ for a backslash, or put the text into "
                                 "single quotes"};
    }
    text::append_utf8(value, *point);
    at_ += 1 + digits;
  }

  static std::optional<char32_t> code_point(std::string_view hex, std::size_t digits) {
    char32_t point = 0;
    for (const char digit : hex) {
      const int value = text::hex_digit_value(digit);
      if (value < 0) {
        return std::nullopt;
      }
      point = point * 16 + static_cast<char32_t>(value);
    }
    const bool is_scalar = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF) && point != 0;
    return digits > 0 && hex.size() == digits && is_scalar ? std::optional(point) : std::nullopt;
  }

  void read_list(std::vector<std::string>& values) {
    const auto start = at_++;
    skip_to_item();
    while (here() != ']') {
      if (at_ == text_.size()) {
        throw LineError{start, "a list has no end"};
      }
      values.push_back(read_value());
      skip_to_item();
      if (here() == ',') {
        ++at_;
        skip_to_item();
      } else if (here() != ']' && at_ < text_.size()) {
        throw LineError{at_, "must be a comma or the end of the list that begins in line " +
                                 std::to_string(cursor_.locate(start).line)};
      }
    }
    ++at_;
  }

  // Lists may have comments and several lines.
  void skip_to_item() {
    skip_comment();
    while (at_ < text_.size() && here() == '\n') {
      ++at_;
      skip_comment();
    }
  }

  std::string_view text_;
  const std::string& file_;
  document::Cursor cursor_;
  std::size_t at_ = 0;
  ConfigText read_;
};

}  // namespace

ConfigText read_config_text(std::string_view text, const std::string& file) {
  text.remove_prefix(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  return Reader(text, file).read();
}

}  // namespace spec::process
