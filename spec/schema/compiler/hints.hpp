#pragma once

// Legal schemas that are likely mistakes: misspelt keywords, keywords of another dialect, ignored
// siblings of a $ref. For --check.

#include "spec/load_error.hpp"
#include "spec/schema/schema_set.hpp"

#include <vector>

namespace spec::schema {

// The hints about every schema that was compiled so far, even if that failed; by place, each once.
std::vector<Problem> hints(const SchemaSet& schemas);

}  // namespace spec::schema
