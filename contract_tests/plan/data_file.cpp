#include "contract_tests/plan/data_file.hpp"

#include "spec/schema/validator/validate_form.hpp"

namespace contract_tests::plan {

DataFiles::DataFiles(std::filesystem::path schemas)
    : schemas_(std::move(schemas)), compiler_(library_, {}, set_) {}

spec::document::Node DataFiles::read(const std::filesystem::path& file, const std::string& name) {
  const auto schema = compiler_.compile(library_.open(schemas_ / (name + ".schema.yaml")));
  const auto root = library_.open(file);
  auto problems = spec::schema::form_problems(set_, schema, root);
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return root;
}

}  // namespace contract_tests::plan
