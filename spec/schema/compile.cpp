#include "spec/schema/compile.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/program.hpp"

#include <algorithm>
#include <optional>

namespace spec::schema {

SchemaSet::SchemaSet(document::Library& library, CompileOptions options)
    : program_(std::make_unique<Program>()),
      compiler_(std::make_unique<compiler::Compiler>(library, options, *program_)) {}

SchemaSet::~SchemaSet() = default;
SchemaSet::SchemaSet(SchemaSet&&) noexcept = default;
SchemaSet& SchemaSet::operator=(SchemaSet&&) noexcept = default;

SchemaId SchemaSet::compile(const document::Node& node) {
  return compiler_->compile(node);
}

document::Node SchemaSet::source(SchemaId id) const {
  return program_->schemas[id].node;
}

const std::vector<Problem>& SchemaSet::not_understood() const {
  return program_->not_understood;
}

bool SchemaSet::is_open(SchemaId id) const {
  std::vector<SchemaId> ids{id};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const SchemaId part : applicable(*program_, ids[i], Reach::kCertain)) {
      const std::vector<Rule>& rules = program_->schemas[part].rules;
      if (std::ranges::find(rules, Keyword::kNotUnderstood, &Rule::keyword) != rules.end()) {
        return true;
      }
      const std::optional<SchemaId> elements = inner_schemas(*program_, part).elements;
      if (elements && std::ranges::find(ids, *elements) == ids.end()) {
        ids.push_back(*elements);
      }
    }
  }
  return false;
}

bool SchemaSet::has_write_only() const {
  return program_->has_write_only;
}

}  // namespace spec::schema
