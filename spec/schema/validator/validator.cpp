#include "spec/schema/validator/validator.hpp"

#include <optional>

namespace spec::schema::validator {
namespace {

// Beyond this number of steps validation may be exponential: from then on verdicts about schemas
// with branches are remembered.
constexpr std::size_t kStepsBeforeMemory = 20'000;
constexpr std::size_t kMaxRemembered = 1'000'000;

bool is_container(const Json& value) {
  return value.is_object() || value.is_array();
}

}  // namespace

Verdict Validator::run_plain(const Schema& schema, const Json& instance, Evaluated* evaluated) {
  if (!spend(1)) {
    return Verdict::kUndecided;
  }
  const TypeSet type = type_of(instance);
  Verdict verdict = Verdict::kValid;
  for (std::uint32_t i = 0; i < schema.step_count; ++i) {
    const Step& step = program_.steps[schema.first_step + i];
    if ((step.applies & type) == 0) {
      continue;
    }
    verdict = worse(verdict, test_value(step.keyword, step.operand, instance));
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
  }
  if (verdict == Verdict::kUndecided && evaluated != nullptr) {
    evaluated->mark_uncertain();
  }
  return verdict;
}

Verdict Validator::run(SchemaId schema, const Json& instance, const Frame* outer,
                       Evaluated* evaluated) {
  Frame frame{.outer = outer,
              .schema = schema,
              .instance = &instance,
              .evaluated = evaluated,
              .depth = outer == nullptr ? 0 : outer->depth + 1};
  is_too_deep_ = is_too_deep_ || frame.depth > kMaxDepth;
  if (!spend(1) || frame.depth > kMaxDepth) {
    return Verdict::kUndecided;
  }
  const Schema& at = program_.schemas[schema];
  if (at.tracks && is_container(instance)) {
    return run_tracking(frame);
  }
  if (at.composite && evaluated == nullptr && steps_ > kStepsBeforeMemory &&
      is_container(instance) && program_.dynamics.empty()) {
    return run_remembering(frame);
  }
  return run_steps(frame);
}

Verdict Validator::run_remembering(const Frame& frame) {
  const Question question{frame.schema, frame.instance};
  if (const auto known = remembered_.find(question); known != remembered_.end()) {
    return known->second;
  }
  const Verdict verdict = run_steps(frame);
  if (verdict != Verdict::kUndecided && remembered_.size() < kMaxRemembered) {
    remembered_.emplace(question, verdict);
  }
  return verdict;
}

// What the schema's own unevaluated keywords look at is what the schema itself evaluated, not what
// others did before. Source: JSON Schema 2020-12 Core §11.
Verdict Validator::run_tracking(Frame& frame) {
  Evaluated* asked = frame.evaluated;
  Evaluated own(frame.instance->size());
  frame.evaluated = &own;
  const Verdict verdict = run_steps(frame);
  if (asked != nullptr && verdict != Verdict::kInvalid) {
    asked->merge(own);
  }
  return verdict;
}

Verdict Validator::run_steps(const Frame& frame) {
  const Schema& schema = program_.schemas[frame.schema];
  const TypeSet type = type_of(*frame.instance);
  const Step* const first = program_.steps.data() + schema.first_step;
  Verdict verdict = Verdict::kValid;
  for (const Step* step = first; step != first + schema.step_count; ++step) {
    if ((step->applies & type) == 0) {
      continue;
    }
    // A fast path for the most frequent steps.
    const Verdict kept = step->keyword == Keyword::kObject
                             ? test_object(program_.objects[step->operand], frame)
                             : test(step->keyword, step->operand, frame);
    if (kept == Verdict::kInvalid) {
      return kept;
    }
    verdict = worse(verdict, kept);
  }
  if (verdict == Verdict::kUndecided && frame.evaluated != nullptr) {
    frame.evaluated->mark_uncertain();
  }
  return verdict;
}

Verdict Validator::test(Keyword keyword, std::uint32_t operand, const Frame& frame) {
  const Json& instance = *frame.instance;
  switch (keyword) {
    case Keyword::kNotUnderstood:  // it might evaluate anything
      frame.mark_uncertain();
      return Verdict::kUndecided;
    case Keyword::kRequired:
    case Keyword::kProperties:
    case Keyword::kPatternProperties:
    case Keyword::kAdditionalProperties:
    case Keyword::kObject: return test_object(program_.objects[operand], frame);
    case Keyword::kPropertyNames: return test_property_names(operand, frame);
    case Keyword::kDependentRequired:
      return test_dependent_names(program_.dependent_names[operand], frame);
    case Keyword::kPrefixItems: return test_prefix_items(program_.lists[operand], frame);
    case Keyword::kItems: return test_items(program_.items[operand], frame);
    case Keyword::kContains: return test_contains(program_.contains[operand], frame);
    case Keyword::kDiscriminator:
      return test_discriminator(program_.discriminators[operand], instance);
    case Keyword::kRef: return check(operand, instance, &frame, frame.evaluated);
    case Keyword::kDynamicRef:
      return check(dynamic_target(program_.dynamics[operand], frame), instance, &frame,
                   frame.evaluated);
    case Keyword::kAllOf: return test_all(program_.lists[operand], frame);
    case Keyword::kAnyOf: return test_any(operand, frame);
    case Keyword::kOneOf: return test_one(operand, frame);
    case Keyword::kNot: return test_not(operand, frame);
    case Keyword::kIf: return test_if(program_.conditions[operand], frame);
    case Keyword::kDependentSchemas:
      return test_dependent_schemas(program_.dependent_schemas[operand], frame);
    case Keyword::kUnevaluatedItems: return test_unevaluated_items(operand, frame);
    case Keyword::kUnevaluatedProperties: return test_unevaluated_properties(operand, frame);
    default: return test_value(keyword, operand, instance);
  }
}

// The outermost resource of the dynamic scope that has the anchor. The walk to it counts as work.
// Source: JSON Schema 2020-12 Core §8.2.3.2.
SchemaId Validator::dynamic_target(const DynamicTable& table, const Frame& frame) {
  spend(frame.depth);
  SchemaId target = table.initial;
  for (const Frame* at = &frame; at != nullptr; at = at->outer) {
    const auto found = table.targets.find(program_.schemas[at->schema].resource);
    if (found != table.targets.end()) {
      target = found->second;
    }
  }
  return target;
}

}  // namespace spec::schema::validator
