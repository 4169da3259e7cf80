#pragma once

// What a reviewer reads about a finding: on one screen, with what to type to see it again. Pure
// functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/plan/case.hpp"

#include <string>

namespace contract_tests::report {

// Sentence, verdict and rule, clause and line of the contract, expected and actual, what was
// changed in the request, the answer's excerpt, the curl line, the fingerprint.
std::string failure_text(const plan::Case& item, const checks::Finding& finding);

// "error paging/size (document, §8)".
std::string headline(const checks::Finding& finding);

}  // namespace contract_tests::report
