#include "spec/schema/compile.hpp"

#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/program.hpp"

#include <algorithm>

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
    for (const Rule& rule : program_->schemas[ids[i]].rules) {
      if (rule.keyword == Keyword::kNotUnderstood) {
        return true;
      }
      const bool leads_on = rule.keyword == Keyword::kRef || rule.keyword == Keyword::kItems;
      const SchemaId next =
          rule.keyword == Keyword::kItems ? program_->items[rule.operand].schema : rule.operand;
      if (leads_on && std::ranges::find(ids, next) == ids.end()) {
        ids.push_back(next);
      }
    }
  }
  return false;
}

}  // namespace spec::schema
