#include "mock_server/api/loading/fixture_members.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"

#include <nlohmann/json.hpp>

namespace mock_server::api::loading {

using spec::document::Node;

std::optional<std::string_view> text_at(const Node& node, std::string_view key) {
  const Node found = node.find(key);
  return found.is_string() ? std::optional(found.string()) : std::nullopt;
}

std::optional<bool> boolean_at(const Node& node, std::string_view key) {
  const Node found = node.find(key);
  return found.is_boolean() ? std::optional(found.boolean()) : std::nullopt;
}

std::optional<std::int64_t> integer_at(const Node& node, std::string_view key) {
  const Node found = node.find(key);
  return found.is_number() ? spec::json::to_int64(found.value()) : std::nullopt;
}

double number_of(const Node& node, double otherwise) {
  return node.is_number() ? spec::json::to_double(node.value()) : otherwise;
}

std::vector<std::string> texts_at(const Node& node, std::string_view key) {
  std::vector<std::string> texts;
  for (const Node& element : node.find(key).elements()) {
    if (element.is_string()) {
      texts.emplace_back(element.string());
    }
  }
  return texts;
}

std::optional<std::vector<std::string>> pointer_at(const Node& node, std::string_view key) {
  const auto text = text_at(node, key);
  return text ? spec::json::split_pointer(*text) : std::nullopt;
}

}  // namespace mock_server::api::loading
