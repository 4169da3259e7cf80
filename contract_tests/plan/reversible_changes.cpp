#include "contract_tests/plan/reversible_changes.hpp"

#include "spec/schema/schema_summary.hpp"

#include <algorithm>

namespace contract_tests::plan {

using spec::contract::Contract;
using spec::contract::MediaTypeObject;
using spec::contract::Operation;
using spec::schema::Summary;
using Properties = decltype(Summary::properties);

namespace {

constexpr int kMaxDepth =
    8;  // members nested deeper are not looked at: the record counts as hidden

// Schemas of two sides, and what they say.
class WriteAndReadSchemas {
 public:
  explicit WriteAndReadSchemas(const Contract& contract) : summaries_(contract.summaries()) {}

  // The summary of the JSON object among `contents`; null if there is none.
  const Summary* object_in(const std::vector<MediaTypeObject>& contents) {
    for (const auto& content : contents) {
      if (content.media_type.is_json() && content.schema) {
        const auto& seen = summaries_.summary_of(*content.schema);
        if (seen.is_object() || !seen.properties.empty()) {
          return &seen;
        }
      }
    }
    return nullptr;
  }

  // The first member that `writes` writes and `shows` does not show; "" when all are shown.
  std::string hidden_member(const Summary& writes, const Summary& shows, int depth = 0) {
    if (!writes.elements.empty() && depth <= kMaxDepth) {
      return hidden_member(summaries_.summary_of(writes.elements),
                           summaries_.summary_of(shows.elements), depth + 1);
    }
    for (const auto& [name, schemas] : writes.properties) {
      const auto& written = summaries_.summary_of(schemas);
      const auto* found = shows.property(name);
      if (depth > kMaxDepth || found == nullptr || written.write_only ||
          summaries_.summary_of(*found).write_only) {
        return name;
      }
      if (auto inner = hidden_member(written, summaries_.summary_of(*found), depth + 1);
          !inner.empty()) {
        return inner.insert(0, name + '/');
      }
    }
    return {};
  }

  bool is_read_only(const spec::schema::Schemas& schemas) {
    return summaries_.summary_of(schemas).read_only;
  }

  // Why `write` writes what GET does not show, or nothing that is known; "" when it shows all.
  std::string unseen(const Operation& write, const Summary& shown) {
    const auto* written = write.body ? object_in(write.body->contents) : nullptr;
    if (written == nullptr || written->properties.empty()) {
      return "its body is not a JSON object with known members, so the change could not be undone";
    }
    const auto hidden = hidden_member(*written, shown);
    return hidden.empty()
               ? ""
               : "it may change \"" + hidden +
                     "\", which GET of the same path does not show, so the change could not "
                     "be undone";
  }

 private:
  const spec::schema::Summaries& summaries_;
};

std::string lasting_method(const Operation& operation) {
  if (operation.method == "PUT" || operation.method == "PATCH") {
    return {};
  }
  if (operation.method == "POST") {
    return "it may create something or start an action, which could not be undone";
  }
  if (operation.method == "DELETE") {
    return "it may delete something, which could not be undone";
  }
  return "the effect of " + operation.method + " is unknown, so it could not be undone";
}

bool names_a_record(const Operation& operation) {
  return operation.path.substr(operation.path.rfind('/') + 1).find('{') != std::string::npos;
}

}  // namespace

const Operation* find_operation(const Contract& contract, std::string_view method,
                                std::string_view path) {
  const auto found = std::ranges::find_if(contract.operations(), [&](const Operation& other) {
    return other.method == method && other.path == path;
  });
  return found == contract.operations().end() ? nullptr : &*found;
}

Restoration restoration_of(const Contract& contract, const Operation& operation) {
  Restoration how;
  how.why_not = lasting_method(operation);
  if (!how.why_not.empty()) {
    return how;
  }
  if (!names_a_record(operation)) {
    how.why_not = "its path does not name a single record, so the change could not be undone";
    return how;
  }
  how.read = find_operation(contract, "GET", operation.path);
  const auto* response = how.read == nullptr ? nullptr : how.read->response(200);
  WriteAndReadSchemas sides(contract);
  const auto* shown = response == nullptr ? nullptr : sides.object_in(response->contents);
  if (shown == nullptr) {
    how.why_not =
        "no GET of the same path returns the record as a JSON object, so the change could "
        "not be undone";
    return how;
  }
  how.why_not = sides.unseen(operation, *shown);
  const auto* put = find_operation(contract, "PUT", operation.path);
  how.write = put != nullptr && sides.unseen(*put, *shown).empty() ? put : &operation;
  const auto* written = how.write->body ? sides.object_in(how.write->body->contents) : nullptr;
  for (const auto& [name, schemas] : written == nullptr ? Properties{} : written->properties) {
    if (!sides.is_read_only(schemas)) {
      how.members.push_back(name);
    }
  }
  for (const auto& [name, schemas] : shown->properties) {
    how.shown.push_back(name);
  }
  return how;
}

std::string lasting_of(const Contract& contract, const Operation& operation,
                       const OperationRules& rules) {
  return may_write(operation, rules) && !rules.update ? restoration_of(contract, operation).why_not
                                                      : "";
}

}  // namespace contract_tests::plan
