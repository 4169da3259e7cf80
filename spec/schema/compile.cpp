#include "spec/schema/compile.hpp"

#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/program.hpp"

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

}  // namespace spec::schema
