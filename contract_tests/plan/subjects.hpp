#pragma once

// The subjects of a run: the customer, brand, subscription that the cases use. A YAML file that the
// user fills in; the mock's is beside its fixtures.

#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/rules.hpp"

#include <filesystem>
#include <string>

namespace contract_tests::plan {

// Names for ${...}: nested members joined by ".", elements by their index ("payments.0").
// Throws spec::LoadError with every problem.
Names load_subjects(DataFiles& files, const std::filesystem::path& file);

// A subjects file to fill in: every subject that the rules name, what it is, and an example.
std::string subjects_template(const Rules& rules);

}  // namespace contract_tests::plan
