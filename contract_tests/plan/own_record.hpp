#pragma once

// Decides if a run can have a record of its own, which it may change and delete: POST of the
// collection, or PUT of the item, creates one, GET of the item reads it, and DELETE of the item
// removes it. Pure functions of the contract; the run sends (run/created_records.cpp).

#include "contract_tests/plan/request_plan.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/resources/resource.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::plan {

struct OwnRecord {
  const spec::contract::Operation* create = nullptr;  // POST /todos, or PUT /todos/{id}
  const spec::contract::Operation* read = nullptr;    // GET /todos/{id}
  const spec::contract::Operation* remove = nullptr;  // DELETE /todos/{id}; null: records stay
  const spec::contract::Operation* list = nullptr;    // GET /todos; null if there is none
  std::string parameter;                              // of the item's path: "id"
  std::string link;  // runtime expression of the identifier, "$response.body#/id"; "" for none
  std::vector<std::string> members;  // that may be the identifier in JSON, the likeliest first
  bool is_nameless = false;          // GET shows none of them
  RequestPlan request;               // of `create`, without path parameters
  // A member of its body that may be any text, by which the record is known again; "" for none.
  std::string marker;
  // Members of its body that may be other texts too, with the form of those: "c{}@example.com".
  std::vector<std::pair<std::string, std::string>> texts;
  std::string why_not;  // why there is no such record; "" if the rest is given

  // True if the operation with this id creates records whose identifiers the service chooses.
  bool is_created_by(const std::string& operation) const {
    return create->id == operation && !chooses_identifier();
  }

  bool is_of_item(const spec::contract::Operation& operation) const {
    return operation.path == read->path;
  }

  // True if the request that creates has the identifier in its path.
  bool chooses_identifier() const { return create->path == read->path; }
};

// A valid request of an operation; empty if there is none.
using PlainRequest = std::function<std::optional<RequestPlan>(const spec::contract::Operation&)>;

// For POST of the collection, for any operation of the item, and for what acts on the item ("POST
// /todos/{id}/done").
OwnRecord own_record_of(const spec::contract::Contract& contract,
                        const spec::contract::Resources& resources,
                        const spec::contract::Operation& operation, const PlainRequest& plain_of);

// The record in a JSON body: its object, or the one object inside it; null if there is none
// with an identifier.
const nlohmann::json* record_in(const OwnRecord& own, const nlohmann::json& body);

// A value as an identifier in a path; nothing for what can be none.
std::optional<std::string> identifier_text(const nlohmann::json& value);

// The identifier that the record has; empty if it has none.
std::optional<std::string> identifier_of(const OwnRecord& own, const nlohmann::json& record);

// The identifier that the response to a request that creates shows: where the link says, in its
// JSON object, in the one object inside it, or in Location; or the one in the request's path.
// Nothing if there is none.
std::optional<std::string> identifier_in(const OwnRecord& own, const spec::http::Request& request,
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

// Texts as identifiers and unique texts may be, with this number of twelve digits.
std::vector<std::string> texts_with(const std::string& number);

// `request` with another text in each member that may have one.
RequestPlan with_texts(const OwnRecord& own, RequestPlan request, const std::string& number);

}  // namespace contract_tests::plan
