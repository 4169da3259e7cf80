#pragma once

// A whole answer against the contract, by the one judge, and what lies around it: JSON as text,
// names of members, the rules of the operation. Pure functions of const data.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/exchange.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>

namespace contract_tests::checks {

struct AnswerQuestion {
  const spec::contract::Contract& contract;
  const spec::contract::Operation& operation;
  const client::Exchange& exchange;
  const nlohmann::json& rules;                     // the `answer` block; null for none
  const std::map<std::string, std::string>& path;  // path parameters as sent, decoded
};

struct AnswerReading {
  Complaints complaints;
  std::optional<nlohmann::json> body;  // of a JSON answer that can be read
  std::string undecided;               // why the judge could not decide; "" when it could
};

// Judges body, media type, headers; the status only as far as an undeclared error goes.
// Precondition: the exchange is whole.
AnswerReading check_answer(const AnswerQuestion& question);

// A refusal whose body holds members of what a success would hold: two of them, or the only one.
// Where errors and successes share a name, that name says nothing.
Complaints check_refusal(const spec::contract::Contract& contract,
                         const spec::contract::Operation& operation, const nlohmann::json& body);

// Traces of a server's insides in an error's body: a stack trace, a file name with a line, a
// statement of SQL.
Complaints check_leaks(const client::Exchange& exchange);

// The place of a statement of the contract, for findings that rest on it.
Source source_of(const spec::contract::Contract& contract, spec::contract::StatementId statement);

}  // namespace contract_tests::checks
