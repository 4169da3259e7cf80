#pragma once

// Which contract kept state belongs to, for a start that must not take the state of another one. A
// plain value; the program makes it, and stores keep it.

#include <string>
#include <string_view>

namespace mock_server::state {

struct ContractMark {
  std::string title;
  std::string fingerprint;  // of its texts; "" if it is not known
  std::string operations;   // "GET /pets", sorted, one a line

  friend bool operator==(const ContractMark&, const ContractMark&) = default;
};

// What is wrong if state of `kept` is used with `now`, for "has the state of ...": another title,
// or no operation in common. "" if nothing is: a contract that was changed is the same contract.
std::string contract_problem(const ContractMark& kept, const ContractMark& now);

}  // namespace mock_server::state
