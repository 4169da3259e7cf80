#pragma once

// Validates the control API's responses against its description, as any reader of the document
// would.

#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/http/response_parser.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::tests {

class ControlCheck {
 public:
  explicit ControlCheck(const std::filesystem::path& document)
      : contract_(spec::contract::load_contract(document)) {}

  // The violations of the response to `method target`; none when the target is not the control
  // API's, or the response was not complete.
  std::vector<std::string> violations(std::string_view method, std::string_view target,
                                      const spec::http::ResponseRecord& record) const;

  // The operation that a request asks for; "" for none.
  std::string_view operation(std::string_view method, std::string_view target) const;

  const spec::contract::Contract& contract() const { return contract_; }

 private:
  spec::contract::Contract contract_;
};

// The target of a request's first line.
std::string_view target_of(std::string_view request_bytes);

}  // namespace mock_server::tests
