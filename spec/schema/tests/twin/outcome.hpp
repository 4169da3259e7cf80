#pragma once

// The result of evaluating a schema at an instance, and the state of the evaluation. Shared by the
// twin's files. For tests only.

#include "spec/schema/tests/twin/documents.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace spec::schema::twin {

// Valid or not, and which members and elements were evaluated on the way, the annotations that
// unevaluatedProperties and unevaluatedItems ask for (Core §11).
struct Outcome {
  bool valid = true;
  std::set<std::string> members;
  std::set<std::size_t> elements;

  // A subschema applied in place: what it evaluated counts only when it is valid (Core §7.7.1).
  void absorb(const Outcome& other) {
    if (other.valid) {
      members.insert(other.members.begin(), other.members.end());
      elements.insert(other.elements.begin(), other.elements.end());
    }
  }
};

struct Evaluation {
  const Documents& documents;
  bool assert_format = false;
  bool open_api = false;
  std::size_t steps_left = 0;      // subschemas that may still be applied
  std::vector<std::string> scope;  // base URIs of the dynamic scope, outermost first (Core §7.1)
};

// The schema at `place` applied to `instance`.
Outcome evaluate(Evaluation& evaluation, const Place& place, const nlohmann::json& instance);

// True if `pattern` is found in `text`. Throws LimitError if that is undecided.
bool matches(const std::string& pattern, const std::string& text);

// True if the value of the discriminator in `object` selects one of the alternatives beside it.
bool tag_selects_an_alternative(const Documents& documents, const Place& place,
                                const nlohmann::json& object);

// The keywords of Validation §6 and §7.
bool satisfies_assertions(const Evaluation& evaluation, const nlohmann::json& schema,
                          const std::string& base, const nlohmann::json& instance);

}  // namespace spec::schema::twin
