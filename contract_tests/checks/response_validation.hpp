#pragma once

// Validates a whole response: against the contract by the validator, and JSON as text, names of
// members, and the rules of the operation. Pure functions of const data.

#include "contract_tests/checks/documented_members.hpp"
#include "contract_tests/checks/finding.hpp"
#include "contract_tests/checks/response_rules.hpp"
#include "contract_tests/client/http_exchange.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/media_type.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

struct ResponseQuestion {
  const spec::contract::Contract& contract;
  const spec::contract::Operation& operation;
  const client::Exchange& exchange;
  const std::vector<ResponseRule>& rules;          // rules beyond the schema
  const std::map<std::string, std::string>& path;  // path parameters as sent, decoded
};

// The body of a response in JSON; of any other response, nothing.
struct JsonBody {
  RuleViolations violations;            // of JSON as text
  std::optional<nlohmann::json> value;  // where it can be read
  bool is_invalid = false;              // it cannot be read,
  bool is_too_deep = false;             // because it is nested too deep
};

JsonBody read_json_body(const client::Exchange& exchange);

struct ResponseReading {
  RuleViolations violations;
  std::optional<nlohmann::json> body;      // of a JSON response that can be read
  std::optional<nlohmann::json> known;     // its documented part, where that is not the whole
  std::optional<nlohmann::json> normal;    // of a success: what is documented, in normal form
  std::vector<Misspelling> misspelt;       // other responses decide whether they count
  std::vector<std::string> unknown_texts;  // strings inside undocumented members
  std::string undecided;                   // why the validator could not decide; "" when it could
};

// Validates body, media type, headers; the status only as far as an undeclared error goes. `body`
// is the exchange's. Precondition: the exchange is complete.
ResponseReading check_response(const ResponseQuestion& question, JsonBody body);

// Places of the documented members that `body` has, "*" for any element.
std::set<std::string> documented_places(const spec::contract::Contract& contract,
                                        const spec::contract::Operation& operation,
                                        const client::Exchange& exchange,
                                        const nlohmann::json& body);

// A rejection whose body has members of a success: two of them, or the only one. Names that errors
// and successes share do not count.
RuleViolations check_rejection(const spec::contract::Contract& contract,
                               const spec::contract::Operation& operation,
                               const nlohmann::json& body);

// The body of a success in JSON without the members that the contract documents as secrets and
// whose whole text is one (the token that a login gives); else the body as it is.
std::string without_documented_secrets(const spec::contract::Contract& contract,
                                       const spec::contract::Operation& operation,
                                       const client::Exchange& exchange,
                                       const std::vector<std::string>& secrets);

// A 401 of an operation with bearer tokens must offer Bearer. Source: RFC 9110 §11.6.1.
RuleViolations check_challenge(const spec::contract::Operation& operation,
                               const client::Exchange& exchange);

// The place of a statement of the contract, for findings that rest on it.
Source source_of(const spec::contract::Contract& contract, spec::contract::StatementId statement);

// JSON as text, before any schema: encoding, byte order marks, lone surrogates, grammar.
// Pure functions, safe from any thread.

// Violations in `body` as JSON text; `value` gets the value when it can be parsed. A text that is
// nested deeper than is read has no value, and no violation where the body of the request, `sent`,
// was too: the service repeats it. Source: RFC 8259 §8.1, §8.2, §9.
RuleViolations check_json_text(std::string_view body, nlohmann::json& value,
                               std::string_view sent = {});

// Reports a text beyond ASCII that is labelled with another charset than UTF-8: JSON has no such
// parameter, but some clients use it. Source: RFC 8259 §8.1, §11.
RuleViolations check_charset(std::string_view body, const spec::http::MediaType& type);

}  // namespace contract_tests::checks
