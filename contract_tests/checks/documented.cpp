#include "contract_tests/checks/documented.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace contract_tests::checks {

using nlohmann::json;
using spec::schema::SchemaId;
using spec::schema::Schemas;
using spec::schema::Summaries;

namespace {

// Finds what a schema does not name. `drop` is called with the object and the member's name; it
// must not change the object while it is walked.
class Strangers {
 public:
  using Visit = std::function<void(const json& object, const std::string& name)>;

  Strangers(const Summaries& summaries, Visit visit)
      : summaries_(summaries), visit_(std::move(visit)) {}

  void walk(const Schemas& schemas, const json& value, int depth = 0) {
    if (depth > kMaxDepth || !value.is_structured()) {
      return;
    }
    const auto& seen = summaries_.of(schemas);
    if (value.is_array()) {
      for (const auto& element : value) {
        walk(seen.elements, element, depth + 1);
      }
      return;
    }
    const bool closed = !seen.open_names && !seen.properties.empty();
    for (const auto& [name, member] : value.items()) {
      if (const auto* known = seen.property(name)) {
        walk(*known, member, depth + 1);
      } else if (closed) {
        visit_(value, name);
      }
    }
  }

 private:
  const Summaries& summaries_;
  Visit visit_;
};

bool is_one_of(const json& value, const std::vector<std::string>& texts) {
  return value.is_string() &&
         std::ranges::find(texts, value.get_ref<const std::string&>()) != texts.end();
}

// Whether the contract says that the member is a secret: by its format or its name.
bool is_secret(const std::string& name, const spec::schema::Summary& documented) {
  static constexpr std::array<std::string_view, 9> kWords{
      "token", "secret", "key", "password", "credential", "jwt", "session", "bearer", "auth"};
  const auto lower = spec::text::to_lower(name);
  return documented.format == "password" ||
         std::ranges::any_of(kWords, [&lower](std::string_view word) {
           return lower.find(word) != std::string::npos;
         });
}

void drop_below(const Summaries& summaries, const Schemas& schemas, json& value,
                const std::vector<std::string>& texts, int depth) {
  if (depth > kMaxDepth || !value.is_structured()) {
    return;
  }
  const auto& seen = summaries.of(schemas);
  if (value.is_array()) {
    for (auto& element : value) {
      drop_below(summaries, seen.elements, element, texts, depth + 1);
    }
    return;
  }
  for (const auto& [name, members] : seen.properties) {
    const auto found = value.find(name);
    if (found != value.end() && is_one_of(*found, texts) &&
        is_secret(name, summaries.of(members))) {
      value.erase(found);
    } else if (found != value.end()) {
      drop_below(summaries, members, *found, texts, depth + 1);
    }
  }
}

}  // namespace

void drop_secrets(const Summaries& summaries, const Schemas& schemas, json& value,
                  const std::vector<std::string>& texts) {
  drop_below(summaries, schemas, value, texts, 0);
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
  Strangers(summaries, [&any](const json&, const std::string&) {
    any = true;
  }).walk({schema}, value);
  if (!any) {
    return std::nullopt;
  }
  json part = value;
  std::vector<std::pair<json*, std::string>> strangers;
  Strangers(summaries, [&strangers](const json& object, const std::string& name) {
    strangers.emplace_back(const_cast<json*>(&object), name);  // inside `part`, which is ours
  }).walk({schema}, part);
  for (const auto& [object, name] : strangers) {
    object->erase(name);
  }
  return part;
}

std::vector<std::string> undocumented_texts(const Summaries& summaries, SchemaId schema,
                                            const json& value) {
  std::vector<std::string> texts;
  Strangers(summaries, [&texts](const json& object, const std::string& name) {
    gather_texts(object.at(name), texts);
  }).walk({schema}, value);
  return texts;
}

}  // namespace contract_tests::checks
