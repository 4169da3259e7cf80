// Keywords that apply schemas to the instance itself. Source: JSON Schema 2020-12 Core §10.2.

#include "spec/schema/validator/validator.hpp"

namespace spec::schema::validator {

Verdict Validator::test_all(const std::vector<SchemaId>& schemas, const Frame& frame) {
  Verdict verdict = Verdict::kValid;
  for (const SchemaId schema : schemas) {
    verdict = worse(verdict, check(schema, *frame.instance, &frame, frame.evaluated));
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
  }
  return verdict;
}

// A schema whose failure is no failure of its parent: what it evaluated counts only if it passes.
Verdict Validator::test_branch(SchemaId schema, const Frame& frame) {
  if (frame.evaluated == nullptr || entries_[schema].plain) {  // a plain one evaluates nothing
    const Verdict verdict = check(schema, *frame.instance, &frame);
    if (verdict == Verdict::kUndecided) {
      frame.mark_uncertain();
    }
    return verdict;
  }
  Evaluated own(frame.evaluated->size());
  const Verdict verdict = check(schema, *frame.instance, &frame, &own);
  if (verdict == Verdict::kValid) {
    frame.evaluated->merge(own);
  } else if (verdict == Verdict::kUndecided) {
    frame.evaluated->mark_uncertain();
  }
  return verdict;
}

Verdict Validator::test_any(std::uint32_t list, const Frame& frame) {
  Verdict verdict = Verdict::kInvalid;
  for (const SchemaId schema : program_.lists[list]) {
    const Verdict branch = test_branch(schema, frame);
    if (branch == Verdict::kValid && frame.evaluated == nullptr) {
      return branch;
    }
    if (branch == Verdict::kValid || verdict == Verdict::kInvalid) {
      verdict = branch;
    }
  }
  return verdict;
}

Verdict Validator::test_one(std::uint32_t list, const Frame& frame) {
  std::size_t kept = 0;
  bool open = false;
  for (const SchemaId schema : program_.lists[list]) {
    const Verdict branch = test_branch(schema, frame);
    kept += branch == Verdict::kValid ? 1 : 0;
    open = open || branch == Verdict::kUndecided;
    if (kept > 1) {
      return Verdict::kInvalid;
    }
  }
  if (open) {
    return Verdict::kUndecided;
  }
  return kept == 1 ? Verdict::kValid : Verdict::kInvalid;
}

Verdict Validator::test_discriminator(const DiscriminatorTable& table, const Json& object) {
  const auto& members = *object.get_ptr<const Json::object_t*>();
  const auto found = members.find(table.property);
  const bool is_text = found != members.end() && found->second.is_string();
  return is_text && !table.known.contains(found->second) ? Verdict::kInvalid : Verdict::kValid;
}

Verdict Validator::test_not(SchemaId schema, const Frame& frame) {
  // Within `not` nothing is evaluated for the outside, but its own unevaluated keywords work.
  switch (check(schema, *frame.instance, &frame)) {
    case Verdict::kValid: return Verdict::kInvalid;
    case Verdict::kInvalid: return Verdict::kValid;
    case Verdict::kUndecided: break;
  }
  return Verdict::kUndecided;
}

Verdict Validator::test_if(const ConditionTable& table, const Frame& frame) {
  const auto continue_with = [&](SchemaId schema) {
    return schema == kNoId ? Verdict::kValid
                           : check(schema, *frame.instance, &frame, frame.evaluated);
  };
  switch (test_branch(table.condition, frame)) {
    case Verdict::kValid: return continue_with(table.consequence);
    case Verdict::kInvalid: return continue_with(table.alternative);
    case Verdict::kUndecided: break;
  }
  return Verdict::kUndecided;
}

Verdict Validator::test_dependent_schemas(const std::vector<Property>& table, const Frame& frame) {
  Verdict verdict = Verdict::kValid;
  for (const Property& dependent : table) {
    if (frame.instance->contains(dependent.name)) {
      verdict = worse(verdict, check(dependent.schema, *frame.instance, &frame, frame.evaluated));
    }
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
  }
  return verdict;
}

}  // namespace spec::schema::validator
