#pragma once

// The one shape of a violation about a message, on both sides.

#include "spec/contract/statement.hpp"
#include "spec/text/violation_message.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace spec::contract {

class Contract;

enum class Part : std::uint8_t {
  kPath,
  kQuery,
  kHeader,
  kCookie,
  kBody,
  kStatus,
  kMediaType,
  kFraming,
  kSecurity
};

// "path", "query", "header", "cookie", "body", "status", "media type", "framing", "security".
std::string_view to_text(Part part);

struct Violation {
  std::string operation;  // "PATCH /brands/{id}"
  Part part = Part::kBody;
  std::string instance;       // JSON pointer inside that part; "/page_size"; "" is the whole
  StatementId statement = 0;  // place in Contract::statements()
  std::string rule;  // stable code: the schema keyword ("maximum"), or "repeated", "missing",
                     // "malformed", "encoding", "undeclared"
  text::ViolationMessage message;  // "must be at most 100, but is 101"
  bool undecided = false;          // not a violation: a limit of the validator was reached, or
  bool not_understood = false;     // the contract is not understood here (LoadOptions::tolerate)
};

// One line: `GET /subscriptions/{subscription_id}/usage-history query/page_size: must be at most
// 100, but is 101 [/paths/.../maximum] (§4.3)`.
std::string to_line(const Contract& contract, const Violation& violation);

}  // namespace spec::contract
