#include "spec/schema/validator/explain.hpp"

#include "spec/json/value.hpp"
#include "spec/schema/validator/validator.hpp"
#include "spec/schema/validator/words.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace spec::schema::validator {

namespace {

constexpr const char* kLimitHit = "undecided: a validation limit was reached";
constexpr const char* kNotUnderstood =
    "undecided: this depends on a part of the contract that is not understood";

// A verdict that is undecided after more steps than this is not explained.
constexpr std::size_t kMaxOpenSteps = 100'000;

bool is_unevaluated(Keyword keyword) {
  return keyword == Keyword::kUnevaluatedItems || keyword == Keyword::kUnevaluatedProperties;
}

// "undecided: "pattern" of the contract, line 12, column 3, is not understood".
std::string not_understood_at(const document::Node& node) {
  const document::Place place = node.place();
  const std::string name = node.key();
  return "undecided: " + (name.empty() ? "a schema" : '"' + name + '"') +
         " of the contract, line " + std::to_string(place.line) + ", column " +
         std::to_string(place.column) + ", is not understood";
}

}  // namespace

void Explainer::explain(SchemaId id, const Json& instance, const Path* path, const Frame* outer,
                        EvaluatedParts* evaluated) {
  if (has_enough()) {
    return;
  }
  const std::size_t steps = validator_.steps();
  const Verdict verdict = validator_.check(id, instance, outer, evaluated);
  if (verdict == Verdict::kValid) {
    return;
  }
  const Schema& schema = program().schemas[id];
  if (verdict == Verdict::kUndecided && validator_.steps() - steps > kMaxOpenSteps) {
    report_at(schema.node, schema.node.key(), path, open_message(), true);
    return;
  }
  const std::uint32_t depth = outer == nullptr ? 0 : outer->depth + 1;
  const std::size_t before = violations_.size();
  const bool tracks = (evaluated != nullptr || schema.tracks) && instance.is_structured();
  std::optional<EvaluatedParts> own;
  if (tracks) {
    own.emplace(instance.size());
  }
  const Frame frame{.outer = outer,
                    .schema = id,
                    .instance = &instance,
                    .evaluated = tracks ? &*own : nullptr,
                    .depth = depth};
  if (validator_.spend(1) && depth < kMaxDepth) {
    explain_rules(schema, frame, path);
  }
  if (evaluated != nullptr && tracks) {
    evaluated->merge(*own);
  }
  if (violations_.size() == before) {
    const bool undecided = verdict == Verdict::kUndecided;
    report_at(schema.node, schema.node.key(), path, undecided ? open_message() : kSomewhereInvalid,
              undecided);
  }
}

// Unevaluated members are known only after all other rules, and reported at their place in the
// order.
void Explainer::explain_rules(const Schema& schema, const Frame& frame, const Path* path) {
  const TypeSet type = type_of(*frame.instance);
  std::vector<std::pair<const Rule*, std::size_t>> last;
  for (const Rule& rule : schema.rules) {
    if ((rule.applies & type) == 0 || has_enough()) {
      continue;
    }
    if (is_unevaluated(rule.keyword)) {
      last.emplace_back(&rule, violations_.size());
    } else {
      explain_rule(rule, frame, path);
    }
  }
  for (auto rule = last.rbegin(); rule != last.rend(); ++rule) {
    const auto end = static_cast<std::ptrdiff_t>(violations_.size());
    explain_unevaluated(*rule->first, frame, path);
    std::rotate(violations_.begin() + static_cast<std::ptrdiff_t>(rule->second),
                violations_.begin() + end, violations_.end());
  }
}

