#pragma once

// Which places of the contract a message has shown to be as they say: responses, header fields, and
// schemas that an instance was validated by. What is assumed there and was not violated is
// confirmed by such a message.

#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <set>
#include <string>
#include <string_view>

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

}  // namespace contract_tests::parity
