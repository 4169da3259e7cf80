#pragma once

// The corners of a schema: instances that break one keyword and nothing else, and the values on
// both sides of each bound. Made by changing a valid sample in one place and asking the judge what
// that broke. Pure functions of their seed.

#include "spec/document/document.hpp"
#include "spec/schema/samples/sampler.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::schema::samples {

struct Corner {
  nlohmann::json instance;
  std::string place;         // JSON pointer of what was changed; "" is the whole
  document::Node statement;  // the keyword that is broken, or whose bound is met exactly
  std::string keyword;
  bool valid = false;
  std::string change;  // "page_size: 101 instead of 10", values cut at 60 characters
};

// For each keyword that one change can break, one instance for each way that differs by type or by
// side of a bound; then the instances that stand at a bound and keep it. In the order of the
// sample's places; empty when there is no sample.
std::vector<Corner> corners(const SchemaSet& schemas, const Sampler& sampler, SchemaId schema,
                            const SampleOptions& options = {});

}  // namespace spec::schema::samples
