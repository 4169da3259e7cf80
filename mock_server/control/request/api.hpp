#pragma once

// The control API's own contract: the OpenAPI document of spec/control.openapi.yaml, which is part
// of the program, so that the program and its description cannot drift apart. Loaded when it is
// first asked for: a mock that is never controlled pays nothing. Safe from any thread.

#include "spec/contract/contract.hpp"

#include <mutex>
#include <optional>
#include <string_view>

namespace mock_server::control::request {

class Api {
 public:
  // Throws spec::LoadError when the document is no contract; a test sees to it that it is one.
  const spec::contract::Contract& contract() const;
  // The document as it is written.
  static std::string_view text();

 private:
  mutable std::once_flag loaded_;
  mutable std::optional<spec::contract::Contract> contract_;
};

}  // namespace mock_server::control::request
