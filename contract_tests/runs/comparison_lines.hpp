#pragma once

// What every form of a comparison says: its first lines, and a line for each change, by section.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace contract_tests::runs {

struct ComparisonLine {
  std::string what;     // "error schema/required GET /customers: body/email: must ..."
  std::string because;  // "service"; "" where no reason is given
};

struct ComparisonSection {
  std::string title;
  std::vector<ComparisonLine> lines;
};

// Whether the runs can be compared, and what they are.
std::string comparability(const nlohmann::json& comparison);

// "contract: a -> b", one for each difference that can be a reason of changes.
std::vector<std::string> difference_lines(const nlohmann::json& comparison);

// "1 new, 2 fixed, ...; coverage 61.0 % -> 62.1 %".
std::string comparison_totals(const nlohmann::json& comparison);

// Those that have lines, the most important first.
std::vector<ComparisonSection> comparison_sections(const nlohmann::json& comparison);

}  // namespace contract_tests::runs
