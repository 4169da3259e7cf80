#include "contract_tests/checks/documented.hpp"

#include "contract_tests/checks/schema_view.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace contract_tests::checks {

using nlohmann::json;
using spec::document::Node;

namespace {

constexpr int kMaxDepth = 64;

// Finds what a schema does not name. `drop` is called with the object and the member's name; it
// must not change the object while it is walked.
class Strangers {
 public:
  using Visit = std::function<void(const json& object, const std::string& name)>;

  explicit Strangers(Visit visit) : visit_(std::move(visit)) {}

  void walk(const Node& schema, const json& value, int depth = 0) {
    if (depth > kMaxDepth || !value.is_structured()) {
      return;
    }
    const auto& [seen, open] = look_at(schema);
    if (value.is_array()) {
      for (const auto& element : value) {
        if (seen.items) {
          walk(seen.items, element, depth + 1);
        }
      }
      return;
    }
    const bool closed = !open && !seen.properties.empty();
    for (const auto& [name, member] : value.items()) {
      const auto known = std::ranges::find_if(
          seen.properties, [&name = name](const auto& property) { return property.first == name; });
      if (known != seen.properties.end()) {
        walk(known->second, member, depth + 1);
      } else if (closed) {
        visit_(value, name);
      }
    }
  }

 private:
  using Looked = std::pair<SchemaView, bool>;

  const Looked& look_at(const Node& schema) {
    const auto found = looked_.find(schema);
    return found != looked_.end()
               ? found->second
               : looked_.emplace(schema, Looked{view(schema), leaves_names_open(schema)})
                     .first->second;
  }

  Visit visit_;
  std::unordered_map<Node, Looked> looked_;
};

}  // namespace

void gather_texts(const json& value, std::vector<std::string>& texts) {
  if (value.is_string()) {
    texts.push_back(value.get<std::string>());
  } else if (value.is_structured()) {
    for (const auto& element : value) {
      gather_texts(element, texts);
    }
  }
}

std::optional<json> documented_part(const Node& schema, const json& value) {
  bool any = false;
  Strangers([&any](const json&, const std::string&) { any = true; }).walk(schema, value);
  if (!any) {
    return std::nullopt;
  }
  json part = value;
  std::vector<std::pair<json*, std::string>> strangers;
  Strangers([&strangers](const json& object, const std::string& name) {
    strangers.emplace_back(const_cast<json*>(&object), name);  // inside `part`, which is ours
  }).walk(schema, part);
  for (const auto& [object, name] : strangers) {
    object->erase(name);
  }
  return part;
}

std::vector<std::string> undocumented_texts(const Node& schema, const json& value) {
  std::vector<std::string> texts;
  Strangers([&texts](const json& object, const std::string& name) {
    gather_texts(object.at(name), texts);
  }).walk(schema, value);
  return texts;
}

}  // namespace contract_tests::checks