void Explainer::explain_rule(const Rule& rule, const Frame& frame, const Path* path) {
  switch (rule.keyword) {
    case Keyword::kRequired: explain_required(rule, frame, path); return;
    case Keyword::kProperties: explain_properties(rule, frame, path); return;
    case Keyword::kPatternProperties: explain_pattern_properties(rule, frame, path); return;
    case Keyword::kAdditionalProperties: explain_additional(rule, frame, path); return;
    case Keyword::kPropertyNames: explain_property_names(rule, frame, path); return;
    case Keyword::kDependentRequired: explain_dependent_names(rule, frame, path); return;
    case Keyword::kPrefixItems: explain_prefix_items(rule, frame, path); return;
    case Keyword::kItems: explain_items(rule, frame, path); return;
    case Keyword::kRef:
      explain(rule.operand, *frame.instance, path, &frame, frame.evaluated);
      return;
    case Keyword::kDynamicRef:
      explain(validator_.dynamic_target(program().dynamics[rule.operand], frame), *frame.instance,
              path, &frame, frame.evaluated);
      return;
    case Keyword::kAllOf:
      for (const SchemaId schema : program().lists[rule.operand]) {
        explain(schema, *frame.instance, path, &frame, frame.evaluated);
      }
      return;
    case Keyword::kDependentSchemas:
      for (const Property& dependent : program().dependent_schemas[rule.operand]) {
        if (frame.instance->contains(dependent.name)) {
          explain(dependent.schema, *frame.instance, path, &frame, frame.evaluated);
        }
      }
      return;
    default: explain_invalid(rule, frame, path); return;
  }
}

// Explains rules that the Validator decides as a whole.
void Explainer::explain_invalid(const Rule& rule, const Frame& frame, const Path* path) {
  const Verdict verdict = validator_.test(rule.keyword, rule.operand, frame);
  if (verdict == Verdict::kValid) {
    return;
  }
  const bool undecided = verdict == Verdict::kUndecided;
  switch (rule.keyword) {
    case Keyword::kContains: explain_contains(rule, frame, path); return;
    case Keyword::kNotUnderstood:
      report_at(rule.node, rule.node.key(), path, not_understood_at(rule.node), true);
      return;
    case Keyword::kAnyOf:
    case Keyword::kOneOf:
      if (undecided) {
        report(rule, path, open_message(), true);
      } else {
        explain_alternatives(rule, frame, path);
      }
      return;
    case Keyword::kDiscriminator:
      report_tag(program().discriminators[rule.operand], *frame.instance, path);
      return;
    case Keyword::kIf: {
      const ConditionTable& table = program().conditions[rule.operand];
      const Verdict condition = validator_.check(table.condition, *frame.instance, &frame);
      const SchemaId next = condition == Verdict::kValid ? table.consequence : table.alternative;
      if (condition == Verdict::kUndecided || next == kNoId) {
        report(rule, path, open_message(), true);
      } else {
        explain(next, *frame.instance, path, &frame, frame.evaluated);
      }
      return;
    }
    default:
      report(rule, path, undecided ? open_message() : value_message(rule, *frame.instance),
             undecided);
      return;
  }
}

void Explainer::report(const Rule& rule, const Path* path, text::ViolationMessage message,
                       bool undecided) {
  const bool is_boolean = rule.keyword == Keyword::kFalse;
  report_at(rule.node, is_boolean ? "false" : rule.node.key(), path, std::move(message), undecided);
}

void Explainer::report_at(const document::Node& node, std::string keyword, const Path* path,
                          text::ViolationMessage message, bool undecided) {
  violations_.push_back({.instance = to_pointer(path),
                         .statement = node,
                         .keyword = std::move(keyword),
                         .message = std::move(message),
                         .undecided = undecided,
                         .not_understood = undecided && !validator_.met_limit()});
}

const char* Explainer::open_message() const {
  return validator_.met_limit() ? kLimitHit : kNotUnderstood;
}

bool Explainer::is_false(SchemaId schema) const {
  return program().schemas[schema].node.is_boolean() && program().schemas[schema].types == 0;
}

// Two ways may lead to the same rule: allOf of schemas that share a part.
std::vector<Violation> Explainer::take() {
  std::set<std::tuple<const void*, std::uint32_t, std::string, text::ViolationMessage>> seen;
  std::vector<Violation> once;
  for (Violation& violation : violations_) {
    const document::Node& node = violation.statement;
    if (seen.emplace(&node.document(), node.index(), violation.instance, violation.message)
            .second) {
      once.push_back(std::move(violation));
    }
  }
  violations_.clear();
  return once;
}

