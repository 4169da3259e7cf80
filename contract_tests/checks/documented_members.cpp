#include "contract_tests/checks/documented_members.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::checks {

using nlohmann::json;
using spec::schema::SchemaId;
using spec::schema::Schemas;
using spec::schema::Summaries;
using spec::schema::Summary;
using spec::text::letters_of;

namespace {

// The path of a value: a member or an element of the value above it.
struct MemberPath {
  const MemberPath* above = nullptr;                    // null: this is the body
  std::optional<std::string_view> name = std::nullopt;  // nothing for an element
  std::size_t index = 0;

  // Its pointer; as a pattern, with "*" for each index.
  std::string pointer(bool as_pattern = false) const {
    if (above == nullptr) {
      return "";
    }
    auto pointer = above->pointer(as_pattern);
    const std::string element = as_pattern ? "*" : std::to_string(index);
    spec::json::append_token(pointer, name.value_or(element));
    return pointer;
  }

  std::string pattern() const { return pointer(true); }
};

// The reading so far.
struct Context {
  const spec::schema::Summaries& summaries;
  NameReading reading = {};
  std::set<std::string>* shown = nullptr;  // patterns of documented members; null: not wanted
};

// A list is not a word misspelt, nor the other way round.
bool is_of_another_kind(const Summary& documented, const json& value) {
  using namespace spec::schema;
  constexpr TypeSet kStructured = kObjectType | kArrayType;
  const bool scalar = (documented.types & ~(kStructured | kNullType)) != 0;
  return value.is_structured() ? (documented.types & kStructured) == 0
                               : !value.is_null() && !scalar;
}

void look_for_misspelt(const Summary& seen, const json& value, const std::string& name,
                       const MemberPath& spot, Context& context) {
  const Summary& documented = context.summaries.summary_of(*seen.property(name));
  for (const auto& [other, there] : value.items()) {
    if (seen.property(other) == nullptr && is_near_miss(other, name) &&
        !is_of_another_kind(documented, there)) {
      context.reading.misspelt.push_back(
          {{"response/misspelt", "body" + MemberPath{&spot, other}.pointer(),
            "must be named \"" + name + '"', "is \"" + other + '"'},
           MemberPath{&spot, name}.pattern(),
           letters_of(other) == letters_of(name)});
    }
  }
}

void walk(const Schemas& schemas, const json& value, const MemberPath& spot, int depth,
          Context& context);

// True if the schemas' own example has nothing documented, either: other members are usual there.
bool has_example_of_others(const Schemas& schemas, const Summary& seen, const Context& context) {
  const auto example = keyword_value(context.summaries.program(), schemas,
                                     spec::schema::Reach::kUnlessNull, "example");
  const auto members = example.members();
  return !members.empty() && std::ranges::none_of(members, [&seen](const auto& member) {
    return seen.property(member.key) != nullptr;
  });
}

void walk_object(const Schemas& schemas, const json& value, const MemberPath& spot, int depth,
                 Context& context) {
  const Summary& seen = context.summaries.summary_of(schemas);
  bool any = false;
  for (const auto& [name, inner] : seen.properties) {
    const auto found = value.find(name);
    if (found != value.end()) {
      any = true;
      const MemberPath below{&spot, name};
      if (context.shown != nullptr) {
        context.shown->insert(below.pattern());
      }
      walk(inner, *found, below, depth + 1, context);
    } else {
      look_for_misspelt(seen, value, name, spot, context);
    }
  }
  const auto has_documented = [&seen, &context] {
    return std::ranges::any_of(seen.properties, [&context](const auto& property) {
      const Summary& documented = context.summaries.summary_of(property.second);
      return documented.types != 0 && !documented.write_only;
    });
  };
  any |= std::ranges::any_of(seen.required,
                             [&value](const auto& name) { return value.contains(name); });
  // An empty object is valid where every member may be missing; where one may not, the schema says
  // so, and this says how much is missing.
  const bool may_be_empty = value.empty() && seen.required.empty();
  if (!any && !may_be_empty && has_documented() && !has_example_of_others(schemas, seen, context)) {
    context.reading.violations.push_back({"response/nothing-documented", "body" + spot.pointer(),
                                          "must have at least one documented member (\"" +
                                              seen.properties.front().first + "\", ...)",
                                          "has none"});
  }
}

void walk(const Schemas& schemas, const json& value, const MemberPath& spot, int depth,
          Context& context) {
  if (depth > kMaxDepth || !value.is_structured()) {
    return;
  }
  const auto& seen = context.summaries.summary_of(schemas);
  if (value.is_object()) {
    walk_object(schemas, value, spot, depth, context);
  } else {
    for (std::size_t index = 0; index < value.size(); ++index) {
      walk(seen.elements, value[index], {&spot, std::nullopt, index}, depth + 1, context);
    }
  }
}

}  // namespace

bool is_near_miss(std::string_view name, std::string_view documented) {
  const auto left = letters_of(name);
  const auto right = letters_of(documented);
  if (left == right) {
    return true;
  }
  constexpr std::size_t kShort = 5;  // in a short name a letter makes another word
  const std::size_t allowed = right.size() <= kShort ? 1 : 2;
  if (std::min(left.size(), right.size()) > 3 &&
      spec::text::edit_distance(left, right) <= allowed) {
    return true;
  }
  const auto common = std::ranges::mismatch(left, right).in1 - left.begin();
  const auto shared = static_cast<std::size_t>(common);
  return left.size() < right.size() && shared > 5 && shared * 2 > right.size() &&
         left.size() - shared <= 2;
}

NameReading check_names(const spec::schema::Summaries& summaries, spec::schema::SchemaId schema,
                        const json& body) {
  Context context{summaries};
  walk({schema}, body, {}, 0, context);
  auto& misspelt = context.reading.misspelt;
  if (!misspelt.empty()) {
    std::erase_if(misspelt, [shown = shown_places(summaries, schema, body)](const auto& found) {
      return !found.of_same_letters && shown.contains(found.documented);
    });
  }
  return std::move(context.reading);
}

std::set<std::string> shown_places(const spec::schema::Summaries& summaries,
                                   spec::schema::SchemaId schema, const json& body) {
  std::set<std::string> shown;
  Context context{summaries, {}, &shown};
  walk({schema}, body, {}, 0, context);
  return shown;
}

namespace {

// Calls `visit` with each object and list of `value` and what its schemas say, from the outside in.
// Does not visit what is inside an undocumented member.
template <typename Json, typename Visit>
void walk_documented(const Summaries& summaries, const Schemas& schemas, Json& value,
                     const Visit& visit, int depth = 0) {
  if (depth > kMaxDepth || !value.is_structured()) {
    return;
  }
  const auto& seen = summaries.summary_of(schemas);
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

// True if the contract says that the member is a secret: by its format or its name.
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
          is_secret(name, summaries.summary_of(members))) {
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
