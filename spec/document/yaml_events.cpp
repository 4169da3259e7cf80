#include "spec/document/yaml_events.hpp"

#include "spec/text/utf8.hpp"

#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace spec::document {

namespace {

constexpr char32_t kFirstStandIn = 0x10FE00;
constexpr char32_t kLastStandIn = 0x10FEFF;

// The character from `low` to `high` whose escape, without its backslash, `text` starts with: a
// letter and so many hexadecimal digits; else 0.
char32_t escaped(std::string_view text, char letter, std::size_t digits, char32_t low,
                 char32_t high) {
  std::uint32_t code = 0;
  if (text.size() <= digits || text[0] != letter) {
    return 0;
  }
  const char* const end = text.data() + 1 + digits;
  const bool is_hexadecimal = std::from_chars(text.data() + 1, end, code, 16).ptr == end;
  return is_hexadecimal && code >= low && code <= high ? code : 0;
}

// Half of a surrogate pair: "ud83d".
char32_t surrogate(std::string_view text) {
  return escaped(text, 'u', 4, 0xD800, 0xDFFF);
}

constexpr std::size_t kLongEscape = 8;  // digits

// A character that is a stand-in elsewhere: "U0010FE41".
char32_t escaped_stand_in(std::string_view text) {
  return escaped(text, 'U', kLongEscape, kFirstStandIn, kLastStandIn);
}

// True if the '?' at `at` starts a plain scalar that may be in a flow collection.
bool starts_flow_scalar(std::string_view text, std::size_t at) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t before = text.substr(0, at).find_last_not_of(kBlanks);
  const bool in_flow =
      before != text.npos && std::string_view("[{,:").find(text[before]) != text.npos;
  return in_flow && at + 1 < text.size() &&
         std::string_view(" \t\r\n,[]{}").find(text[at + 1]) == text.npos;
}

// True if the tab at `at` is behind the blanks of a literal's first line: text, since blanks alone
// indent. Source: YAML 1.2.2 §8.1.1.1, example 8.2.
bool starts_block_text(std::string_view text, std::size_t at) {
  const std::size_t start = text.substr(0, at).find_last_not_of(' ') + 1;
  if (start == 0 || start == at || text[start - 1] != '\n') {
    return false;
  }
  std::string_view header = text.substr(0, text.substr(0, start).find_last_not_of(" \r\n") + 1);
  header.remove_prefix(header.find_last_of('\n') + 1);
  header = header.substr(0, std::min(header.find(" #"), header.find("\t#")));
  header = header.substr(0, header.find_last_not_of(" \t+-") + 1);
  if (!header.ends_with('|')) {
    return false;
  }
  header.remove_suffix(1);
  const std::size_t end = header.find_last_not_of(' ') + 1;
  const std::string_view word = header.substr(header.substr(0, end).find_last_of(' ') + 1);
  return end == 0 ||
         (end < header.size() && (std::string_view(":-?").find(header[end - 1]) != header.npos ||
                                  word.starts_with('!') || word.starts_with('&')));
}

// True if the character at `at` needs a stand-in.
bool is_misread(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  switch (rest[0]) {
    case '\x7F': return true;
    case '\xC2': return static_cast<unsigned char>(rest[1]) < 0xA0U;  // U+0080 to U+009F
    case '\xE2': return rest.starts_with("\u2028") || rest.starts_with("\u2029");
    case '\xEF': return rest.starts_with("\uFFFE") || rest.starts_with("\uFFFF");
    case '\\': return surrogate(rest.substr(1)) != 0 || escaped_stand_in(rest.substr(1)) != 0;
    case '?': return starts_flow_scalar(text, at);
    case '\t': return starts_block_text(text, at);
    default: return false;
  }
}

char32_t stand_in(char32_t code) {
  return kFirstStandIn | (code & 0xFFU);
}

char32_t original(char32_t stand_in) {
  const char32_t low = stand_in & 0xFFU;
  return low == 0x28U || low == 0x29U ? 0x2000U | low : (low >= 0xFEU ? 0xFF00U | low : low);
}

