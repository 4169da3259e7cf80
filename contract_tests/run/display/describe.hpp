#pragma once

// Texts about an exchange: a curl line that repeats it, one line about the response, and the
// smallest part of it that shows a place. Pure functions; the caller redacts secrets.

#include "contract_tests/client/exchange.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace contract_tests::run::display {

// One line for a shell. A body that a shell cannot carry is written by printf.
std::string curl_line(const client::Exchange& exchange);

// "200 application/json, 412 bytes", or how the exchange ended.
std::string response_line(const client::Exchange& exchange);

// Takes secrets out of a text.
using Redaction = std::function<std::string(std::string)>;

// `place` as findings name it; `body` is the response's JSON, null if it is none. At most about 300
// characters, redacted before they are cut, so that no part of a secret is left at the end.
std::string excerpt(const client::Exchange& exchange, const nlohmann::json* body,
                    std::string_view place, const Redaction& redact);

}  // namespace contract_tests::run::display
