#pragma once

// In what form a recorded body is, and by which schema. Pure functions.

#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace mock_server::record {

// kNone: there is no body. kBytes: neither text nor anything that is read as text.
enum class BodyForm : std::uint8_t { kNone, kJson, kForm, kText, kBytes };

BodyForm form_of(const spec::http::Headers& headers, std::string_view body);

// The schema of the body; nothing for no operation and for no schema.
std::optional<spec::schema::SchemaId> request_schema(const spec::contract::Operation* operation,
                                                     const spec::http::Request& request);

// Without the fields that describe a transfer: recorded bodies are without codings.
spec::http::Headers without_transfer(const spec::http::Headers& headers);

}  // namespace mock_server::record
