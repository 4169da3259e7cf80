#pragma once

// Which parts of a request a contract declares to be credentials, so that journal and log never
// show them: the API keys of its security schemes. Built once for a loaded API, const afterwards.

#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::request {

class Secrets {
 public:
  explicit Secrets(const spec::contract::Contract& contract);

  // Names of header fields; "Cookie" when a key comes in one.
  std::span<const std::string> fields() const { return fields_; }

  // True for a violation of a parameter that is a credential, whose message may quote it.
  bool concerns(const spec::contract::Violation& violation) const;

  // The target with the values of secret query parameters replaced; "" when it has none.
  std::string hide(std::string_view target) const;

 private:
  std::vector<std::string> fields_;
  std::vector<std::string> parameters_;
};

}  // namespace mock_server::service::request
