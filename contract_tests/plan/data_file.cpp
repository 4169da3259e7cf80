#include "contract_tests/plan/data_file.hpp"

#include "spec/json/pointer.hpp"
#include "spec/schema/validate.hpp"

#include <nlohmann/json.hpp>

#include <charconv>

namespace contract_tests::plan {

namespace {

// The node at a JSON pointer, or the deepest one on the way that is there.
spec::document::Node descend(spec::document::Node node, const std::string& pointer) {
  const auto tokens = spec::json::split_pointer(pointer);
  if (!tokens) {
    return node;
  }
  for (const auto& token : *tokens) {
    std::size_t index = 0;
    std::from_chars(token.data(), token.data() + token.size(), index);
    const auto next = node.is_array() ? node.at(index) : node.find(token);
    if (!next) {
      break;
    }
    node = next;
  }
  return node;
}

}  // namespace

DataFiles::DataFiles(std::filesystem::path schemas)
    : schemas_(std::move(schemas)), set_(library_, {}) {}

spec::document::Node DataFiles::read(const std::filesystem::path& file, const std::string& name) {
  const auto schema = set_.compile(library_.open(schemas_ / (name + ".schema.yaml")));
  const auto root = library_.open(file);
  std::vector<spec::Problem> problems;
  for (const auto& complaint : spec::schema::validate(set_, schema, root.value())) {
    auto problem = descend(root, complaint.instance).problem(complaint.message);
    problem.pointer = complaint.instance;
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return root;
}

}  // namespace contract_tests::plan
