#pragma once

// Validates the form of files that people write for a program (fixtures, rules, scenarios) by a
// schema of its own. The file's reader then only has to check its meaning.

#include "spec/document/document.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/schema_set.hpp"

#include <vector>

namespace spec::schema {

// Every violation of `schema` by the file's text below `root`, each once and at its place, in words
// for the author: `x-errorMessage` of the nearest schema around the keyword that has one, else the
// keyword's message, with the member or value that was probably meant.
std::vector<Problem> form_problems(const SchemaSet& schemas, SchemaId schema,
                                   const document::Node& root);

}  // namespace spec::schema
