#include "contract_tests/checks/names.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::checks {

using nlohmann::json;
using spec::schema::Schemas;
using spec::schema::Summary;
using spec::text::letters_of;

namespace {

// Where a value is: a member or an element of what is above it.
struct Spot {
  const Spot* above = nullptr;                          // null: this is the body
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
                       const Spot& spot, Context& context) {
  const Summary& documented = context.summaries.of(*seen.property(name));
  for (const auto& [other, there] : value.items()) {
    if (seen.property(other) == nullptr && is_near_miss(other, name) &&
        !is_of_another_kind(documented, there)) {
      context.reading.misspelt.push_back(
          {{"response/misspelt", "body" + Spot{&spot, other}.pointer(),
            "must be named \"" + name + '"', "is \"" + other + '"'},
           Spot{&spot, name}.pattern(),
           letters_of(other) == letters_of(name)});
    }
  }
}

void walk(const Schemas& schemas, const json& value, const Spot& spot, int depth, Context& context);

void walk_object(const Summary& seen, const json& value, const Spot& spot, int depth,
                 Context& context) {
  bool any = false;
  for (const auto& [name, schemas] : seen.properties) {
    const auto found = value.find(name);
    if (found != value.end()) {
      any = true;
      const Spot below{&spot, name};
      if (context.shown != nullptr) {
        context.shown->insert(below.pattern());
      }
      walk(schemas, *found, below, depth + 1, context);
    } else {
      look_for_misspelt(seen, value, name, spot, context);
    }
  }
  const auto has_documented = [&seen, &context] {
    return std::ranges::any_of(seen.properties, [&context](const auto& property) {
      const Summary& documented = context.summaries.of(property.second);
      return documented.types != 0 && !documented.write_only;
    });
  };
  // An empty object is valid where every member may be missing; where one may not, the schema says
  // so, and this says how much is missing.
  const bool may_be_empty = value.empty() && seen.required.empty();
  if (!any && !may_be_empty && has_documented()) {
    context.reading.violations.push_back({"response/nothing-documented", "body" + spot.pointer(),
                                          "must have at least one documented member (\"" +
                                              seen.properties.front().first + "\", ...)",
                                          "has none"});
  }
}

void walk(const Schemas& schemas, const json& value, const Spot& spot, int depth,
          Context& context) {
  if (depth > kMaxDepth || !value.is_structured()) {
    return;
  }
  const auto& seen = context.summaries.of(schemas);
  if (value.is_object()) {
    walk_object(seen, value, spot, depth, context);
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

}  // namespace contract_tests::checks
