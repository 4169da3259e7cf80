#pragma once

// A recorded response as if the suite's client had just read it, and the fields of messages that a
// recording no longer fits: its bodies are whole, without codings. Pure functions.

#include "contract_tests/client/exchange.hpp"
#include "spec/har/har.hpp"
#include "spec/http/message.hpp"

#include <string>
#include <string_view>

namespace contract_tests::recorded {

// Whether a field is of one connection or of a transfer: "Transfer-Encoding", "Content-Length".
bool is_of_recorded_transfer(std::string_view field);

// Adds a field; browsers join several of one name by a line break.
void add_lines(spec::http::Headers& headers, const std::string& name, std::string_view value);

// Whether a request is about what an earlier response said: `If-None-Match`, `Range`.
bool is_conditional(const spec::http::Headers& headers);

// The recorded response as the client would have read it. Precondition: the call has a response.
client::Exchange exchange_of(const spec::har::Call& call);

}  // namespace contract_tests::recorded
