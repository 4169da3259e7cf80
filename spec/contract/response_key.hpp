#pragma once

#include "spec/contract/contract.hpp"

#include <string>

namespace spec::contract {

// The key of a response under `responses`: "404", "4XX" or "default".
inline std::string response_key(const Answer& answer) {
  if (answer.status != 0) {
    return std::to_string(answer.status);
  }
  return answer.range != 0 ? std::to_string(answer.range) + "XX" : "default";
}

}  // namespace spec::contract
