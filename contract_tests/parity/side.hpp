#pragma once

// The responses of one side, the mock or the service, in more detail than the outcomes of cases
// keep, because two sides are compared by it; and the statements of the contract that its messages
// confirm. An assumption that a message applied and did not violate is confirmed.

#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace contract_tests::parity {

// Finds the places of one contract, each once. Not safe from several threads.
class SeenStatements {
 public:
  // `found` gets each place when it is seen for the first time: FILE#POINTER.
  using Visitor = std::function<void(const std::string& place)>;

  explicit SeenStatements(const spec::contract::Contract& contract) : contract_(contract) {}

  // `body` is the response's JSON; null if it has none.
  void note(const spec::contract::Operation& operation, const spec::http::Response& response,
            const nlohmann::json* body, const Visitor& found);

  // The body of a request that was accepted: where it has null, null is valid.
  void note_accepted(const spec::contract::Operation& operation, const nlohmann::json& body,
                     const Visitor& found);

 private:
  void walk(const std::vector<spec::schema::SchemaId>& schemas, const nlohmann::json& value,
            std::size_t depth);
  void add_applied(spec::schema::SchemaId id);
  void add(const std::string& place);

  const spec::contract::Contract& contract_;
  std::set<std::string> known_;
  std::set<std::vector<spec::schema::SchemaId>> walked_;  // by a value that is not null
  const Visitor* found_ = nullptr;
  bool nulls_alone_ = false;
};

// The place whose being touched confirms an assumption: itself, or the schema that the keyword is
// in. "" if no message can show it: names, descriptions, examples.
std::string shown_at(const spec::contract::Statement& assumption);

// True if the contract requires the member at this place ("/items/*/id") of a response.
bool is_required(const spec::contract::Contract& contract, const std::string& operation_name,
                 int status, const std::string& place);

// The response to the request of a case.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct ObservedResponse {
  std::string request;  // "GET /customers/cus_1", without the path of the base URL
  std::string request_body;
  int status = 0;
  std::string media_type;  // without parameters; "" for none
  std::string code;        // the member `code` of an error's body; "" for none
  // The body of a read without a query, in JSON: the documented part as it came, and in normal
  // form.
  std::optional<nlohmann::json> body = std::nullopt;
  std::optional<nlohmann::json> normal = std::nullopt;
};

// The first message that showed something.
struct Witness {
  std::string operation;  // "GET /customers/{customer_id}"
  std::string case_id;
  std::string curl;
  std::string response;  // "200 application/json, 412 bytes"
  int status = 0;        // of that response
};

// By operation ("GET /a") and place ("/items/*/id").
using Places = std::map<std::pair<std::string, std::string>, Witness>;

class Side {
 public:
  // `settings` must outlive it.
  explicit Side(const run::Settings& settings) : settings_(settings), touched_(settings.contract) {}

  // Notes the responses of a case run. Safe from any thread.
  void note(const run::CaseRun& case_run);

  // Null if the case sent nothing, or got no response. When the run is over.
  const ObservedResponse* seen(const std::string& case_id) const;

  // Members of successes that the contract does not document.
  const Places& undocumented() const { return undocumented_; }

  // Members of successes that it documents.
  const Places& documented() const { return documented_; }

  // True if a success of this status had a body that the contract documents.
  bool has_body(const std::string& operation, int status) const {
    return bodies_.contains({operation, status});
  }

  // The message that confirms the assumption; null if there is none.
  const Witness* witness(const spec::contract::Statement& assumption) const;

 private:
  void note_response(const run::CaseRun& case_run, const run::CaseResponse& sent);
  void note_members(const run::CaseRun& case_run, const run::CaseResponse& sent);

  const run::Settings& settings_;
  std::mutex mutex_;
  SeenStatements touched_;
  std::map<std::string, ObservedResponse> seen_;  // by case id
  std::map<std::string, Witness> places_;         // that were touched
  Places undocumented_;
  Places documented_;
  std::set<std::pair<std::string, int>> bodies_;  // of successes: operation and status
};

}  // namespace contract_tests::parity
