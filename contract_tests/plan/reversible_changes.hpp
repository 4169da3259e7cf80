#pragma once

// Decides if a run can have a record of its own, which it may change and delete: POST of the
// collection creates one and shows its identifier, GET of the item reads it, DELETE of the item
// removes it. Pure functions of the contract; the run sends (run/created_records.cpp).

#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/resources/resource.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/generate/generator.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

struct OwnRecord {
  const spec::contract::Operation* create = nullptr;  // POST /todos
  const spec::contract::Operation* read = nullptr;    // GET /todos/{id}
  const spec::contract::Operation* remove = nullptr;  // DELETE /todos/{id}
  const spec::contract::Operation* list = nullptr;    // GET /todos; null if there is none
  std::string parameter;                              // of the item's path: "id"
  std::vector<std::string> members;  // that may be the identifier in JSON, the likeliest first
  RequestPlan request;               // of `create`, without path parameters
  // A member of its body that may be any text, by which the record is known again; "" for none.
  std::string marker;
  std::string why_not;  // why there is no such record; "" if the rest is given
};

// For POST of the collection and for any operation of the item. `resource` is the operation's own;
// null if it has none.
OwnRecord own_record_of(const spec::contract::Contract& contract,
                        const spec::schema::generate::Generator& generator,
                        const spec::contract::Resource* resource,
                        const spec::contract::Operation& operation);

// The record in a JSON body: its object, or the one object inside it; null if there is none
// with an identifier.
const nlohmann::json* record_in(const OwnRecord& own, const nlohmann::json& body);

// A value as an identifier in a path; nothing for what can be none.
std::optional<std::string> identifier_text(const nlohmann::json& value);

// The identifier that the record has; empty if it has none.
std::optional<std::string> identifier_of(const OwnRecord& own, const nlohmann::json& record);

// The identifier that a response to `create` shows, in its JSON object, in the one object inside
// it, or in Location; nothing if there is none.
std::optional<std::string> identifier_in(const OwnRecord& own,
                                         const spec::http::Response& response);

// True if `record` is the one that a request with the body `sent` has created: it has the
// identifier and the marker, if it has such members, and at least half of its scalars are as they
// were sent.
bool shows(const OwnRecord& own, const nlohmann::json& record, const nlohmann::json& sent,
           const std::string& identifier);

// Why the body of `request` may be about another record than one whose identifier is `allowed`; ""
// if it is about none.
std::string why_about_others(const OwnRecord& own, const RequestPlan& request,
                             const std::function<bool(const nlohmann::json&)>& allowed);

// An identifier of the same shape that no record has: those of created records are near each other.
std::string unused_identifier(const std::string& identifier);

// The text for the marker in the record with this number.
std::string marker_text(const std::string& number);

// Decides if changes by an operation can be undone with the contract alone, without rules: GET of
// the same path shows the whole record that its path names, and PUT or PATCH of that path writes
// it. Everything else cannot be undone this way: records that POST creates or DELETE removes,
// changes of many records at once. Pure functions; the run reads and writes (run/undo.cpp).

struct Restoration {
  const spec::contract::Operation* read = nullptr;   // GET
  const spec::contract::Operation* write = nullptr;  // PUT, else PATCH
  std::vector<std::string> members;                  // that `write` writes
  std::vector<std::string> shown;                    // that the contract says GET shows
  std::string why_not;  // why it cannot be undone; "" if the rest is given
};

// The operation of this method at this path template; null if there is none.
const spec::contract::Operation* find_operation(const spec::contract::Contract& contract,
                                                std::string_view method, std::string_view path);

// Precondition: `operation` may change something.
Restoration restoration_of(const spec::contract::Contract& contract,
                           const spec::contract::Operation& operation);

// Why changes by `operation` cannot be undone; "" when they can, when the rules say how, or when it
// changes nothing.
std::string lasting_of(const spec::contract::Contract& contract,
                       const spec::contract::Operation& operation, const OperationRules& rules);

}  // namespace contract_tests::plan
