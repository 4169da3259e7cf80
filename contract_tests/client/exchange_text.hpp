#pragma once

// Texts about an exchange: one line about the response, and the smallest part of it that shows a
// place. Pure functions; the caller redacts secrets.

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/client/secret_texts.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace contract_tests::client {

// "200 application/json, 412 bytes", or how the exchange ended.
std::string response_line(const Exchange& exchange);

// Takes secrets out of a text.
using Redaction = std::function<std::string(std::string)>;

// `place` as findings name it, or a JSON pointer, for people and terminals: its tokens redacted one
// by one, control characters as a JSON string has them.
std::string shown_place(std::string_view place, const Redaction& redact);

// `place` as findings name it; `body` is the response's JSON, null if it is none. At most about 300
// characters, redacted before they are cut, so that no part of a secret is left at the end.
std::string excerpt(const Exchange& exchange, const nlohmann::json* body, std::string_view place,
                    const Redaction& redact);

// Redacts requests and whole exchanges before they are shown. Pure functions.

// Request and URL only, for a curl line.
Exchange redacted_request(const Secrets& secrets, const Exchange& exchange);

// Everything that was sent and received, bodies and long lines cut to what a report can show.
Exchange redacted_exchange(const Secrets& secrets, const Exchange& exchange);

}  // namespace contract_tests::client
