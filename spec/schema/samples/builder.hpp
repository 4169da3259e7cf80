#pragma once

// One attempt at a sample: walks the schemas from the whole to its parts and makes a value at each
// place. Makes no promise that the value is valid; Sampler checks and tries again. Used by this
// folder only.

#include "spec/schema/samples/pattern_words.hpp"
#include "spec/schema/samples/sampler.hpp"
#include "spec/schema/samples/shape_tree.hpp"
#include "spec/schema/samples/tags.hpp"
#include "spec/schema/samples/words.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::samples {

// What every attempt over one set of schemas shares.
struct Ground {
  explicit Ground(const SchemaSet& compiled)
      : schemas(compiled),
        program(compiled.program()),
        depths(least_depths(program)),
        tags(read_tags(program)),
        shapes(compiled, depths, tags) {
    PropertyRanges properties;
    for (const std::string& text : program.pattern_texts) {
      patterns.push_back(writable_pattern(text, properties));
    }
  }

  const SchemaSet& schemas;
  const Program& program;
  std::vector<std::uint64_t> depths;                  // least depth of nesting, by schema
  std::vector<std::vector<nlohmann::json>> examples;  // valid ones, by schema
  std::vector<TagTable> tags;                         // by discriminator
  ShapeTree shapes;
  std::vector<std::optional<patterns::Node>> patterns;  // by number, those that can be written
};

// The inmost place where nothing could be made, for who asks why there is no sample.
struct Stuck {
  SchemaId schema = kNoId;
  std::string name;
  unsigned depth = 0;
  bool is_too_large = false;  // there is a value, but one larger than samples are
};

// What one attempt knows everywhere.
struct Attempt {
  const Ground& ground;
  const SampleOptions& options;
  Persona persona;
  // 0 the first time; later attempts check each part at once and take other branches.
  unsigned number = 0;
  // How many more values may be made before the sample is given up; shared by its attempts.
  unsigned& budget;
  Stuck& stuck;
};

// A place in the instance that is being made.
struct Spot {
  std::uint64_t seed = 0;
  std::string_view name;  // of the member; "" elsewhere
  const NameSense* sense = nullptr;
  unsigned depth = 0;
  const Spot* outer = nullptr;                    // of the object that it is in; null for the whole
  const std::vector<SchemaId>* merged = nullptr;  // the schemas of an object, for its members
};

// A shape whose choices are all taken, with the members that say which schema it is.
struct Settled {
  const ShapeNode* node = nullptr;
  std::vector<std::pair<std::string_view, std::string_view>> tags;
  OwnNodes own;

  const Shape& shape() const { return node->shape; }
};

// A value that is meant to keep all of `schemas`; nothing when no way was found.
std::optional<nlohmann::json> build(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                    const Spot& spot);

// Values of one type.
std::optional<nlohmann::json> build_text(const Attempt& attempt, const Shape& shape,
                                         const Spot& spot);
std::optional<nlohmann::json> build_array(const Attempt& attempt, const Shape& shape,
                                          const Spot& spot);
std::optional<nlohmann::json> build_object(const Attempt& attempt, const Settled& settled,
                                           const Spot& spot);

// Whether `value` keeps every schema of `schemas`.
bool keeps_all(const Attempt& attempt, const std::vector<SchemaId>& schemas,
               const nlohmann::json& value);

}  // namespace spec::schema::samples
