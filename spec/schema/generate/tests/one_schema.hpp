#pragma once

// A schema from text, compiled alone. For tests only.

#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/generate/generator.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string_view>

namespace spec::schema::generate {

struct OneSchema {
  explicit OneSchema(std::string_view text, CompileOptions options = {}) {
    id = compiler::Compiler(library, options, schemas)
             .compile(library.add("https://example.test/root", "schema.json", text,
                                  document::Format::kJson));
  }

  document::Library library;
  SchemaSet schemas;
  SchemaId id = 0;
};

// An instance of the schema. Precondition: one can be generated.
inline nlohmann::json generated(std::string_view schema, const GenerateOptions& options = {},
                                CompileOptions compiling = {}) {
  const OneSchema one(schema, compiling);
  return Generator(one.schemas).generate(one.id, options).value();
}

}  // namespace spec::schema::generate
