#include "spec/document/text_file.hpp"
#include "spec/document/tree_builder.hpp"
#include "spec/json/events.hpp"
#include "spec/load_error.hpp"

#include <tuple>
#include <utility>

namespace spec::document {

namespace {

// The events of spec/json as a tree. Never stops at a duplicate: the builder reports them all.
class JsonHandler {
 public:
  JsonHandler(TreeBuilder& builder, std::string_view text) : builder_(builder), cursor_(text) {}

  void null(std::size_t offset) { builder_.scalar(Kind::kNull, "null", cursor_.locate(offset)); }

  void boolean(bool value, std::size_t offset) {
    builder_.scalar(Kind::kBoolean, value ? "true" : "false", cursor_.locate(offset));
  }

  void number(std::string_view text, std::size_t offset) {
    builder_.scalar(Kind::kNumber, text, cursor_.locate(offset));
  }

  void string(std::string_view value, std::size_t offset) {
    builder_.scalar(Kind::kString, builder_.texts().keep(value), cursor_.locate(offset));
  }

  bool key(std::string_view name, std::size_t offset) {
    builder_.key(builder_.texts().keep(name), cursor_.locate(offset));
    return true;
  }

  void begin_array(std::size_t offset) { builder_.begin(Kind::kArray, cursor_.locate(offset)); }

  void begin_object(std::size_t offset) { builder_.begin(Kind::kObject, cursor_.locate(offset)); }

  void end_array() { builder_.end(); }

  void end_object() { builder_.end(); }

 private:
  TreeBuilder& builder_;
  Cursor cursor_;
};

}  // namespace

std::unique_ptr<Document> load_json(const Identity& identity, std::shared_ptr<Texts> texts) {
  const std::string_view text = texts->source;
  TreeBuilder builder(identity.uri, identity.name, std::move(texts));
  JsonHandler handler(builder, text);
  if (auto error = json::read_events(text, kMaxDepth, handler)) {
    builder.problem(Cursor(text).locate(error->byte_offset), std::move(error->message));
  }
  return builder.finish();
}

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
