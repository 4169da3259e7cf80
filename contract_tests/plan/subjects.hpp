#pragma once

// The subjects of a run: the customer, brand, subscription that the cases use. A YAML file that the
// user fills in; the mock's is beside its fixtures.

#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

// Names for ${...}: nested members joined by ".", elements by their index ("payments.0"). Numbers
// as they are written. Throws spec::LoadError with every problem.
Names load_subjects(DataFiles& files, const std::filesystem::path& file);

// True for a subject that the rules declare, and for one element more of a list of theirs
// ("payments.2"), which does no harm.
bool is_declared(std::string_view name, const std::vector<Subject>& subjects);

// True for "getPet.petId", a parameter, and "addPet.body" or "addPet.body.name", of a request body.
bool is_of_operation(std::string_view name, const spec::contract::Contract& contract);

using Bodies = std::map<std::string, nlohmann::json, std::less<>>;  // by operation id

// The request bodies in the same file: the objects and arrays that are `body` of an operation.
Bodies load_bodies(DataFiles& files, const std::filesystem::path& file);

// The inputs of a template.
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

// Values derived from a subject: ${unknown.NAME} and others. They look so similar that a faulty
// service accepts them. Pure functions.

// Turns letters and digits of the last part of `value` ("cus_abc" -> after "_") into others, so
// that kind and length stay and the value does not exist. A pure function.
std::string unknown_like(std::string_view value);

// `value` with every ASCII letter from `start` on in the other case.
std::string other_case(std::string_view value, std::size_t start = 0);

// A name that is derived ("cut.customer") taken apart: the subject's name and what becomes of the
// subject's value. Empty if the name is not derived.
//   unknown: other letters and digits     cut: without the last character
//   half: the first half                  tail: another second half
//   third: the first third                case: every letter in the other case
//   basic: base64 of the value as basic credentials; a value without a colon is the name
//   bare: without its hyphens
//   number: itself; in JSON a number instead of a text
//   swapped: letters behind the last "_" in the other case
struct Derivation {
  std::string_view subject;
  std::string (*make)(std::string_view value);
};

std::optional<Derivation> find_derived(std::string_view name);

// The subject that `name` needs: itself, unless it is derived of another.
std::string_view subject_of(std::string_view name);

}  // namespace contract_tests::plan