// Reads the character whose escape, with stand-ins for its backslashes, starts `rest`; none if it
// is half of a surrogate pair.
std::optional<char32_t> take_escape(std::string_view& rest) {
  constexpr std::size_t kBackslash = 4;  // bytes of its stand-in
  constexpr std::size_t kHalf = kBackslash + 5;
  if (const char32_t own = escaped_stand_in(rest.substr(kBackslash)); own != 0) {
    rest.remove_prefix(kBackslash + 1 + kLongEscape);
    return own;
  }
  const char32_t high = surrogate(rest.substr(kBackslash));
  const std::string_view second = rest.substr(std::min(kHalf, rest.size()));
  const bool follows = second.starts_with(rest.substr(0, kBackslash));
  const char32_t low = follows ? surrogate(second.substr(kBackslash)) : 0;
  if (high >= 0xDC00U || low < 0xDC00U) {
    return std::nullopt;
  }
  rest.remove_prefix(2 * kHalf);
  return 0x10000U + ((high - 0xD800U) << 10U) + (low - 0xDC00U);
}

}  // namespace

std::optional<std::string> with_stand_ins(std::string_view text) {
  std::optional<std::string> changed;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_misread(text, at)) {
      at += text[at] == '\\' && text.substr(at + 1).starts_with('\\') ? 1U : 0U;
      continue;
    }
    const std::string_view character = text.substr(at, text::utf8_sequence(text, at));
    std::string& out = changed ? *changed : changed.emplace();
    out += text.substr(copied, at - copied);
    text::append_utf8(out, stand_in(text::decode_utf8(character)));
    copied = at + character.size();
  }
  if (changed) {
    *changed += text.substr(copied);
  }
  return changed;
}

RestoredScalar restore_scalar(std::string_view scalar, bool escapes) {
  RestoredScalar back;
  while (!scalar.empty()) {
    const std::string_view character = scalar.substr(0, text::utf8_sequence(scalar, 0));
    const char32_t code = text::decode_utf8(character);
    if (code < kFirstStandIn || code > kLastStandIn) {
      back.text += character;
      scalar.remove_prefix(character.size());
    } else if (original(code) != U'\\' || !escapes) {
      text::append_utf8(back.text, original(code));
      scalar.remove_prefix(character.size());
    } else if (const auto meant = take_escape(scalar)) {
      text::append_utf8(back.text, *meant);
    } else {
      return {.text = {}, .problem = "half of a surrogate pair is not a character"};
    }
  }
  return back;
}

namespace {

std::optional<std::string_view> view(const yaml_char_t* text) {
  return text == nullptr ? std::nullopt
                         : std::optional<std::string_view>(reinterpret_cast<const char*>(text));
}

Spot spot_of(const yaml_mark_t& mark) {
  return {.line = static_cast<std::uint32_t>(mark.line + 1),
          .column = static_cast<std::uint32_t>(mark.column + 1)};
}

// The advice for an error of libyaml's; "" for errors whose text includes it.
std::string_view remedy(std::string_view problem) {
  struct Remedy {
    std::string_view problem;
    std::string_view text;
  };

  constexpr Remedy kRemedies[] = {
      {"mapping values are not allowed", "quote a text that has \": \" in it"},
      {"cannot start any token", "indent with spaces, quote a text that starts with %, @ or `"},
      {"an indentation space is expected",
       "indent with spaces; if the text starts with a tab, give the indentation: >2"},
      {"tab character that violates", "indent with spaces"},
      {"expected <document start>", "one file holds one document: check the indentation"},
      {"unknown escape", "write \\\\ for a backslash, or use single quotes"},
      {"alphabetic or numeric character", "a name has letters, digits, - and _"},
      {"found incompatible YAML document", "write %YAML 1.2, or leave the line out"},
      {"found unexpected end of stream", "close the quote that starts there"},
      {"found unexpected document indicator", "close the quote that starts there"},
      {"could not find expected ':'",
       "a key needs \": \" after it, a text of several lines more "
       "indentation"},
  };
  for (const Remedy& one : kRemedies) {
    if (problem.find(one.problem) != problem.npos) {
      return one.text;
    }
  }
  return "";
}

// True if the key at the start of the line (from 0) is longer than libyaml reads without "?".
bool has_long_key(std::string_view text, std::size_t line) {
  constexpr std::size_t kMaxKey = 1024;  // YAML 1.2.2 §7.4.2
  for (; line > 0 && !text.empty(); --line) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  text = text.substr(0, text.find('\n'));
  const std::size_t end = std::min(text.find(": "), text.size());
  return end - std::min(text.find_first_not_of(" -"), end) > kMaxKey;
}

}  // namespace

struct YamlEvents::Parser {
  std::string_view text;
  std::optional<std::string> changed;  // the text with stand-ins, if it needs them
  yaml_parser_t parser{};
  yaml_event_t held{};
  YamlEvent event;
  std::string scratch;  // the restored text of the event

