#pragma once

// The suite's data files (rules, rule book, cases, subjects), each read from YAML or JSON and
// validated against its own schema. Code that reads such a file afterwards relies on its shape.

#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace contract_tests::plan {

class DataFiles {
 public:
  // `schemas` is the folder that holds NAME.schema.yaml files.
  explicit DataFiles(std::filesystem::path schemas);

  // The root of `file`. Throws spec::LoadError with every problem and its place when the file
  // cannot be read or violates the schema `name`.
  spec::document::Node read(const std::filesystem::path& file, const std::string& name);

 private:
  std::filesystem::path schemas_;
  spec::document::Library library_;
  spec::schema::SchemaSet set_;
  spec::schema::compiler::Compiler compiler_;
};

}  // namespace contract_tests::plan
