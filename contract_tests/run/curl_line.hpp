#pragma once

// A line for a shell that sends a request again, byte for byte but for User-Agent. Pure function.

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/client/secret_texts.hpp"

#include <string>

namespace contract_tests::run {

// Credentials come from variables of the shell, which also makes the spellings of them that cases
// send. A body that is no text, or that curl would read otherwise, is written by printf.
std::string curl_line(const client::Secrets& secrets, const client::Exchange& exchange);

}  // namespace contract_tests::run
