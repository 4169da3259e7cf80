#include "spec/document/yaml_events.hpp"

#include <libfyaml.h>

#include <algorithm>
#include <new>

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
    case FYSS_SINGLE_QUOTED:
    case FYSS_DOUBLE_QUOTED: return YamlStyle::kQuoted;
    case FYSS_LITERAL:
    case FYSS_FOLDED: return YamlStyle::kBlock;
    default: return YamlStyle::kPlain;
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
  YamlEvent event;

  void release() {
    if (held != nullptr) {
      fy_parser_event_free(parser, held);
      held = nullptr;
    }
  }
};

YamlEvents::YamlEvents(std::string_view text) : parser_(std::make_unique<Parser>()) {
  fy_diag_cfg diagnostics{};
  fy_diag_cfg_default(&diagnostics);
  diagnostics.fp = nullptr;
  parser_->diagnostics = fy_diag_create(&diagnostics);
  if (parser_->diagnostics == nullptr) {
    throw std::bad_alloc();
  }
  fy_diag_set_collect_errors(parser_->diagnostics, true);
  fy_parse_cfg configuration{};
  configuration.flags = static_cast<fy_parse_cfg_flags>(
      unsigned{FYPCF_QUIET} | unsigned{FYPCF_COLLECT_DIAG} | unsigned{FYPCF_DEFAULT_VERSION_1_2} |
      unsigned{FYPCF_JSON_NONE});
  configuration.diag = parser_->diagnostics;
  parser_->parser = fy_parser_create(&configuration);
  if (parser_->parser == nullptr ||
      fy_parser_set_string(parser_->parser, text.data(), text.size()) != 0) {
    fy_parser_destroy(parser_->parser);
    fy_diag_destroy(parser_->diagnostics);
    throw std::bad_alloc();
  }
}

YamlEvents::~YamlEvents() {
  parser_->release();
  fy_parser_destroy(parser_->parser);
  fy_diag_destroy(parser_->diagnostics);
}

const YamlEvent* YamlEvents::next() {
  Parser& state = *parser_;
  std::optional<YamlEventKind> kind;
  // The stream's own start and end say nothing.
  while (!kind) {
    state.release();
    state.held = fy_parser_parse(state.parser);
    if (state.held == nullptr) {
      return nullptr;
    }
    kind = kind_of(state.held->type);
  }
  state.event = {.kind = *kind};
  fy_token* token = fy_event_get_token(state.held);
  const fy_mark* begin = fy_event_start_mark(state.held);
  const fy_mark* end = fy_event_end_mark(state.held);
  if (begin != nullptr) {
    state.event.begin = begin->input_pos;
    state.event.end = end == nullptr ? begin->input_pos : end->input_pos;
  }
  switch (*kind) {
    case YamlEventKind::kDocumentStart: state.event.version = version_of(*state.held); break;
    case YamlEventKind::kAlias: state.event.text = token_text(token); break;
    case YamlEventKind::kScalar:
      state.event.text = token_text(token);
      state.event.style = style_of(token);
      [[fallthrough]];
    case YamlEventKind::kMappingStart:
    case YamlEventKind::kSequenceStart:
      state.event.tag = optional_text(fy_event_get_tag_token(state.held));
      state.event.anchor = optional_text(fy_event_get_anchor_token(state.held));
      break;
    default: break;
  }
  return &state.event;
}

std::vector<YamlError> YamlEvents::errors() const {
  std::vector<YamlError> errors;
  void* iterator = nullptr;
  while (const fy_diag_error* error = fy_diag_errors_iterate(parser_->diagnostics, &iterator)) {
    errors.push_back({.line = static_cast<std::uint32_t>(std::max(error->line, 1)),
                      .column = static_cast<std::uint32_t>(std::max(error->column, 1)),
                      .message = error->msg == nullptr ? "malformed" : error->msg});
  }
  if (errors.empty() && fy_parser_get_stream_error(parser_->parser)) {
    errors.push_back({.message = "malformed"});
  }
  return errors;
}

}  // namespace spec::document
