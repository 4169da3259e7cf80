#include "spec/schema/validator/validator.hpp"

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spec::schema::validator {

namespace {

// Beyond this number of steps validation may be exponential: from then on verdicts about schemas
// with alternatives are remembered.
constexpr std::size_t kStepsBeforeMemory = 20'000;
constexpr std::size_t kMaxRemembered = 1'000'000;

bool is_container(TypeSet type) {
  return (type & (kObjectType | kArrayType)) != 0;
}

}  // namespace

Verdict Validator::run_plain(const Entry& at, const Json& instance, TypeSet type,
                             EvaluatedParts* evaluated) {
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
                       EvaluatedParts* evaluated) {
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
  const VerdictKey key{frame.schema, frame.instance};
  if (const auto known = remembered_.find(key); known != remembered_.end()) {
    return known->second;
  }
  const Verdict verdict = run_steps(at, type, frame);
  if (verdict != Verdict::kUndecided && remembered_.size() < kMaxRemembered) {
    remembered_.emplace(key, verdict);
  }
  return verdict;
}

// A schema's own unevaluated keywords see only the parts that the schema itself evaluated. Source:
// JSON Schema 2020-12 Core §11.
Verdict Validator::run_tracking(const Entry& at, TypeSet type, Frame& frame) {
  EvaluatedParts* outer = frame.evaluated;
  EvaluatedParts own(frame.instance->size());
  frame.evaluated = &own;
  const Verdict verdict = run_steps(at, type, frame);
  if (outer != nullptr && verdict != Verdict::kInvalid) {
    outer->merge(own);
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

// Keywords about a value itself. Source: JSON Schema 2020-12 Validation §6.1 to §6.4, §7.

namespace {

constexpr std::size_t kFewItems = 8;
// After this number of searches that reached a limit no more are started: each takes some
// hundredths of a second.
constexpr std::size_t kMaxHardSearches = 20;

Verdict verdict_of(bool kept) {
  return kept ? Verdict::kValid : Verdict::kInvalid;
}

std::strong_ordering compare(const Json& number, const Bound& bound) {
  if (bound.whole && number.type() == Json::value_t::number_integer) {
    return *number.get_ptr<const Json::number_integer_t*>() <=> *bound.whole;
  }
  if (bound.whole && *bound.whole >= 0 && number.type() == Json::value_t::number_unsigned) {
    return *number.get_ptr<const Json::number_unsigned_t*>() <=>
           static_cast<std::uint64_t>(*bound.whole);
  }
  return json::compare_numbers(number, bound.value);
}

bool is_multiple(const Json& number, const Bound& divisor) {
  if (divisor.whole && number.type() == Json::value_t::number_unsigned) {
    return *number.get_ptr<const Json::number_unsigned_t*>() %
               static_cast<std::uint64_t>(*divisor.whole) ==
           0;
  }
  return json::is_multiple_of(number, divisor.value);
}

// Characters are counted only if the number of bytes does not decide: each has one to four.
bool has_max_length(const std::string& text, std::uint64_t max) {
  return text.size() <= max || text::character_count(text) <= max;
}

bool has_min_length(const std::string& text, std::uint64_t min) {
  return text.size() >= min && (text.size() >= min * 4 || text::character_count(text) >= min);
}

const std::string& string_of(const Json& value) {
  return *value.get_ptr<const std::string*>();
}

bool has_format(const formats::Format& format, const Json& instance) {
  return format.test_string != nullptr ? format.test_string(string_of(instance))
                                       : format.test_number(instance);
}

}  // namespace

patterns::Search Validator::search(std::uint32_t pattern, const std::string& text) {
  if (!spend(1) || hard_searches_ >= kMaxHardSearches) {
    return patterns::Search::kUndecided;
  }
  const patterns::Search found = program_.patterns[pattern].search(text);
  if (found == patterns::Search::kUndecided) {
    ++hard_searches_;
  }
  return found;
}

Verdict Validator::test_pattern(std::uint32_t pattern, const Json& instance) {
  switch (search(pattern, string_of(instance))) {
    case patterns::Search::kFound: return Verdict::kValid;
    case patterns::Search::kNotFound: return Verdict::kInvalid;
    case patterns::Search::kUndecided: break;
  }
  return Verdict::kUndecided;
}

Verdict Validator::test_value(Keyword keyword, std::uint32_t operand, const Json& instance) {
  switch (keyword) {
    case Keyword::kType: return verdict_of((operand & type_of(instance)) != 0);
    case Keyword::kEnum:
    case Keyword::kConst: return verdict_of(program_.constants[operand].contains(instance));
    case Keyword::kMultipleOf: return verdict_of(is_multiple(instance, program_.bounds[operand]));
    case Keyword::kMaximum: return verdict_of(compare(instance, program_.bounds[operand]) <= 0);
    case Keyword::kExclusiveMaximum:
      return verdict_of(compare(instance, program_.bounds[operand]) < 0);
    case Keyword::kMinimum: return verdict_of(compare(instance, program_.bounds[operand]) >= 0);
    case Keyword::kExclusiveMinimum:
      return verdict_of(compare(instance, program_.bounds[operand]) > 0);
    case Keyword::kMaxLength: return verdict_of(has_max_length(string_of(instance), operand));
    case Keyword::kMinLength: return verdict_of(has_min_length(string_of(instance), operand));
    case Keyword::kPattern: return test_pattern(operand, instance);
    case Keyword::kFormat: return verdict_of(has_format(*program_.formats[operand], instance));
    case Keyword::kMaxItems:
    case Keyword::kMaxProperties: return verdict_of(instance.size() <= operand);
    case Keyword::kMinItems:
    case Keyword::kMinProperties: return verdict_of(instance.size() >= operand);
    case Keyword::kUniqueItems: return test_unique(instance);
    case Keyword::kFalse: return Verdict::kInvalid;
    default: return Verdict::kUndecided;  // kNotUnderstood
  }
}

// Few items are compared in pairs; many by hash, so that only equal hashes are compared.
Verdict Validator::test_unique(const Json& instance) {
  if (instance.size() <= kFewItems) {
    for (std::size_t i = 1; i < instance.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (json::equal(instance[i], instance[j])) {
          return Verdict::kInvalid;
        }
      }
    }
    return Verdict::kValid;
  }
  if (!spend(instance.size())) {
    return Verdict::kUndecided;
  }
  return verdict_of(!find_repeated(instance));
}

// Keywords that apply schemas to the instance itself. Source: JSON Schema 2020-12 Core §10.2.

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

// Applies a schema whose failure is no failure of its parent: its evaluated parts count only if it
// passes.
Verdict Validator::test_alternative(SchemaId schema, const Frame& frame) {
  if (frame.evaluated == nullptr || entries_[schema].plain) {  // a plain one evaluates nothing
    const Verdict verdict = check(schema, *frame.instance, &frame);
    if (verdict == Verdict::kUndecided) {
      frame.mark_uncertain();
    }
    return verdict;
  }
  EvaluatedParts own(frame.evaluated->size());
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
    const Verdict alternative = test_alternative(schema, frame);
    if (alternative == Verdict::kValid && frame.evaluated == nullptr) {
      return alternative;
    }
    if (alternative == Verdict::kValid || verdict == Verdict::kInvalid) {
      verdict = alternative;
    }
  }
  return verdict;
}

Verdict Validator::test_one(std::uint32_t list, const Frame& frame) {
  std::size_t kept = 0;
  bool open = false;
  for (const SchemaId schema : program_.lists[list]) {
    const Verdict alternative = test_alternative(schema, frame);
    kept += alternative == Verdict::kValid ? 1 : 0;
    open = open || alternative == Verdict::kUndecided;
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
  return is_text && table.otherwise == kNoId && !table.known.contains(found->second)
             ? Verdict::kInvalid
             : Verdict::kValid;
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
  switch (test_alternative(table.condition, frame)) {
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

std::optional<EqualPair> find_repeated(const nlohmann::json& array) {
  // Open addressing: 1 + index of an element, 0 if free. Beside each its hash, so that most
  // occupied places are skipped without comparing elements.
  const auto bits = static_cast<unsigned>(std::bit_width(array.size() * 2 + 1));
  const std::size_t mask = (std::size_t{1} << bits) - 1;
  std::vector<std::size_t> slots(mask + 1);
  std::vector<std::size_t> hashes(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    hashes[i] = json::hash(array[i]);
    // The upper bits of a hash are the well mixed ones.
    std::size_t slot = hashes[i] >> (64 - bits);
    for (; slots[slot] != 0; slot = (slot + 1) & mask) {
      const std::size_t other = slots[slot] - 1;
      if (hashes[other] == hashes[i] && json::equal(array[other], array[i])) {
        return EqualPair{.first = other, .second = i};
      }
    }
    slots[slot] = i + 1;
  }
  return std::nullopt;
}

}  // namespace spec::schema::validator
