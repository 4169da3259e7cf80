#pragma once

// Legal schemas that are likely mistakes: misspelt keywords, keywords of another dialect, what is
// beside a $ref where that is ignored. For --check.

#include "spec/load_error.hpp"
#include "spec/schema/schema_set.hpp"

#include <vector>

namespace spec::schema {

// About every schema that was compiled so far, or tried to be; by place, each once.
std::vector<Problem> hints(const SchemaSet& schemas);

}  // namespace spec::schema
