#include "contract_tests/plan/restoration.hpp"

#include "contract_tests/checks/schema_view.hpp"
#include "contract_tests/plan/plan.hpp"
#include "spec/http/media_type.hpp"

#include <algorithm>

namespace contract_tests::plan {

using checks::SchemaView;
using spec::contract::Content;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::document::Node;

namespace {

constexpr int kMaxDepth =
    8;  // members nested deeper are not looked at: the record counts as hidden

const Operation* find_operation(const Contract& contract, const Operation& like,
                                std::string_view method) {
  const auto& all = contract.operations();
  const auto found = std::ranges::find_if(all, [&](const Operation& other) {
    return other.path == like.path && other.method == method;
  });
  return found == all.end() ? nullptr : &*found;
}

// The schema of a JSON object among `contents`; an empty node where there is none.
Node object_schema(const Contract& contract, const std::vector<Content>& contents) {
  for (const auto& content : contents) {
    const auto schema = content.media_type.is_json() && content.schema
                            ? contract.schemas().source(*content.schema)
                            : Node{};
    const auto seen = schema ? checks::view(schema) : SchemaView{};
    if (seen.is("object") || !seen.properties.empty()) {
      return schema;
    }
  }
  return {};
}

Node shown_schema(const Contract& contract, const Operation& read) {
  const auto* answer = read.answer(200);
  return answer == nullptr ? Node{} : object_schema(contract, answer->contents);
}

Node written_schema(const Contract& contract, const Operation& write) {
  return write.body ? object_schema(contract, write.body->contents) : Node{};
}

bool says(const Node& schema, std::string_view keyword) {
  const auto node = schema.find(keyword);
  return node && node.is_boolean() && node.boolean();
}

// The first member that `written` writes and `shown` does not show; "" when all are shown.
std::string hidden_member(const Node& written, const Node& shown, int depth = 0) {
  const auto writes = checks::view(written);
  const auto shows = checks::view(shown);
  if (writes.items && depth <= kMaxDepth) {
    return hidden_member(writes.items, shows.items, depth + 1);
  }
  for (const auto& [name, schema] : writes.properties) {
    const auto found = std::ranges::find(shows.properties, name,
                                         [](const auto& property) { return property.first; });
    if (depth > kMaxDepth || found == shows.properties.end() || says(schema, "writeOnly") ||
        says(found->second, "writeOnly")) {
      return name;
    }
    if (auto inner = hidden_member(schema, found->second, depth + 1); !inner.empty()) {
      return name + '/' + inner;
    }
  }
  return {};
}

// Why `write` writes what GET does not show, or nothing that is known; "" when it shows all.
std::string unseen(const Contract& contract, const Operation& write, const Node& shown) {
  const auto written = written_schema(contract, write);
  if (!written || checks::view(written).properties.empty()) {
    return "its body is no JSON object whose members the contract names, so what it changes could "
           "not be put back";
  }
  const auto hidden = hidden_member(written, shown);
  return hidden.empty() ? ""
                        : "it may change \"" + hidden +
                              "\", which GET of the same path does not show, so it could not be "
                              "put back";
}

std::string lasting_method(const Operation& operation) {
  if (operation.method == "PUT" || operation.method == "PATCH") {
    return {};
  }
  if (operation.method == "POST") {
    return "it may make something new or set something off, which could not be taken back";
  }
  if (operation.method == "DELETE") {
    return "it may remove something, which could not be put back";
  }
  return "what " + operation.method + " changes is not known, so it could not be put back";
}

bool names_a_record(const Operation& operation) {
  return operation.path.substr(operation.path.rfind('/') + 1).find('{') != std::string::npos;
}

}  // namespace

Restoration restoration_of(const Contract& contract, const Operation& operation) {
  Restoration how;
  how.why_not = lasting_method(operation);
  if (!how.why_not.empty()) {
    return how;
  }
  if (!names_a_record(operation)) {
    how.why_not = "its path names no single record, so what it changes could not be put back";
    return how;
  }
  how.read = find_operation(contract, operation, "GET");
  const auto shown = how.read == nullptr ? Node{} : shown_schema(contract, *how.read);
  if (!shown) {
    how.why_not =
        "no GET of the same path shows the record as a JSON object, so what it changes "
        "could not be put back";
    return how;
  }
  how.why_not = unseen(contract, operation, shown);
  const auto* put = find_operation(contract, operation, "PUT");
  how.write = put != nullptr && unseen(contract, *put, shown).empty() ? put : &operation;
  for (const auto& [name, schema] : checks::view(written_schema(contract, *how.write)).properties) {
    if (!says(schema, "readOnly")) {
      how.members.push_back(name);
    }
  }
  for (const auto& [name, schema] : checks::view(shown).properties) {
    how.shown.push_back(name);
  }
  return how;
}

std::string lasting_of(const Contract& contract, const Operation& operation,
                       const OperationRules& rules) {
  return may_write(operation, rules) && rules.update.is_null()
             ? restoration_of(contract, operation).why_not
             : "";
}

}  // namespace contract_tests::plan
