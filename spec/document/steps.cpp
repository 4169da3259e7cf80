#include "spec/document/steps.hpp"

#include "spec/json/pointer.hpp"

#include <string>
#include <vector>

namespace spec::document {

Node step(const Node& node, std::string_view token) {
  if (!node.is_array()) {
    return node.find(token);
  }
  const auto index = json::array_index(token);
  return index ? node.at(*index) : Node();
}

Node nearest_below(Node node, std::string_view pointer) {
  const auto tokens = json::split_pointer(pointer);
  for (const std::string& token : tokens ? *tokens : std::vector<std::string>()) {
    const Node next = step(node, token);
    if (!next) {
      break;
    }
    node = next;
  }
  return node;
}

}  // namespace spec::document
