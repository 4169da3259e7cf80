#pragma once

// Explains why an instance is invalid: walks the rules in the order of the text, checks each with
// the Validator, and reports each violation with both places. Only run on instances that are known
// to be invalid. Used only by this folder.

#include "spec/schema/validator/instance_schemas.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/schema/validator/validator.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace spec::schema::validator {

// The message if the explanation reached a limit before it found the place.
inline constexpr const char* kSomewhereInvalid =
    "must satisfy its schema, which it does not; too complex to say where";

class Explainer {
 public:
  // `max_violations`: the number of violations wanted; `nesting`: the number of oneOf and anyOf
  // that are open around.
  Explainer(Validator& validator, std::size_t max_violations, int nesting)
      : validator_(validator), max_violations_(max_violations), nesting_(nesting) {}

  // Reports everything in `instance` that violates the schema. Adds the evaluated parts, valid or
  // not, to `evaluated`, so that one mistake is not reported twice.
  void explain(SchemaId schema, const Json& instance, const Path* path, const Frame* outer,
               EvaluatedParts* evaluated = nullptr);

  // The violations so far, each once.
  std::vector<Violation> take();

 private:
  void explain_rules(const Schema& schema, const Frame& frame, const Path* path);
  void explain_rule(const Rule& rule, const Frame& frame, const Path* path);
  void explain_invalid(const Rule& rule, const Frame& frame, const Path* path);

  // The message about a keyword of a value.
  text::ViolationMessage value_message(const Rule& rule, const Json& instance);
  void explain_contains(const Rule& rule, const Frame& frame, const Path* path);
  // Keywords about members and elements.
  void explain_required(const Rule& rule, const Frame& frame, const Path* path);
  void explain_properties(const Rule& rule, const Frame& frame, const Path* path);
  void explain_pattern_properties(const Rule& rule, const Frame& frame, const Path* path);
  void explain_additional(const Rule& rule, const Frame& frame, const Path* path);
  void explain_property_names(const Rule& rule, const Frame& frame, const Path* path);
  void explain_dependent_names(const Rule& rule, const Frame& frame, const Path* path);
  void explain_unevaluated(const Rule& rule, const Frame& frame, const Path* path);
  void explain_unknown(const Rule& rule, const Frame& frame, const Path& member);
  void explain_unevaluated_items(const Rule& rule, const Frame& frame, const Path* path);
  void explain_prefix_items(const Rule& rule, const Frame& frame, const Path* path);
  void explain_items(const Rule& rule, const Frame& frame, const Path* path);
  // oneOf, anyOf and the discriminator.
  void explain_alternatives(const Rule& rule, const Frame& frame, const Path* path);
  void report_tag(const DiscriminatorTable& table, const Json& object, const Path* path);
  bool explain_tag(const DiscriminatorTable& table, const Json& object, const Path* path);
  std::string alternative_reasons(const std::vector<SchemaId>& alternatives, const Frame& frame);
  text::ViolationMessage too_many(const std::vector<SchemaId>& alternatives, const Frame& frame);

  void report(const Rule& rule, const Path* path, text::ViolationMessage message,
              bool undecided = false);
  void report_at(const document::Node& node, std::string keyword, const Path* path,
                 text::ViolationMessage message, bool undecided = false);

  // The reason why a verdict is undecided.
  const char* open_message() const;

  bool is_false(SchemaId schema) const;

  bool has_enough() const { return violations_.size() >= max_violations_; }

  const Program& program() const { return validator_.program(); }

  Validator& validator_;
  std::size_t max_violations_;
  int nesting_;
  std::vector<Violation> violations_;
};

}  // namespace spec::schema::validator
