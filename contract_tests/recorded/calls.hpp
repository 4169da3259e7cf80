#pragma once

// The calls of one service in a recording, each as a case of a plan with what its request must get.
// Pure functions; nothing is sent.

#include "contract_tests/client/client.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::recorded {

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

}  // namespace contract_tests::recorded
