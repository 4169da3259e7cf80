#pragma once

// The boundary cases of a schema: instances that violate one keyword and nothing else, and the
// values on both sides of each bound. Made by changing a valid instance in one place and validating
// it again. Pure functions of their seed.

#include "spec/document/document.hpp"
#include "spec/schema/generate/generator.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::schema::generate {

struct BoundaryCase {
  nlohmann::json instance;
  std::string place;         // JSON pointer of the change; "" is the whole
  document::Node statement;  // the keyword that is violated, or whose bound the instance is about
  std::string keyword;
  bool valid = false;
  std::string change;  // "page_size: 101 instead of 10", values cut at 60 characters
};

// For each keyword that one change can violate, one instance for each way that differs by type or
// by side of a bound; then the valid instances that are at a bound, and of a range between two
// bounds a fraction and a negative number. The first of each keyword and place come before the
// second of any, else in the order of the places of a generated instance; empty when there is none.
std::vector<BoundaryCase> boundary_cases(const SchemaSet& schemas, const Generator& generator,
                                         SchemaId schema, const GenerateOptions& options = {});

}  // namespace spec::schema::generate
