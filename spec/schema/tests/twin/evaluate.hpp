#pragma once

// A small, plain evaluator of JSON Schema 2020-12 in the order of the specification: no
// compilation, no shortcuts, no errors but yes and no. It is obviously right where the real one is
// fast, and the two are held against each other. It shares with it only exact numbers, patterns and
// formats, which have tests of their own. For tests only.

#include "spec/schema/tests/twin/documents.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>

namespace spec::schema::twin {

// Applying schemas took more than was allowed: there is no response.
struct LimitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct EvaluateOptions {
  bool assert_format = false;
  bool open_api = false;  // OpenAPI 3.1's base dialect: `discriminator`
  std::size_t max_steps = std::numeric_limits<std::size_t>::max();  // subschemas applied
};

// True if `instance` is valid against the schema at `place`. Throws ReferenceError, LimitError.
bool is_valid(const Documents& documents, const Place& place, const nlohmann::json& instance,
              const EvaluateOptions& options = {});

}  // namespace spec::schema::twin
