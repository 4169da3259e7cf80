#pragma once

// What one side, the mock or the service, sent in a run: more than the outcomes of cases keep,
// because two sides are compared by it; and which places of the contract its messages have shown to
// be as they say. What is assumed there and was not violated is confirmed by such a message.

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
class Touched {
 public:
  // `found` gets each place when it is seen for the first time: FILE#POINTER.
  using Found = std::function<void(const std::string& place)>;

  explicit Touched(const spec::contract::Contract& contract) : contract_(contract) {}

  // `body` is the response's JSON; null where it has none.
  void note(const spec::contract::Operation& operation, const spec::http::Response& response,
            const nlohmann::json* body, const Found& found);

  // The body of a request that was accepted: where it has null, null is valid.
  void note_accepted(const spec::contract::Operation& operation, const nlohmann::json& body,
                     const Found& found);

 private:
  void walk(const std::vector<spec::schema::SchemaId>& schemas, const nlohmann::json& value,
            std::size_t depth);
  void add_applied(spec::schema::SchemaId id);
  void add(const std::string& place);

  const spec::contract::Contract& contract_;
  std::set<std::string> known_;
  std::set<std::vector<spec::schema::SchemaId>> walked_;  // by a value that is not null
  const Found* found_ = nullptr;
  bool nulls_alone_ = false;
};

// The place whose being touched confirms an assumption: itself, or the schema that the keyword is
// in. "" where no message can show it: names, descriptions, examples.
std::string shown_at(const spec::contract::Statement& assumption);

// Whether the contract requires the member at this place ("/items/*/id") of a response.
bool is_required(const spec::contract::Contract& contract, const std::string& operation_name,
                 int status, const std::string& place);

// The response to the request of a case.
struct Seen {
  std::string request;  // "GET /customers/cus_1", without the path of the base URL
  std::string request_body;
  int status = 0;
  std::string media_type;  // without parameters; "" for none
  std::string code;        // the member `code` of an error's body; "" for none
  // Of a read without a query, in JSON: the documented part as it came, and in normal form.
  std::optional<nlohmann::json> body = std::nullopt;
  std::optional<nlohmann::json> normal = std::nullopt;
};

// Where something was seen for the first time.
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

  // Null where the case sent nothing, or got no response. When the run is over.
  const Seen* seen(const std::string& case_id) const;

  // Members of successes that the contract does not document.
  const Places& undocumented() const { return undocumented_; }

  // Members of successes that it documents.
  const Places& documented() const { return documented_; }

  // Whether a success of this status had a body that the contract documents.
  bool has_body(const std::string& operation, int status) const {
    return bodies_.contains({operation, status});
  }

  // What confirms the assumption; null for nothing.
  const Witness* witness(const spec::contract::Statement& assumption) const;

 private:
  void note_response(const run::CaseRun& case_run, const run::Sent& sent);
  void note_members(const run::CaseRun& case_run, const run::Sent& sent);

  const run::Settings& settings_;
  std::mutex mutex_;
  Touched touched_;
  std::map<std::string, Seen> seen_;       // by case id
  std::map<std::string, Witness> places_;  // that were touched
  Places undocumented_;
  Places documented_;
  std::set<std::pair<std::string, int>> bodies_;  // of successes: operation and status
};

}  // namespace contract_tests::parity
