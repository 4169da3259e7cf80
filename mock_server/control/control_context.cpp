#include "mock_server/control/control_context.hpp"

#include "spec/contract/loading/load_contract.hpp"

namespace mock_server::control {

const spec::contract::Contract& Api::contract() const {
  std::call_once(loaded_, [this] {
    contract_.emplace(spec::contract::load_contract_text(text(), "control.openapi.yaml"));
  });
  return *contract_;
}

}  // namespace mock_server::control
