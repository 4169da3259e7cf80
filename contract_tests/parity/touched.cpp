#include "contract_tests/parity/touched.hpp"

#include "spec/http/media_type.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace contract_tests::parity {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::contract::Statement;
using spec::schema::SchemaId;
using spec::schema::Schemas;

namespace {

constexpr std::size_t kMaxWalkDepth = 32;

// Ends the place of a schema for which null was seen.
constexpr std::string_view kNullSeen = "/null";

// What describes and does not restrict: no message shows whether it is true.
constexpr std::array<std::string_view, 8> kAnnotations{
    "name", "allowEmptyValue", "description", "summary", "title", "default", "example", "examples"};

std::string place_of_node(const spec::document::Node& node) {
  return node ? std::string(node.place().file) + '#' + node.pointer() : std::string();
}

std::string place_of(const Statement& statement) {
  return statement.file + '#' + statement.pointer;
}

// "/a/anyOf/1" -> "/a"; "" for what is no alternative.
std::string schema_of_alternative(std::string_view place) {
  const auto number = place.rfind('/');
  const auto keyword = number == std::string_view::npos ? number : place.rfind('/', number - 1);
  if (keyword == std::string_view::npos) {
    return "";
  }
  const auto name = place.substr(keyword + 1, number - keyword - 1);
  return name == "anyOf" || name == "oneOf" ? std::string(place.substr(0, keyword)) : "";
}

}  // namespace

std::string shown_at(const Statement& assumption) {
  const auto place = place_of(assumption);
  if (auto schema = schema_of_alternative(place); !schema.empty()) {
    return schema.append(kNullSeen);
  }
  const auto last = place.rfind('/');
  const auto token = std::string_view(place).substr(last + 1);
  const bool annotates = std::ranges::find(kAnnotations, token) != kAnnotations.end();
  return annotates || place.find("/examples/") != std::string::npos ? "" : place;
}

void Touched::add(const std::string& place) {
  if (!place.empty() && known_.insert(place).second) {
    (*found_)(place);
  }
}

// `schemas` are all that are written for `value`.
void Touched::walk(const Schemas& schemas, const json& value, std::size_t depth) {
  if (depth == kMaxWalkDepth) {
    return;
  }
  const auto& program = contract_.schemas().program();
  if (value.is_null()) {
    for (const SchemaId id : schemas) {
      add(place_of_node(contract_.schemas().source(id)).append(kNullSeen));
    }
    return;
  }
  if (!nulls_alone_ && walked_.insert(schemas).second) {
    for (const SchemaId id : schemas) {
      for (const SchemaId applied :
           spec::schema::applicable(program, id, spec::schema::Reach::kUnlessNull)) {
        const auto node = contract_.schemas().source(applied);
        add(place_of_node(node));
        for (const auto& member : node.members()) {
          add(place_of_node(member.value));
        }
      }
    }
  }
  const auto& summary = contract_.summaries().of(schemas);
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) {
      const auto* property = summary.property(name);
      walk(property == nullptr ? summary.others : *property, inner, depth + 1);
    }
  } else if (value.is_array() && !summary.elements.empty()) {
    for (const auto& element : value) {
      walk(summary.elements, element, depth + 1);
    }
  }
}

void Touched::note(const Operation& operation, const spec::http::Response& response,
                   const json* body, const Found& found) {
  const auto* declared = operation.response(response.status);
  if (declared == nullptr) {
    return;
  }
  found_ = &found;
  nulls_alone_ = false;
  const auto place = place_of_node(declared->node);
  add(place_of(contract_.statement(declared->statement)));
  add(place);
  if (!declared->contents.empty() && !response.body.empty()) {
    add(place + "/content");
  }
  for (const auto& header : declared->headers) {
    if (response.headers.has(header.name)) {
      add(place + "/headers");
      add(place_of(contract_.statement(header.statement)));
      add(place_of_node(header.node));
    }
  }
  const auto schema = spec::contract::json_schema(declared->contents);
  if (schema && body != nullptr) {
    walk({*schema}, *body, 0);
  }
}

void Touched::note_accepted(const Operation& operation, const json& body, const Found& found) {
  const auto schema =
      operation.body ? spec::contract::json_schema(operation.body->contents) : std::nullopt;
  if (schema) {
    found_ = &found;
    nulls_alone_ = true;
    walk({*schema}, body, 0);
  }
}

bool is_required(const Contract& contract, const std::string& operation_name, int status,
                 const std::string& place) {
  const auto operations = contract.operations();
  const auto operation = std::ranges::find(operations, operation_name, &Operation::name);
  const auto* response = operation == operations.end() ? nullptr : operation->response(status);
  const auto tokens = spec::json::split_pointer(place);
  if (response == nullptr || response->contents.empty() || !response->contents.front().schema ||
      !tokens) {
    return false;
  }
  Schemas schemas{*response->contents.front().schema};
  bool required = false;
  for (const auto& token : *tokens) {
    const auto& summary = contract.summaries().of(schemas);
    required = std::ranges::find(summary.required, token) != summary.required.end();
    schemas = summary.below(token);
  }
  return required;
}

}  // namespace contract_tests::parity
