#include "spec/document/yaml_events.hpp"

#include "spec/document/yaml_characters.hpp"

#include <yaml.h>

#include <algorithm>
#include <new>
#include <utility>

namespace spec::document {
namespace {

std::optional<std::string_view> view(const yaml_char_t* text) {
  return text == nullptr ? std::nullopt
                         : std::optional<std::string_view>(reinterpret_cast<const char*>(text));
}

Spot spot_of(const yaml_mark_t& mark) {
  return {.line = static_cast<std::uint32_t>(mark.line + 1),
          .column = static_cast<std::uint32_t>(mark.column + 1)};
}

// What to do about an error of libyaml's; "" for those whose text says it.
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

// Whether the key that the line (from 0) starts with is longer than libyaml reads without "?".
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
  std::string scratch;  // what the event's text views where it was put back

  bool take();
  void take_scalar();
};

// Makes `event` of what is held; false for the start and end of the stream.
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
    PutBack back = put_back(event.text, scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE);
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
