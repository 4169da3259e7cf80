#pragma once

// A finding on one screen, with the curl line that reproduces it. Pure functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/run/case.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace contract_tests::findings {

// Sentence, verdict and rule, clause and line of the contract, place, expected and actual, what was
// changed in the request, the response and the part of it that shows the violation, the curl line,
// the fingerprint. `finding` is one of the run value.
std::string failure_text(const std::string& operation, const std::string& sentence,
                         const nlohmann::json& finding);
std::string failure_text(const run::Case& item, const checks::Finding& finding);

// A finding as it is in the run value, but for its exchange.
nlohmann::json to_json(const checks::Finding& finding);

// A place in the contract, split: "payments.openapi.yaml:210:15".
struct StatedAt {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

// Nothing for a text of another form.
std::optional<StatedAt> stated_at_from(std::string_view text);

// The text member `key` of `value`; "" if there is none.
std::string text_of(const nlohmann::json& value, const char* key);

// The lowest severity that fails a case, for a value of --fail-on; of "never", that of errors.
checks::Severity severity_that_fails(std::string_view fail_on);

// True if `finding` of the run value fails its case, unless the baseline knows it.
bool fails(const nlohmann::json& run, const nlohmann::json& finding);

// "error paging/size (document, §8)".
std::string headline(const nlohmann::json& finding);

}  // namespace contract_tests::findings
