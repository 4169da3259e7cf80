#pragma once

// Words about an exchange: a curl line that repeats it, one line about the response, and the smallest
// part of it that shows a place. Pure functions; secrets are masked by the caller.

#include "contract_tests/client/exchange.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace contract_tests::run {

// One line for a shell. Not for bodies with bytes that no shell takes: those are shown escaped.
std::string curl_line(const client::Exchange& exchange);

// "200 application/json, 412 bytes", or how the conversation ended.
std::string response_line(const client::Exchange& exchange);

// Takes secrets out of a text.
using Redaction = std::function<std::string(std::string)>;

// `place` as findings name it; `body` is the response's JSON, null if it is none. At most about 300
// characters, masked before they are cut, so that no part of a secret is left at the end.
std::string excerpt(const client::Exchange& exchange, const nlohmann::json* body,
                    std::string_view place, const Redaction& mask);

}  // namespace contract_tests::run
