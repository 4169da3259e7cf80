// Messages about keywords that validate a value as a whole.

#include "spec/json/value.hpp"
#include "spec/schema/validator/explain.hpp"
#include "spec/schema/validator/text.hpp"
#include "spec/schema/validator/words.hpp"
#include "spec/text/utf8.hpp"

namespace spec::schema::validator {
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
  const Repeated repeated = find_repeated(instance).value_or(Repeated{});
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
      return {"must match the pattern " + as_it_is(program().pattern_texts[operand]), is};
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
