#include "contract_tests/checks/names.hpp"

#include "contract_tests/checks/schema_view.hpp"
#include "spec/json/pointer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace contract_tests::checks {

using nlohmann::json;
using spec::document::Node;

namespace {

constexpr int kMaxDepth = 64;

std::string bare(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    if (letter >= 'A' && letter <= 'Z') {
      text += static_cast<char>(letter + 32);
    } else if (letter != '_' && letter != '-' && letter != ' ' && letter != '.') {
      text += letter;
    }
  }
  return text;
}

// Levenshtein's distance by one row.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t at = 0; at < row.size(); ++at) {
    row[at] = at;
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const auto replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// The complaints so far, and what each schema says, looked up once.
struct Context {
  Complaints complaints;
  std::unordered_map<Node, SchemaView> views;

  const SchemaView& view_of(const Node& schema) {
    const auto found = views.find(schema);
    return found != views.end() ? found->second : views.emplace(schema, view(schema)).first->second;
  }
};

void walk(const Node& schema, const json& value, const std::string& place, int depth,
          Context& context);

void walk_object(const SchemaView& seen, const json& value, const std::string& place, int depth,
                 Context& context) {
  auto& complaints = context.complaints;
  bool any = false;
  for (const auto& [name, schema] : seen.properties) {
    const auto found = value.find(name);
    if (found != value.end()) {
      any = true;
      std::string below = place;
      spec::json::append_token(below, name);
      walk(schema, *found, below, depth + 1, context);
      continue;
    }
    for (const auto& [other, ignored] : value.items()) {
      const bool documented = std::ranges::any_of(
          seen.properties, [&other](const auto& property) { return property.first == other; });
      if (!documented && is_near_miss(other, name)) {
        complaints.push_back({"answer/misspelt", "body" + place + '/' + other,
                              "must be called \"" + name + "\" but is \"" + other + '"'});
      }
    }
  }
  if (!any && !seen.properties.empty()) {
    complaints.push_back({"answer/nothing-documented", "body" + place,
                          "must show something of what is documented (\"" +
                              seen.properties.front().first + "\", ...) but shows nothing of it"});
  }
}

void walk(const Node& schema, const json& value, const std::string& place, int depth,
          Context& context) {
  if (depth > kMaxDepth || !value.is_structured()) {
    return;
  }
  const auto& seen = context.view_of(schema);
  if (value.is_object()) {
    walk_object(seen, value, place, depth, context);
  } else if (seen.items) {
    for (std::size_t index = 0; index < value.size(); ++index) {
      walk(seen.items, value[index], place + '/' + std::to_string(index), depth + 1, context);
    }
  }
}

}  // namespace

bool is_near_miss(std::string_view name, std::string_view documented) {
  const auto left = bare(name);
  const auto right = bare(documented);
  if (left == right) {
    return true;
  }
  constexpr std::size_t kShort = 5;  // in a short name a letter makes another word
  const std::size_t allowed = right.size() <= kShort ? 1 : 2;
  if (std::min(left.size(), right.size()) > 3 && distance(left, right) <= allowed) {
    return true;
  }
  const auto common = std::ranges::mismatch(left, right).in1 - left.begin();
  const auto shared = static_cast<std::size_t>(common);
  return left.size() < right.size() && shared > 5 && shared * 2 > right.size() &&
         left.size() - shared <= 2;
}

Complaints check_names(const Node& schema, const json& body) {
  Context context;
  walk(schema, body, "", 0, context);
  return std::move(context.complaints);
}

}  // namespace contract_tests::checks
