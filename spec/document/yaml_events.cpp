#include "spec/document/yaml_events.hpp"

#include "spec/document/yaml_block.hpp"
#include "spec/document/yaml_text.hpp"
#include "spec/json/utf8.hpp"

#include <libfyaml.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>

namespace spec::document {
namespace {

std::string_view token_text(fy_token* token) {
  std::size_t length = 0;
  const char* text = fy_token_get_text(token, &length);
  return text == nullptr ? std::string_view() : std::string_view(text, length);
}

std::optional<std::string_view> optional_text(fy_token* token) {
  return token == nullptr ? std::nullopt : std::optional(token_text(token));
}

// The parser quotes bytes of the text as they are.
std::string shown(std::string_view message) {
  constexpr std::size_t kMaxShownBytes = 200;
  return json::one_line(message.substr(0, json::valid_utf8_prefix(message)), kMaxShownBytes);
}

std::optional<YamlEventKind> kind_of(fy_event_type type) {
  switch (type) {
    case FYET_DOCUMENT_START: return YamlEventKind::kDocumentStart;
    case FYET_DOCUMENT_END: return YamlEventKind::kDocumentEnd;
    case FYET_MAPPING_START: return YamlEventKind::kMappingStart;
    case FYET_MAPPING_END: return YamlEventKind::kMappingEnd;
    case FYET_SEQUENCE_START: return YamlEventKind::kSequenceStart;
    case FYET_SEQUENCE_END: return YamlEventKind::kSequenceEnd;
    case FYET_SCALAR: return YamlEventKind::kScalar;
    case FYET_ALIAS: return YamlEventKind::kAlias;
    default: return std::nullopt;
  }
}

YamlStyle style_of(fy_token* token) {
  switch (fy_scalar_token_get_style(token)) {
    case FYSS_SINGLE_QUOTED: return YamlStyle::kSingleQuoted;
    case FYSS_DOUBLE_QUOTED: return YamlStyle::kDoubleQuoted;
    case FYSS_LITERAL:
    case FYSS_FOLDED: return YamlStyle::kBlock;
    default: return YamlStyle::kPlain;
  }
}

FlowStyle flow_style(YamlStyle style) {
  switch (style) {
    case YamlStyle::kSingleQuoted: return FlowStyle::kSingleQuoted;
    case YamlStyle::kDoubleQuoted: return FlowStyle::kDoubleQuoted;
    default: return FlowStyle::kPlain;
  }
}

std::string version_of(const fy_event& event) {
  fy_document_state* state = event.document_start.document_state;
  if (state == nullptr || !fy_document_state_version_explicit(state)) {
    return {};
  }
  const fy_version* version = fy_document_state_version(state);
  return std::to_string(version->major) + "." + std::to_string(version->minor);
}

}  // namespace

struct YamlEvents::Parser {
  fy_diag* diagnostics = nullptr;
  fy_parser* parser = nullptr;
  fy_event* held = nullptr;
  bool complete = false;  // the end of the text was reached
  YamlEvent event;
  std::string_view source;
  std::string scratch;            // what the event's text views if the source cannot be viewed
  std::vector<std::size_t> open;  // where each open collection begins
  std::size_t last_end = 0;       // of the events before
  std::size_t taken = 0;          // events so far, the held one too
  std::string patched;            // the source as the parser gets it, once it differs
  // Blocks that the parser does not see the end of, by where they begin: their end and text. In the
  // patched source a plain scalar of one letter stands for each.
  std::unordered_map<std::size_t, std::pair<std::size_t, std::string>> blocks;

