#include "spec/contract/loading/load_steps.hpp"

#include "spec/document/document.hpp"
#include "spec/json/pointer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace spec::contract::loading {

using document::Node;

Node LoadContext::follow(const Node& node) {
  try {
    const Node target = node ? loading::follow(state.library, node) : Node();
    return target.is_object() ? target : Node();
  } catch (const LoadError&) {
    return {};
  }
}

Node LoadContext::follow_media_type(const Node& node) {
  return may_be_reference(ObjectKind::kMediaType, state.version) ? follow(node) : node;
}

std::optional<schema::SchemaId> LoadContext::compile(const Node& node) {
  if (!node) {
    return std::nullopt;
  }
  try {
    return compiler->compile(node);
  } catch (const LoadError& error) {
    report(error);
    return std::nullopt;
  }
}

StatementId LoadContext::statement(const Node& node) const {
  return state.table.at(node);
}

std::vector<Problem> LoadContext::violations(const Node& place, const nlohmann::json& value,
                                             schema::SchemaId schema, schema::Direction direction,
                                             const std::string& what) const {
  std::vector<Problem> found;
  for (const schema::Violation& violation :
       schema::validate(state.schemas, schema, value, {.direction = direction})) {
    if (violation.not_understood) {
      continue;  // which has a problem of its own
    }
    const std::string where = violation.instance.empty() ? "" : violation.instance + ' ';
    found.push_back(
        document::nearest_below(place, violation.instance)
            .problem("the " + what + " violates its schema: " + where + violation.message.text()));
  }
  return found;
}

void LoadContext::check_example(const Node& place, const nlohmann::json& value,
                                schema::SchemaId schema, schema::Direction direction) {
  std::ranges::move(violations(place, value, schema, direction, "example"),
                    std::back_inserter(openapi_violations));
}

void LoadContext::check_default(const Node& place, schema::SchemaId schema) {
  std::ranges::move(violations(place, place.value(), schema, schema::Direction::kNone, "default"),
                    std::back_inserter(warnings));
}

std::string scalar_text(const Node& scalar, std::string fallback) {
  switch (scalar.kind()) {
    case document::Kind::kString: return std::string(scalar.string());
    case document::Kind::kNumber: return std::string(scalar.number_text());
    case document::Kind::kBoolean: return scalar.boolean() ? "true" : "false";
    case document::Kind::kNull:
    case document::Kind::kArray:
    case document::Kind::kObject: break;
  }
  return fallback;
}

std::string text_of(const Node& object, std::string_view key, std::string fallback) {
  return scalar_text(object.find(key), std::move(fallback));
}

bool flag_of(const Node& object, std::string_view key, bool fallback) {
  const Node value = object.find(key);
  return value.is_boolean() ? value.boolean() : fallback;
}

}  // namespace spec::contract::loading
