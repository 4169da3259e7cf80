#include "contract_tests/plan/subjects.hpp"

#include <vector>

namespace contract_tests::plan {

using spec::document::Node;

namespace {

void flatten(const Node& node, const std::string& name, Names& names) {
  for (const auto& member : node.members()) {
    flatten(member.value,
            name.empty() ? std::string(member.key) : name + '.' + std::string(member.key), names);
  }
  std::size_t index = 0;
  for (const auto& element : node.elements()) {
    flatten(element, name + '.' + std::to_string(index++), names);
  }
  if (node.is_string()) {
    names.set(name, std::string(node.string()));
  }
}

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', start)) {
    parts.push_back(name.substr(start, dot - start));
    start = dot + 1;
  }
  parts.push_back(name.substr(start));
  return parts;
}

bool is_index(const std::string& part) {
  return part.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

Names load_subjects(DataFiles& files, const std::filesystem::path& file) {
  Names names;
  flatten(files.read(file, "subjects"), "", names);
  return names;
}

std::string subjects_template(const Rules& rules) {
  std::string text =
      "# Subjects for contract_tests --subjects FILE. Replace each example with an identifier of "
      "the\n"
      "# account under test; remove a line to skip the cases that need it.\n";
  std::string open;  // the group whose members are being written
  for (const auto& subject : rules.subjects) {
    const auto parts = split(subject.name);
    if (parts.size() == 1) {
      text += parts[0] + ": " + subject.example + "  # " + subject.is + '\n';
      open.clear();
      continue;
    }
    if (parts[0] != open) {
      open = parts[0];
      text += open + ":\n";
    }
    text += (is_index(parts[1]) ? "  - " : "  " + parts[1] + ": ") + subject.example + "  # " +
            subject.is + '\n';
  }
  return text;
}

}  // namespace contract_tests::plan