  bool take();
  void take_scalar();
};

// Makes `event` of libyaml's event; false for the start and end of the stream.
bool YamlEvents::Parser::take() {
  event = {.spot = spot_of(held.start_mark)};
  switch (held.type) {
    case YAML_DOCUMENT_START_EVENT:
      event.kind = YamlEventKind::kDocumentStart;
      if (const auto* version = held.data.document_start.version_directive) {
        event.version = std::to_string(version->major) + "." + std::to_string(version->minor);
      }
      return true;
    case YAML_DOCUMENT_END_EVENT: event.kind = YamlEventKind::kDocumentEnd; return true;
    case YAML_ALIAS_EVENT:
      event.kind = YamlEventKind::kAlias;
      event.text = *view(held.data.alias.anchor);
      return true;
    case YAML_SCALAR_EVENT: take_scalar(); return true;
    case YAML_SEQUENCE_START_EVENT:
      event.kind = YamlEventKind::kSequenceStart;
      event.tag = view(held.data.sequence_start.tag);
      event.anchor = view(held.data.sequence_start.anchor);
      return true;
    case YAML_SEQUENCE_END_EVENT: event.kind = YamlEventKind::kSequenceEnd; return true;
    case YAML_MAPPING_START_EVENT:
      event.kind = YamlEventKind::kMappingStart;
      event.tag = view(held.data.mapping_start.tag);
      event.anchor = view(held.data.mapping_start.anchor);
      return true;
    case YAML_MAPPING_END_EVENT: event.kind = YamlEventKind::kMappingEnd; return true;
    default: return false;
  }
}

void YamlEvents::Parser::take_scalar() {
  const auto& scalar = held.data.scalar;
  event.text = {reinterpret_cast<const char*>(scalar.value), scalar.length};
  event.is_plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
  event.tag = view(scalar.tag);
  event.anchor = view(scalar.anchor);
  if (changed) {
    RestoredScalar back =
        restore_scalar(event.text, scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE);
    scratch = std::move(back.text);
    event.text = scratch;
    event.problem = std::move(back.problem);
  }
}

YamlEvents::YamlEvents(std::string_view text) : parser_(std::make_unique<Parser>()) {
  parser_->changed = with_stand_ins(text);
  if (yaml_parser_initialize(&parser_->parser) == 0) {
    throw std::bad_alloc();
  }
  parser_->text = text;
  const std::string_view input = parser_->changed ? *parser_->changed : text;
  yaml_parser_set_encoding(&parser_->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_->parser,
                               reinterpret_cast<const unsigned char*>(input.data()), input.size());
}

YamlEvents::~YamlEvents() {
  yaml_event_delete(&parser_->held);
  yaml_parser_delete(&parser_->parser);
}

const YamlEvent* YamlEvents::next() {
  Parser& state = *parser_;
  do {
    yaml_event_delete(&state.held);
    if (yaml_parser_parse(&state.parser, &state.held) == 0 ||
        state.held.type == YAML_STREAM_END_EVENT) {
      return nullptr;
    }
  } while (!state.take());
  return &state.event;
}

std::optional<YamlError> YamlEvents::error() const {
  const yaml_parser_t& parser = parser_->parser;
  if (parser.error == YAML_MEMORY_ERROR) {
    throw std::bad_alloc();
  }
  if (parser.error == YAML_NO_ERROR) {
    return std::nullopt;
  }
  YamlError error{.spot = spot_of(parser.problem_mark), .message = parser.problem};
  const Spot context = spot_of(parser.context_mark);
  if (parser.context != nullptr) {
    error.message += std::string(" ") + parser.context;
  }
  if (parser.context != nullptr && context != error.spot) {
    error.message += " that starts at line " + std::to_string(context.line) + ", column " +
                     std::to_string(context.column);
  }
  const std::string_view problem = parser.problem;
  const bool is_of_key = problem.find("mapping values are not allowed") != problem.npos ||
                         problem.find("could not find expected ':'") != problem.npos;
  const std::string_view what =
      is_of_key && has_long_key(parser_->text, error.spot.line - 1)
          ? "a key of more than 1024 characters needs \"? \" before it, and its \": \" at the "
            "start of the next line"
          : remedy(problem);
  if (!what.empty()) {
    error.message.append("; ").append(what);
  }
  return error;
}

}  // namespace spec::document
