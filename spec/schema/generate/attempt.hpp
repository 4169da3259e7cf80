#pragma once

// One attempt at an instance: walks the schemas from the whole to its parts and makes a value at
// each place. Makes no promise that the value is valid; Generator validates and tries again. Used
// by this folder only.

#include "spec/schema/generate/believable_values.hpp"
#include "spec/schema/generate/constraints.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/generate/scene.hpp"
#include "spec/schema/patterns/pattern_tree.hpp"
#include "spec/schema/program.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::generate {

// The names that OpenAPI's discriminators give to schemas, so that a generated object names its
// schema. Beside oneOf or anyOf those of the alternatives; in a base schema that others extend by
// allOf, those of its subtypes. Made once for all schemas. Used by this folder only.
struct Discriminator {
  std::string property;
  SchemaId owner = kNoId;         // the schema with the discriminator
  bool has_alternatives = false;  // is beside oneOf or anyOf
  std::vector<Property> names;    // those of the mapping first; references are followed
  std::string own_name;           // of the owner as a component; "" if it is none
};

// One entry for each discriminator of the program, in their order.
std::vector<Discriminator> read_discriminators(const Program& program);

// The name of a value that satisfies all of `merged` (outermost first); "" if it has none.
std::string_view name_among(const Discriminator& discriminator,
                            const std::vector<SchemaId>& merged);

// True if `value` names a schema that is none of `merged`, which have another name.
bool names_another(const Discriminator& discriminator, const std::vector<SchemaId>& merged,
                   const nlohmann::json& value);

// From this depth on arrays are as short as allowed, and objects have no members of arrays, nor of
// schemas that apply further out, unless they must.
inline constexpr unsigned kMaxRichDepth = 4;

// The data that every attempt over one set of schemas shares.
struct Context {
  const SchemaSet& schemas;
  const Program& program;
  std::vector<std::uint64_t> depths;                    // min_depths()
  std::vector<Discriminator> discriminators;            // as Program::discriminators
  std::vector<std::optional<patterns::Node>> patterns;  // by number, those that can be written
  std::vector<std::vector<nlohmann::json>> examples;    // valid ones, by schema
  std::vector<const Kind*> things;                      // what names of instances are, by schema
  std::map<SchemaId, std::string> components;           // their names
  std::string currency;  // of all records: the first that the contract states, else one of its own
  std::unique_ptr<ConstraintsCache> merged = std::make_unique<ConstraintsCache>();

  // The name of the component; "" for other schemas.
  std::string_view component(SchemaId id) const {
    const auto found = components.find(id);
    return found == components.end() ? std::string_view{} : found->second;
  }

  std::shared_ptr<const Constraints> constraints_of(const std::vector<SchemaId>& all) const {
    return merged->of(program, all);
  }
};

// The innermost place where nothing could be made: the reason why there is no instance.
struct Failure {
  SchemaId schema = kNoId;
  std::string name;  // of the member
  unsigned depth = 0;
  bool is_too_large = false;  // there is an instance, but one larger than those that are made
};

// The data of one attempt.
struct Attempt {
  const Context& context;
  const GenerateOptions& options;
  std::int64_t today = 0;  // the end of the months in which the dates lie, in seconds since 1970
  // 0 the first time; later attempts validate each part at once and choose otherwise.
  unsigned number = 0;
  unsigned& budget;  // how many more values all attempts together may make
  Failure& failure;
};

// A place in the instance that is being made.
struct Location {
  std::uint64_t seed = 0;
  std::string_view name;  // of the member, also of its elements; "" elsewhere
  unsigned depth = 0;
  const Location* outer = nullptr;                // of the object that it is in; null for the whole
  const std::vector<SchemaId>* merged = nullptr;  // the schemas of an object, for its members
  std::uint64_t index = 0;                        // of an element, in its array
  bool is_element = false;
  std::uint64_t list_seed = 0;   // of the array that it is an element of
  const Scene* scene = nullptr;  // of the object that it is in
};

// The plan of an object: constraints without open choices, and the members that name its schema by
// a discriminator.
struct ObjectPlan {
  Constraints constraints;
  std::vector<std::pair<std::string_view, std::string_view>> names;
};

// A value that is meant to satisfy all of `schemas`; none if no way was found.
std::optional<nlohmann::json> make_value(const Attempt& attempt,
                                         const std::vector<SchemaId>& schemas,
                                         const Location& location);

// Values of one type.
std::optional<nlohmann::json> make_text(const Attempt& attempt, const Constraints& constraints,
                                        const Location& location);
std::optional<nlohmann::json> make_array(const Attempt& attempt, const Constraints& constraints,
                                         const Location& location);
std::optional<nlohmann::json> make_object(const Attempt& attempt, const ObjectPlan& plan,
                                          const Location& location);

// A time in the months before the attempt's day, in seconds since 1970.
std::int64_t creation_time(const Attempt& attempt, std::uint64_t seed);

// The scene of the whole, for what is in no object.
Scene whole_scene(const Attempt& attempt, const Location& location);

// True if values that the contract states may give way to others there.
bool varies(const Location& location);

// True if a value of that kind may replace an example: what it is about is known.
bool may_replace(const nlohmann::json& example, const Constraints& constraints,
                 const Location& location);

// True if `value` is a valid instance of every schema of `schemas`.
bool fits_all(const Attempt& attempt, const std::vector<SchemaId>& schemas,
              const nlohmann::json& value);

}  // namespace spec::schema::generate
