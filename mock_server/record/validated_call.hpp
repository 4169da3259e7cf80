#pragma once

// A recorded call with what the contract says of it. Pure functions.

#include "mock_server/record/redactor.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"
#include "spec/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::record {

enum class Verdict : std::uint8_t { kValid, kViolating, kUndecided };

// "valid", "violating", "undecided".
std::string_view to_text(Verdict verdict);

// `call` is redacted already, and so is everything else in here.
struct ValidatedCall {
  spec::har::Call call;
  const spec::contract::Operation* operation = nullptr;  // null: the contract has none
  spec::contract::RequestReading reading;
  Verdict verdict = Verdict::kUndecided;  // of the response
  std::vector<std::string> findings;      // one line each: why it is not valid
  // Places of the request whose values are replacements: "/query/sid", "/body/pin".
  std::vector<std::string> redacted;
};

// Validates, then redacts, unless the call is redacted already, in these places. Fails with the
// reason if the call cannot be redacted: it must not be written then.
spec::Result<ValidatedCall, std::string> validate_call(
    const spec::contract::Contract& contract, Redactor& redactor, const spec::har::Call& call,
    const std::optional<std::vector<std::string>>& redacted = std::nullopt);

// The operation that the contract has for it; null for none.
const spec::contract::Operation* operation_of(const spec::contract::Contract& contract,
                                              const spec::http::Request& request);

}  // namespace mock_server::record
