#include "spec/document/yaml_text.hpp"

#include "spec/json/lexer.hpp"
#include "spec/json/utf8.hpp"

#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

namespace spec::document {
namespace {

bool is_blank(char byte) {
  return byte == ' ' || byte == '\t';
}

bool is_break(char byte) {
  return byte == '\n' || byte == '\r';
}

// One scalar; used once.
class Decoder {
 public:
  Decoder(std::string_view raw, std::string& out) : raw_(raw), out_(out) { out_.clear(); }

  // False, with problem() set, where an escape is none.
  bool run(FlowStyle style) {
    while (at_ < raw_.size()) {
      const char byte = raw_[at_];
      if (is_break(byte)) {
        fold();
      } else if (byte == '\'' && style == FlowStyle::kSingleQuoted) {
        out_ += byte;
        at_ += 2;
      } else if (byte == '\\' && style == FlowStyle::kDoubleQuoted) {
        if (!escape()) {
          return false;
        }
      } else {
        out_ += byte;
        ++at_;
      }
    }
    return true;
  }

  std::string take_problem() { return std::move(problem_); }

 private:
  bool fail(std::string message) {
    problem_ = std::move(message);
    return false;
  }

  void take_break() {
    at_ += raw_.substr(at_).starts_with("\r\n") ? 2 : 1;
    while (at_ < raw_.size() && is_blank(raw_[at_])) {
      ++at_;
    }
  }

  // A line break and the blanks around it are one space, unless empty lines follow: those stay.
  void fold() {
    while (out_.size() > fixed_ && is_blank(out_.back())) {
      out_.pop_back();
    }
    take_break();
    if (!take_empty_lines()) {
      out_ += ' ';
    }
    fixed_ = out_.size();
  }

  bool take_empty_lines() {
    const std::size_t before = at_;
    while (at_ < raw_.size() && is_break(raw_[at_])) {
      out_ += '\n';
      take_break();
    }
    return at_ != before;
  }

  bool escape() {
    ++at_;
    if (at_ == raw_.size()) {
      return fail("must be an escape but the text ends after '\\'");
    }
    const char byte = raw_[at_];
    if (is_break(byte)) {
      take_break();
      take_empty_lines();
    } else if (byte == 'x' || byte == 'u' || byte == 'U') {
      ++at_;
      if (!code_point(byte == 'x' ? 2 : (byte == 'u' ? 4 : 8))) {
        return false;
      }
    } else if (!character(byte)) {
      return false;
    }
    fixed_ = out_.size();
    return true;
  }

  // YAML 1.2.2 §5.7.
  bool character(char byte) {
    constexpr std::string_view kNames = "0abt\tnvfre \"/\\N_LP";
    constexpr char32_t kMeanings[] = {0,    7,   8,   '\t', '\t', '\n', 0x0B, 0x0C,   '\r',
                                      0x1B, ' ', '"', '/',  '\\', 0x85, 0xA0, 0x2028, 0x2029};
    const std::size_t name = kNames.find(byte);
    if (name == std::string_view::npos) {
      return fail("must be an escape of YAML 1.2 but is '\\' and " +
                  json::describe_byte(raw_, at_));
    }
    json::append_utf8(out_, kMeanings[name]);
    ++at_;
    return true;
  }

  std::optional<char32_t> hexadecimal(std::size_t digits) {
    const std::string_view text = raw_.substr(at_, digits);
    std::uint32_t code = 0;
    const char* end = text.data() + text.size();
    if (text.size() < digits || std::from_chars(text.data(), end, code, 16).ptr != end) {
      return std::nullopt;
    }
    at_ += digits;
    return code;
  }

  // Two escapes of a surrogate pair are one character, as in JSON, of which YAML is a superset.
  bool code_point(std::size_t digits) {
    auto code = hexadecimal(digits);
    if (!code) {
      return fail("must be an escape of " + std::to_string(digits) + " hexadecimal digits");
    }
    if (*code >= 0xD800U && *code < 0xDC00U && raw_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      const auto low = hexadecimal(4);
      const bool paired = low && *low >= 0xDC00U && *low <= 0xDFFFU;
      code = paired ? 0x10000U + ((*code - 0xD800U) << 10U) + (*low - 0xDC00U) : *code;
    }
    if (*code >= 0xD800U && *code <= 0xDFFFU) {
      return fail("must be a character but is half of a surrogate pair");
    }
    if (*code > 0x10FFFFU) {
      return fail("must be a character but is beyond U+10FFFF");
    }
    json::append_utf8(out_, *code);
    return true;
  }

  std::string_view raw_;
  std::string& out_;
  std::size_t at_ = 0;
  std::size_t fixed_ = 0;  // blanks before this place in out_ were escaped: folding keeps them
  std::string problem_;
};

std::string_view special_bytes(FlowStyle style) {
  switch (style) {
    case FlowStyle::kPlain: return "\r\n";
    case FlowStyle::kSingleQuoted: return "\r\n'";
    case FlowStyle::kDoubleQuoted: break;
  }
  return "\r\n\\";
}

}  // namespace

FlowText decode_flow_scalar(std::string_view raw, FlowStyle style, std::string& scratch) {
  if (raw.find_first_of(special_bytes(style)) == std::string_view::npos) {
    return {.text = raw};
  }
  Decoder decoder(raw, scratch);
  if (!decoder.run(style)) {
    return {.text = {}, .problem = decoder.take_problem()};
  }
  return {.text = scratch};
}

}  // namespace spec::document
