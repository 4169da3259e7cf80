#include "spec/document/loaders.hpp"
#include "spec/json/events.hpp"
#include "spec/load_error.hpp"

#include <tuple>

namespace spec::document {
namespace {

// Takes the events of a text only to learn whether it is JSON.
struct NoHandler {
  void null(std::size_t /*offset*/) {}

  void boolean(bool /*value*/, std::size_t /*offset*/) {}

  void number(std::string_view /*text*/, std::size_t /*offset*/) {}

  void string(std::string_view /*value*/, std::size_t /*offset*/) {}

  bool key(std::string_view /*name*/, std::size_t /*offset*/) { return true; }

  void begin_array(std::size_t /*offset*/) {}

  void begin_object(std::size_t /*offset*/) {}

  void end_array() {}

  void end_object() {}
};

bool starts_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && (text[first] == '{' || text[first] == '[');
}

bool is_json(std::string_view text) {
  NoHandler handler;
  return !json::read_events(text, kMaxDepth, handler);
}

auto first_place(const LoadError& error) {
  const Problem& first = error.problems().front();
  return std::tuple(first.line, first.column);
}

}  // namespace

std::unique_ptr<Document> load_either(const Identity& identity, std::shared_ptr<Texts> texts) {
  if (!starts_like_json(texts->source)) {
    return load_yaml(identity, std::move(texts));
  }
  try {
    return load_json(identity, texts);
  } catch (const LoadError& as_json) {
    if (is_json(texts->source)) {
      throw;
    }
    try {
      return load_yaml(identity, texts);
    } catch (const LoadError& as_yaml) {
      if (first_place(as_yaml) > first_place(as_json)) {
        throw;
      }
    }
    throw;
  }
}

}  // namespace spec::document
