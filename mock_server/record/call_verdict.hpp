#pragma once

// A recorded call with what the contract says of it. Pure functions.

#include "mock_server/record/redactor.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"
#include "spec/http/message.hpp"
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

// In what form a recorded body is, and by which schema. Pure functions.

// kNone: there is no body. kItems: events, lines or records. kBytes: neither text nor anything that
// is read as text.
enum class BodyForm : std::uint8_t { kNone, kJson, kForm, kItems, kText, kBytes };

BodyForm form_of(const spec::http::Headers& headers, std::string_view body);

// The schema of the body; nothing for no operation and for no schema.
std::optional<spec::schema::SchemaId> request_schema(const spec::contract::Operation* operation,
                                                     const spec::http::Request& request);

// What describes the body of the response; null for nothing.
const spec::contract::MediaTypeObject* items_content(const spec::contract::Operation* operation,
                                                     const spec::http::Response& response);

// Without the fields that describe a transfer: recorded bodies are without codings.
spec::http::Headers without_transfer(const spec::http::Headers& headers);

}  // namespace mock_server::record
