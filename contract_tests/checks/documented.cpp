#include "contract_tests/checks/documented.hpp"

#include "contract_tests/checks/places.hpp"

#include <nlohmann/json.hpp>

#include <functional>

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
