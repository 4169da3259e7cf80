#pragma once

// Random pairs of schema and instance for holding the two evaluators against each other. A pair is
// a function of its seed alone. Schemas use every keyword of 2020-12 and OpenAPI's
// discriminator (which is no keyword in plain 2020-12), are valid, and never refer in
// place to themselves (which would have no response). For tests only.

#include <nlohmann/json.hpp>

#include <cstdint>

namespace spec::schema::twin {

struct Pair {
  nlohmann::json schema;
  nlohmann::json instance;
  bool open_api = false;  // the schema is of OpenAPI 3.1's base dialect
};

Pair generate(std::uint64_t seed);

}  // namespace spec::schema::twin