// Messages about keywords that validate a value as a whole.

namespace {

text::ViolationMessage length_message(const char* bound, std::uint64_t limit,
                                      const Json& instance) {
  const std::size_t length = text::character_count(*instance.get_ptr<const std::string*>());
  return {
      std::string("must be ") + bound + ' ' + counted(limit, "character", "characters") + " long",
      "is " + std::to_string(length)};
}

text::ViolationMessage size_message(const char* bound, std::uint64_t limit, const Json& instance) {
  return {std::string("must have ") + bound + ' ' +
              (instance.is_array() ? counted(limit, "element", "elements")
                                   : counted(limit, "property", "properties")),
          "has " + std::to_string(instance.size())};
}

text::ViolationMessage limit_message(const char* relation, const Bound& bound,
                                     const Json& instance) {
  return {std::string("must be ") + relation + ' ' + short_text(bound.value),
          "is " + short_text(instance)};
}

text::ViolationMessage repeated_message(const Json& instance) {
  const EqualPair repeated = find_repeated(instance).value_or(EqualPair{});
  return {"must have unique elements", "elements " + std::to_string(repeated.first) + " and " +
                                           std::to_string(repeated.second) + " are equal"};
}

}  // namespace

text::ViolationMessage Explainer::value_message(const Rule& rule, const Json& instance) {
  const std::uint32_t operand = rule.operand;
  const std::string is = "is " + short_text(instance);
  switch (rule.keyword) {
    case Keyword::kType: return {"must be " + type_words(static_cast<TypeSet>(operand)), is};
    case Keyword::kEnum: {
      const std::vector<Json>& values = program().constants[operand].values();
      return values.empty() ? text::ViolationMessage("enum is empty: no value is allowed")
                            : text::ViolationMessage("must be " + choice(values), is);
    }
    case Keyword::kConst:
      return {"must be " + short_text(program().constants[operand].values()[0]), is};
    case Keyword::kMultipleOf:
      return limit_message("a multiple of", program().bounds[operand], instance);
    case Keyword::kMaximum: return limit_message("at most", program().bounds[operand], instance);
    case Keyword::kExclusiveMaximum:
      return limit_message("less than", program().bounds[operand], instance);
    case Keyword::kMinimum: return limit_message("at least", program().bounds[operand], instance);
    case Keyword::kExclusiveMinimum:
      return limit_message("more than", program().bounds[operand], instance);
    case Keyword::kMaxLength: return length_message("at most", operand, instance);
    case Keyword::kMinLength: return length_message("at least", operand, instance);
    case Keyword::kPattern:
      return {"must match the pattern " + in_plain_quotes(program().pattern_texts[operand]), is};
    case Keyword::kFormat:
      return {"must be " + std::string(program().formats[operand]->meaning), is};
    case Keyword::kMaxItems:
    case Keyword::kMaxProperties: return size_message("at most", operand, instance);
    case Keyword::kMinItems:
    case Keyword::kMinProperties: return size_message("at least", operand, instance);
    case Keyword::kUniqueItems: return repeated_message(instance);
    case Keyword::kNot: return {"must not match the schema under \"not\"", is};
    default: return {"must not be there", is};
  }
}

void Explainer::explain_contains(const Rule& rule, const Frame& frame, const Path* path) {
  const ContainsTable& table = program().contains[rule.operand];
  std::uint64_t found = 0;
  bool undecided = false;
  for (const Json& element : *frame.instance) {
    const Verdict verdict = validator_.check(table.schema, element, &frame);
    found += verdict == Verdict::kValid ? 1 : 0;
    undecided = undecided || verdict == Verdict::kUndecided;
  }
  const bool too_few = found < table.min;
  const document::Node& bound = too_few ? table.min_node : table.max_node;
  const document::Node& node = bound ? bound : rule.node;
  report_at(node, node.key(), path,
            {std::string("must have at ") + (too_few ? "least " : "most ") +
                 counted(too_few ? table.min : table.max, "element", "elements") +
                 " that \"contains\" asks for",
             "has " + std::to_string(found)},
            undecided);
}

}  // namespace spec::schema::validator
