#pragma once

// The calls of one service in a recording, each as a case of a plan with what its request must get.
// Pure functions; nothing is sent.

#include "contract_tests/client/client.hpp"
#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"
#include "spec/http/message.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::parity {

// Calls that were chosen, each as a case: "call_3.GET_customers_customer_id", where 3 is its number
// in the file.
struct RecordedCalls {
  run::Plan plan;
  std::vector<spec::har::Call> calls;  // by index into the plan; targets without the base path
  std::string origin;                  // of the service; "" for no call
  std::vector<std::string> left_out;   // what of the file is not used, one line each
  std::string hint;                    // why no call was chosen, if that can be seen; else ""
  std::vector<std::string> unread;     // entries that cannot be read, a line each, the first few
};

// The calls of one service: those to `url`, else to the origin with the most calls that the
// contract has operations for.
RecordedCalls choose_calls(const spec::contract::Contract& contract, spec::har::Recording recording,
                           const std::optional<client::BaseUrl>& url);

// The credentials that the recorded requests brought, to be redacted.
std::vector<std::string> secrets_of(const spec::contract::Contract& contract,
                                    const std::vector<spec::har::Call>& calls);

// Expectations of the response to a recorded request. Pure functions.

// Sets what `item` expects whoever answers: a rejection where the request of `call` violates the
// contract, else a success or a rejection. `path` is Match::path_values.
void expect(const spec::contract::Contract& contract, const spec::contract::Operation& operation,
            const spec::har::Call& call,
            const std::vector<std::pair<std::string, std::string>>& path, run::Case& item);

// The same for this response alone, as a run says it: a client may get any rejection (no key, too
// many calls, a state that forbids it), and what the contract declares beside successes.
// Precondition: expect() was called, and the call has a response.
void expect_response(const spec::contract::Contract& contract, const spec::har::Call& call,
                     run::Case& item);

// A recorded response as if the suite's client had just read it, and the fields of messages that a
// recording no longer fits: its bodies are whole, without codings. Pure functions.

// True if a field is of one connection or of a transfer: "Transfer-Encoding", "Content-Length".
bool is_of_recorded_transfer(std::string_view field);

// Adds a field; browsers join several of one name by a line break.
void add_lines(spec::http::Headers& headers, const std::string& name, std::string_view value);

// True if a request is about what an earlier response said: `If-None-Match`, `Range`.
bool is_conditional(const spec::http::Headers& headers);

// The recorded response as the client would have read it. Precondition: the call has a response.
client::Exchange exchange_of(const spec::har::Call& call);

}  // namespace contract_tests::parity
