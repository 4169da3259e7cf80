#include "spec/document/document.hpp"

#include "spec/document/tree_builder.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace spec::document {

namespace {

// The record of an empty handle: null, without children or parent.
const NodeRecord kAbsent{};

const NodeRecord& record(const Node& node) {
  return node ? node.document().nodes[node.index()] : kAbsent;
}

Place place_of(const Document& document, Spot spot) {
  return {.file = document.shown, .line = spot.line, .column = spot.column};
}

// Recursion is bounded: loaders reject what is nested deeper than kMaxDepth.
nlohmann::json value_of(const Document& document, std::uint32_t index) {
  const NodeRecord& node = document.nodes[index];
  switch (node.kind) {
    case Kind::kNull: return nullptr;
    case Kind::kBoolean: return node.view() == "true";
    case Kind::kNumber: return json::make_number(node.view());
    case Kind::kString: return node.view();
    case Kind::kArray: {
      nlohmann::json::array_t array;
      array.reserve(node.size);
      for (std::uint32_t i = 0; i < node.size; ++i) {
        array.push_back(value_of(document, document.children[node.first + i].node));
      }
      return array;
    }
    case Kind::kObject: {
      nlohmann::json::object_t object;
      for (std::uint32_t i = 0; i < node.size; ++i) {
        const ChildRecord& child = document.children[node.first + i];
        object.emplace(child.key, value_of(document, child.node));
      }
      return object;
    }
  }
  return nullptr;
}

}  // namespace

std::string_view Texts::keep(std::string_view text) {
  const std::less_equal<const char*> before;
  if (text.empty()) {
    return {};
  }
  if ((before(source.data(), text.data()) &&
       before(text.data() + text.size(), source.data() + source.size()))) {
    return text;
  }
  auto* copy = static_cast<char*>(arena.allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

std::uint32_t slot_count(std::uint32_t members) {
  return std::bit_ceil(members * 2U);
}

std::uint32_t Document::member(const NodeRecord& object, std::string_view key) const {
  if (object.size <= kMaxScannedMembers) {
    for (std::uint32_t i = 0; i < object.size; ++i) {
      if (children[object.first + i].key == key) {
        return i;
      }
    }
    return kNoNode;
  }
  const std::uint32_t mask = slot_count(object.size) - 1U;
  auto slot = static_cast<std::uint32_t>(std::hash<std::string_view>{}(key)) & mask;
  while (const std::uint32_t held = slots[object.slots + slot]) {
    if (children[object.first + held - 1U].key == key) {
      return held - 1U;
    }
    slot = (slot + 1U) & mask;
  }
  return kNoNode;
}

std::size_t node_count(const Document& document) {
  return document.nodes.size();
}

Kind Node::kind() const {
  return record(*this).kind;
}

std::string_view Node::string() const {
  assert(is_string());
  return record(*this).view();
}

bool Node::boolean() const {
  assert(is_boolean());
  return record(*this).view() == "true";
}

std::string_view Node::number_text() const {
  assert(is_number());
  return record(*this).view();
}

Node Node::find(std::string_view key) const {
  const NodeRecord& object = record(*this);
  if (object.kind != Kind::kObject) {
    return {};
  }
  const std::uint32_t ordinal = document_->member(object, key);
  return ordinal == kNoNode ? Node()
                            : Node(*document_, document_->children[object.first + ordinal].node);
}

Node Node::at(std::size_t index) const {
  const NodeRecord& array = record(*this);
  if (array.kind != Kind::kArray || index >= array.size) {
    return {};
  }
  return {*document_, document_->children[array.first + index].node};
}

std::vector<Member> Node::members() const {
  std::vector<Member> members;
  const NodeRecord& object = record(*this);
  if (object.kind != Kind::kObject) {
    return members;
  }
  members.reserve(object.size);
  for (std::uint32_t i = 0; i < object.size; ++i) {
    const ChildRecord& child = document_->children[object.first + i];
    members.push_back({.key = child.key,
                       .key_place = place_of(*document_, child.key_spot),
                       .value = Node(*document_, child.node)});
  }
  return members;
}

std::vector<Node> Node::elements() const {
  std::vector<Node> elements;
  const NodeRecord& array = record(*this);
  if (array.kind != Kind::kArray) {
    return elements;
  }
  elements.reserve(array.size);
  for (std::uint32_t i = 0; i < array.size; ++i) {
    elements.emplace_back(*document_, document_->children[array.first + i].node);
  }
  return elements;
}

std::size_t Node::size() const {
  const NodeRecord& node = record(*this);
  return node.is_container() ? node.size : 0;
}

nlohmann::json Node::value() const {
  return document_ == nullptr ? nlohmann::json() : value_of(*document_, index_);
}

Place Node::place() const {
  return place_of(*document_, record(*this).spot);
}

std::string Node::file_and_line() const {
  const Place at = place();
  return std::string(at.file) + ':' + std::to_string(at.line);
}

std::string Node::pointer() const {
  std::array<std::uint32_t, kMaxDepth + 1> path{};
  std::size_t depth = 0;
  if (document_ != nullptr) {
    for (std::uint32_t at = index_; document_->nodes[at].parent != kNoNode;
         at = document_->nodes[at].parent) {
      path.at(depth++) = at;
    }
  }
  std::string pointer;
  while (depth > 0) {
    const NodeRecord& node = document_->nodes[path[--depth]];
    const NodeRecord& parent = document_->nodes[node.parent];
    if (parent.kind == Kind::kArray) {
      json::append_token(pointer, std::to_string(node.ordinal));
    } else {
      json::append_token(pointer, document_->children[parent.first + node.ordinal].key);
    }
  }
  return pointer;
}

Node Node::parent() const {
  const std::uint32_t parent = record(*this).parent;
  return parent == kNoNode ? Node() : Node(*document_, parent);
}

std::string Node::key() const {
  const NodeRecord& node = record(*this);
  if (node.parent == kNoNode) {
    return {};
  }
  const NodeRecord& parent = document_->nodes[node.parent];
  return parent.kind == Kind::kArray
             ? std::to_string(node.ordinal)
             : std::string(document_->children[parent.first + node.ordinal].key);
}

Problem Node::problem(std::string message) const {
  const Spot spot = record(*this).spot;
  return {.file = document_->name,
          .line = spot.line,
          .column = spot.column,
          .pointer = pointer(),
          .message = std::move(message)};
}

Problem Member::problem(std::string message) const {
  Problem problem = value.problem(std::move(message));
  problem.line = key_place.line;
  problem.column = key_place.column;
  return problem;
}

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
