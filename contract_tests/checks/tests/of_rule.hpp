// Matches a violation of the given rule.
#pragma once

#include "contract_tests/checks/finding.hpp"

#include <gmock/gmock.h>

#include <string>

namespace contract_tests::checks {

inline auto of_rule(const std::string& rule) {
  return testing::Field("rule", &RuleViolation::rule, rule);
}

}  // namespace contract_tests::checks
