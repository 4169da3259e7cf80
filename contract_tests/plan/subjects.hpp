#pragma once

// The subjects of a run: the customer, brand, subscription that the cases use. A YAML file that the
// user fills in; the mock's is beside its fixtures.

#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/rules.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace contract_tests::plan {

// Names for ${...}: nested members joined by ".", elements by their index ("payments.0"). Numbers
// as they are written. Throws spec::LoadError with every problem.
Names load_subjects(DataFiles& files, const std::filesystem::path& file);

using Bodies = std::map<std::string, nlohmann::json, std::less<>>;  // by operation id

// The request bodies in the same file: the objects and arrays that are `body` of an operation.
Bodies load_bodies(DataFiles& files, const std::filesystem::path& file);

// What a template is made of.
struct TemplateInput {
  const spec::contract::Contract& contract;
  const Rules& rules;
  const std::map<std::string, std::string>& made_up;  // values of OPERATION.PARAMETER
  Bodies bodies = {};                                 // that were made up
  std::map<std::string, std::string> found = {};      // values that the service has
};

// A subjects file to fill in: every subject that the rules name for this contract, with an example,
// and every parameter and body that was made up, with its type and bounds. Made-up values are in
// comments, because they need not exist.
std::string subjects_template(const TemplateInput& input);

}  // namespace contract_tests::plan
