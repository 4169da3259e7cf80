#include "contract_tests/plan/data_file.hpp"

#include "spec/document/document.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

namespace contract_tests::plan {

DataFiles::DataFiles(std::filesystem::path schemas)
    : schemas_(std::move(schemas)), compiler_(library_, {}, set_) {}

spec::document::Node DataFiles::read(const std::filesystem::path& file, const std::string& name) {
  const auto schema = compiler_.compile(library_.open(schemas_ / (name + ".schema.yaml")));
  const auto root = library_.open(file);
  std::vector<spec::Problem> problems;
  for (const auto& violation : spec::schema::validate(set_, schema, root.value())) {
    auto problem =
        spec::document::nearest_below(root, violation.instance).problem(violation.message);
    problem.pointer = violation.instance;
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return root;
}

}  // namespace contract_tests::plan
