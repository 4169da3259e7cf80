#include "spec/document/loaders.hpp"
#include "spec/json/events.hpp"
#include "spec/load_error.hpp"

#include <tuple>

namespace spec::document {
namespace {

bool starts_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && (text[first] == '{' || text[first] == '[');
}

bool is_json(std::string_view text) {
  json::IgnoreEvents handler;
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
