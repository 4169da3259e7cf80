#include "mock_server/run/schema_points.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace mock_server::run {
namespace {

using nlohmann::json;
using spec::document::Member;
using spec::document::Node;

constexpr std::size_t kDeepest = 12;

Node root_of(Node node) {
  for (Node above = node.parent(); above; above = node.parent()) {
    node = above;
  }
  return node;
}

// The schema behind a reference; the node itself when it is none that can be followed.
Node resolved(Node schema) {
  constexpr int kLongestChain = 20;
  for (int step = 0; step < kLongestChain; ++step) {
    const Node reference = schema.find("$ref");
    if (!reference.is_string() || !reference.string().starts_with("#")) {
      return schema;
    }
    const auto tokens = spec::json::split_pointer(reference.string().substr(1));
    Node target = root_of(schema);
    for (const std::string& token : tokens.value_or(std::vector<std::string>{"\n"})) {
      target = target.find(token);
    }
    if (!target) {
      return schema;
    }
    schema = target;
  }
  return schema;
}

// One walk: with an instance only what it has, without one everything.
class Walk {
 public:
  explicit Walk(const PointVisitor& visit) : visit_(visit) {}

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the schema, bounded by kDeepest.
  void go(const Node& reference, const json* instance, const std::string& at) {
    const Node schema = resolved(reference);
    const bool is_open = std::ranges::find(open_, schema) != open_.end();
    if (!schema.is_object() || open_.size() >= kDeepest || is_open) {
      return;
    }
    open_.push_back(schema);
    values(schema, instance, at);
    members(schema, instance, at);
    elements(schema, instance, at);
    for (const char* const keyword : {"allOf", "anyOf", "oneOf"}) {
      for (const Node& branch : schema.find(keyword).elements()) {
        go(branch, instance, at);
      }
    }
    open_.pop_back();
  }

 private:
  void values(const Node& schema, const json* instance, const std::string& at) const {
    for (const Node& listed : schema.find("enum").elements()) {
      const json value = listed.value();
      if (instance == nullptr || spec::json::equal(value, *instance)) {
        visit_(
            PointKind::kValue,
            at + " = " + (value.is_string() ? value.get<std::string>() : spec::json::write(value)));
      }
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): see go().
  void members(const Node& schema, const json* instance, const std::string& at) {
    if (instance != nullptr && !instance->is_object()) {
      return;
    }
    for (const Member& member : schema.find("properties").members()) {
      const json* value = nullptr;
      if (instance != nullptr) {
        const auto found = instance->find(member.key);
        if (found == instance->end()) {
          continue;
        }
        value = &*found;
      }
      std::string below = at;
      spec::json::append_token(below, member.key);
      visit_(PointKind::kField, below);
      go(member.value, value, below);
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): see go().
  void elements(const Node& schema, const json* instance, const std::string& at) {
    const Node items = schema.find("items");
    if (!items.is_object() || (instance != nullptr && !instance->is_array())) {
      return;
    }
    if (instance == nullptr) {
      go(items, nullptr, at + "/*");
      return;
    }
    for (const json& element : *instance) {
      go(items, &element, at + "/*");
    }
  }

  const PointVisitor& visit_;
  std::vector<Node> open_;
};

}  // namespace

void each_point(const Node& schema, const std::string& at, const PointVisitor& visit) {
  Walk(visit).go(schema, nullptr, at);
}

void each_point_of(const Node& schema, const json& instance, const std::string& at,
                   const PointVisitor& visit) {
  Walk(visit).go(schema, &instance, at);
}

}  // namespace mock_server::run