  void start(std::string_view text);
  void stop();
  void release();
  bool parse_next();
  void skip_block(std::size_t end, std::string text);
  void take(YamlEventKind kind);
  void take_marks();
  void take_scalar(fy_token* token);
  void take_block();
  void take_collection(YamlEventKind kind);
  std::size_t block_header(std::size_t content) const;
  std::optional<std::size_t> parent_indentation() const;
};

void YamlEvents::Parser::start(std::string_view text) {
  fy_diag_cfg diagnostic{};
  fy_diag_cfg_default(&diagnostic);
  diagnostic.fp = nullptr;
  diagnostics = fy_diag_create(&diagnostic);
  if (diagnostics == nullptr) {
    throw std::bad_alloc();
  }
  fy_diag_set_collect_errors(diagnostics, true);
  fy_parse_cfg configuration{};
  configuration.flags = static_cast<fy_parse_cfg_flags>(
      unsigned{FYPCF_QUIET} | unsigned{FYPCF_COLLECT_DIAG} | unsigned{FYPCF_DEFAULT_VERSION_1_2} |
      unsigned{FYPCF_JSON_NONE});
  configuration.diag = diagnostics;
  parser = fy_parser_create(&configuration);
  if (parser == nullptr || fy_parser_set_string(parser, text.data(), text.size()) != 0) {
    stop();
    throw std::bad_alloc();
  }
}

void YamlEvents::Parser::stop() {
  release();
  fy_parser_destroy(parser);
  fy_diag_destroy(diagnostics);
  parser = nullptr;
  diagnostics = nullptr;
}

bool YamlEvents::Parser::parse_next() {
  release();
  held = fy_parser_parse(parser);
  ++taken;
  return held != nullptr;
}

// Begins anew with a letter in the place of the block of the event at hand, up to the same event.
void YamlEvents::Parser::skip_block(std::size_t end, std::string text) {
  const std::size_t begin = *event.begin;
  patched = patched.empty() ? std::string(source) : std::move(patched);
  std::replace_if(
      patched.begin() + static_cast<std::ptrdiff_t>(begin),
      patched.begin() + static_cast<std::ptrdiff_t>(end), [](char byte) { return byte != '\n'; },
      ' ');
  patched[begin] = 'x';
  blocks[begin] = {end, std::move(text)};
  const std::size_t wanted = std::exchange(taken, 0);
  stop();
  start(patched);
  while (taken < wanted && parse_next()) {
  }
}

void YamlEvents::Parser::release() {
  if (held != nullptr) {
    fy_parser_event_free(parser, held);
    held = nullptr;
  }
}

// Makes `event` of what is held.
void YamlEvents::Parser::take(YamlEventKind kind) {
  event = {.kind = kind};
  take_marks();
  fy_token* token = fy_event_get_token(held);
  if (kind == YamlEventKind::kDocumentStart) {
    event.version = version_of(*held);
  } else if (kind == YamlEventKind::kAlias) {
    event.text = token_text(token);
    event.begin = event.begin.value_or(1) - 1;
  } else if (kind == YamlEventKind::kScalar) {
    take_scalar(token);
  }
  if (held != nullptr && (kind == YamlEventKind::kScalar || kind == YamlEventKind::kMappingStart ||
                          kind == YamlEventKind::kSequenceStart)) {
    event.tag = optional_text(fy_event_get_tag_token(held));
    event.anchor = optional_text(fy_event_get_anchor_token(held));
  }
  take_collection(kind);
  last_end = std::max(last_end, event.end);
}

void YamlEvents::Parser::take_marks() {
  const fy_mark* begin = fy_event_start_mark(held);
  const fy_mark* end = fy_event_end_mark(held);
  if (begin != nullptr) {
    event.begin = std::min(begin->input_pos, source.size());
    event.end =
        end == nullptr ? *event.begin : std::clamp(end->input_pos, *event.begin, source.size());
  }
}

// Marks lie inside the quotes, and a block scalar's after its header.
void YamlEvents::Parser::take_scalar(fy_token* token) {
  event.style = style_of(token);
  if (!event.begin) {
    return;
  }
  if (event.style == YamlStyle::kBlock) {
    take_block();
    return;
  }
  if (const auto block = blocks.find(*event.begin); block != blocks.end()) {
    event.style = YamlStyle::kBlock;
    event.end = block->second.first;
    event.text = block->second.second;
    return;
  }
  const std::string_view raw = source.substr(*event.begin, event.end - *event.begin);
  FlowText decoded = decode_flow_scalar(raw, flow_style(event.style), scratch);
  event.text = decoded.text;
  event.problem = std::move(decoded.problem);
  if (event.style != YamlStyle::kPlain) {
    event.begin = *event.begin - std::min<std::size_t>(*event.begin, 1);
    event.end = std::min(event.end + 1, source.size());
  }
}

void YamlEvents::Parser::take_block() {
  constexpr std::size_t kMaxSkipped = 100;  // each begins anew
  event.begin = block_header(*event.begin);
  BlockText decoded =
      decode_block_scalar({.raw = source.substr(*event.begin, event.end - *event.begin),
                           .parent_indentation = parent_indentation()});
  scratch = std::move(decoded.text);
  event.text = scratch;
  event.problem = std::move(decoded.problem);
  if (decoded.swallowed_from && blocks.size() < kMaxSkipped) {
    event.end = *event.begin + *decoded.swallowed_from;
    skip_block(event.end, scratch);
  } else if (decoded.swallowed_from) {
    event.problem = "must not be one of more than " + std::to_string(kMaxSkipped) +
                    " blocks without a line; write \"\" instead";
  }
}

void YamlEvents::Parser::take_collection(YamlEventKind kind) {
  if (kind == YamlEventKind::kMappingStart || kind == YamlEventKind::kSequenceStart) {
    open.push_back(event.begin.value_or(last_end));
  } else if (!open.empty() &&
             (kind == YamlEventKind::kMappingEnd || kind == YamlEventKind::kSequenceEnd)) {
    open.pop_back();
  }
}

// The '|' or '>' between the last event and the block's content; comments may stand before it.
std::size_t YamlEvents::Parser::block_header(std::size_t content) const {
  for (std::size_t at = last_end; at < content; ++at) {
    const bool apart = at == 0 || std::string_view(" \t\n").find(source[at - 1]) != source.npos;
    if (apart && source[at] == '#') {
      at = std::min(source.find('\n', at), content);
    } else if (apart && (source[at] == '|' || source[at] == '>')) {
      return at;
    }
  }
  return content;
}

std::optional<std::size_t> YamlEvents::Parser::parent_indentation() const {
  if (open.empty()) {
    return std::nullopt;
  }
  const std::size_t line = source.substr(0, open.back()).rfind('\n');
  return open.back() - (line == source.npos ? 0 : line + 1);
}

YamlEvents::YamlEvents(std::string_view text) : parser_(std::make_unique<Parser>()) {
  parser_->source = text;
  parser_->start(text);
}

YamlEvents::~YamlEvents() {
  parser_->stop();
}

const YamlEvent* YamlEvents::next() {
  Parser& state = *parser_;
  std::optional<YamlEventKind> kind;
  // The stream's own start and end say nothing.
  while (!kind) {
    if (!state.parse_next()) {
      return nullptr;
    }
    state.complete = state.complete || state.held->type == FYET_STREAM_END;
    kind = kind_of(state.held->type);
  }
  state.take(*kind);
  return &state.event;
}

std::vector<YamlError> YamlEvents::errors() const {
  std::vector<YamlError> errors;
  void* iterator = nullptr;
  // Warnings, of directives that nobody knows, are not errors (YAML 1.2.2 §6.8.1).
  while (const fy_diag_error* error = fy_diag_errors_iterate(parser_->diagnostics, &iterator)) {
    if (error->type != FYET_ERROR) {
      continue;
    }
    errors.push_back({.line = static_cast<std::uint32_t>(std::max(error->line, 1)),
                      .column = static_cast<std::uint32_t>(std::max(error->column, 1)),
                      .message = shown(error->msg == nullptr ? "malformed" : error->msg)});
  }
  if (errors.empty() && !parser_->complete) {
    errors.push_back({.message = "malformed"});
  }
  return errors;
}

}  // namespace spec::document
