#include "contract_tests/checks/documented.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace contract_tests::checks {

using nlohmann::json;
using spec::schema::SchemaId;
using spec::schema::Schemas;
using spec::schema::Summaries;
using spec::schema::Summary;

namespace {

// Calls `visit` with each object and list of `value` and what its schemas say, from the outside in.
// What is inside an undocumented member is not visited.
template <typename Json, typename Visit>
void walk_documented(const Summaries& summaries, const Schemas& schemas, Json& value,
                     const Visit& visit, int depth = 0) {
  if (depth > kMaxDepth || !value.is_structured()) {
    return;
  }
  const auto& seen = summaries.of(schemas);
  visit(seen, value);
  for (auto& [name, member] : value.items()) {
    if (const auto* below = value.is_array() ? &seen.elements : seen.property(name)) {
      walk_documented(summaries, *below, member, visit, depth + 1);
    }
  }
}

// Calls `visit` with each object that has undocumented members, and the name of each of them. It
// must not change the object.
template <typename Json, typename Visit>
void each_undocumented(const Summaries& summaries, SchemaId schema, Json& value,
                       const Visit& visit) {
  walk_documented(summaries, {schema}, value, [&visit](const Summary& seen, Json& there) {
    const bool is_closed = there.is_object() && !seen.open_names && !seen.properties.empty();
    for (const auto& [name, member] : there.items()) {
      if (is_closed && seen.property(name) == nullptr) {
        visit(there, name);
      }
    }
  });
}

bool is_one_of(const json& value, const std::vector<std::string>& texts) {
  return value.is_string() &&
         std::ranges::find(texts, value.get_ref<const std::string&>()) != texts.end();
}

// Whether the contract says that the member is a secret: by its format or its name.
bool is_secret(const std::string& name, const Summary& documented) {
  static constexpr std::array<std::string_view, 9> kWords{
      "token", "secret", "key", "password", "credential", "jwt", "session", "bearer", "auth"};
  const auto lower = spec::text::to_lower(name);
  return documented.format == "password" ||
         std::ranges::any_of(kWords, [&lower](std::string_view word) {
           return lower.find(word) != std::string::npos;
         });
}

}  // namespace

void drop_secrets(const Summaries& summaries, const Schemas& schemas, json& value,
                  const std::vector<std::string>& texts) {
  walk_documented(summaries, schemas, value, [&](const Summary& seen, json& there) {
    for (const auto& [name, members] : seen.properties) {
      const auto found = there.find(name);
      if (found != there.end() && is_one_of(*found, texts) &&
          is_secret(name, summaries.of(members))) {
        there.erase(found);
      }
    }
  });
}

void gather_texts(const json& value, std::vector<std::string>& texts) {
  if (value.is_string()) {
    texts.push_back(value.get<std::string>());
  } else if (value.is_structured()) {
    for (const auto& element : value) {
      gather_texts(element, texts);
    }
  }
}

std::optional<json> documented_part(const Summaries& summaries, SchemaId schema,
                                    const json& value) {
  bool any = false;
  each_undocumented(summaries, schema, value,
                    [&any](const json&, const std::string&) { any = true; });
  if (!any) {
    return std::nullopt;
  }
  json part = value;
  std::vector<std::pair<json*, std::string>> undocumented;
  each_undocumented(summaries, schema, part,
                    [&undocumented](json& object, const std::string& name) {
                      undocumented.emplace_back(&object, name);
                    });
  for (const auto& [object, name] : undocumented) {
    object->erase(name);
  }
  return part;
}

std::vector<std::string> undocumented_texts(const Summaries& summaries, SchemaId schema,
                                            const json& value) {
  std::vector<std::string> texts;
  each_undocumented(summaries, schema, value,
                    [&texts](const json& object, const std::string& name) {
                      gather_texts(object.at(name), texts);
                    });
  return texts;
}

}  // namespace contract_tests::checks
