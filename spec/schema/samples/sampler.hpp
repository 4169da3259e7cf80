#pragma once

// Valid instances of compiled schemas: a pure function of seed, schema place and entity key, never
// of what was asked before. Examples, defaults and constants are preferred; other values look like
// what their names and formats say and agree with each other; recursion ends. Every sample was
// checked by the judge; what cannot be satisfied is said, not faked. Made once after the last
// compile; safe from any thread.

#include "spec/document/document.hpp"
#include "spec/result.hpp"
#include "spec/schema/compile.hpp"
#include "spec/schema/validate.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::samples {

// A value that members of that name take where their schema allows it: the path's key, for one.
using Given = std::pair<std::string, nlohmann::json>;

struct SampleOptions {
  std::uint64_t seed = 0;
  std::string_view name;  // what the value is called: of a parameter or header; "" if nothing
  std::string_view key;   // of the entity that the sample stands for; "" if there is none
  Direction direction = Direction::kNone;
  bool use_examples = true;  // `example`, `examples` and `default` of the schemas
  const std::vector<Given>* given = nullptr;
  std::chrono::seconds later{0};  // the sample's dates lie so much later than usual
};

// Why there is no sample: the schema, and in words what stood in the way.
struct SampleFailure {
  document::Node schema;
  std::string message;
};

class Sampler {
 public:
  // Keeps a reference to `schemas`, which must outlive it and grow no more.
  explicit Sampler(const SchemaSet& schemas);
  ~Sampler();
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;

  Result<nlohmann::json, SampleFailure> sample(SchemaId schema,
                                               const SampleOptions& options = {}) const;

  struct State;

  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace spec::schema::samples
