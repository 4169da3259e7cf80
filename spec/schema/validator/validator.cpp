#include "spec/schema/validator/validator.hpp"

#include <optional>

namespace spec::schema::validator {
namespace {

// Beyond this number of steps validation may be exponential: from then on verdicts about schemas
// with branches are remembered.
constexpr std::size_t kStepsBeforeMemory = 20'000;
constexpr std::size_t kMaxRemembered = 1'000'000;

bool is_container(TypeSet type) {
  return (type & (kObjectType | kArrayType)) != 0;
}

}  // namespace

Verdict Validator::run_plain(const Entry& at, const Json& instance, TypeSet type,
                             Evaluated* evaluated) {
  if (!spend(1)) {
    return Verdict::kUndecided;
  }
  Verdict verdict = Verdict::kValid;
  const Step* const end = steps_of_all_ + at.first_step + at.step_count;
  for (const Step* step = steps_of_all_ + at.first_step; step != end; ++step) {
    if ((step->applies & type) == 0) {
      continue;
    }
    const Verdict kept = test_value(step->keyword, step->operand, instance);
    if (kept == Verdict::kInvalid) {
      return kept;
    }
    verdict = worse(verdict, kept);
  }
  if (verdict == Verdict::kUndecided && evaluated != nullptr) {
    evaluated->mark_uncertain();
  }
  return verdict;
}

Verdict Validator::run(const Entry& at, const Json& instance, TypeSet type, const Frame* outer,
                       Evaluated* evaluated) {
  Frame frame{.outer = outer,
              .schema = at.schema,
              .instance = &instance,
              .evaluated = evaluated,
              .depth = outer == nullptr ? 0 : outer->depth + 1};
  const bool is_too_deep = frame.depth > kMaxDepth;
  if (!spend(1) || is_too_deep) {
    is_too_deep_ = is_too_deep_ || is_too_deep;
    return Verdict::kUndecided;
  }
  if (at.tracks && is_container(type)) {
    return run_tracking(at, type, frame);
  }
  if (steps_ > kStepsBeforeMemory && at.composite && evaluated == nullptr && is_container(type) &&
      program_.dynamics.empty()) {
    return run_remembering(at, type, frame);
  }
  return run_steps(at, type, frame);
}

Verdict Validator::run_remembering(const Entry& at, TypeSet type, const Frame& frame) {
  const Question question{frame.schema, frame.instance};
  if (const auto known = remembered_.find(question); known != remembered_.end()) {
    return known->second;
  }
  const Verdict verdict = run_steps(at, type, frame);
  if (verdict != Verdict::kUndecided && remembered_.size() < kMaxRemembered) {
    remembered_.emplace(question, verdict);
  }
  return verdict;
}

// What the schema's own unevaluated keywords look at is what the schema itself evaluated, not what
// others did before. Source: JSON Schema 2020-12 Core §11.
Verdict Validator::run_tracking(const Entry& at, TypeSet type, Frame& frame) {
  Evaluated* asked = frame.evaluated;
  Evaluated own(frame.instance->size());
  frame.evaluated = &own;
  const Verdict verdict = run_steps(at, type, frame);
  if (asked != nullptr && verdict != Verdict::kInvalid) {
    asked->merge(own);
  }
  return verdict;
}

Verdict Validator::run_steps(const Entry& at, TypeSet type, const Frame& frame) {
  Verdict verdict = Verdict::kValid;
  const Step* const end = steps_of_all_ + at.first_step + at.step_count;
  for (const Step* step = steps_of_all_ + at.first_step; step != end; ++step) {
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
