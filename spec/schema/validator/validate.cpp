#include "spec/schema/validator/validate.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/explain.hpp"
#include "spec/schema/validator/instance_schemas.hpp"
#include "spec/schema/validator/validator.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

namespace spec::schema {

namespace {

// The first violations, `max_violations` at most.
std::vector<Violation> find_write_only(const SchemaSet& schemas, SchemaId schema,
                                       const nlohmann::json& instance,
                                       const ValidateOptions& options, std::size_t max_violations) {
  if (options.direction != Direction::kResponse || !schemas.has_write_only() ||
      !instance.is_structured()) {
    return {};
  }
  std::vector<Violation> found;
  std::unordered_set<std::string> seen;
  visit_applied(schemas, schema, instance, options,
                [&](SchemaId id, const nlohmann::json&, const Path* path) {
                  if (path == nullptr || !schemas.program().schemas[id].write_only) {
                    return found.size() < max_violations;
                  }
                  std::string pointer = to_pointer(path);
                  if (seen.insert(pointer).second) {
                    found.push_back({.instance = std::move(pointer),
                                     .statement = schemas.source(id).find("writeOnly"),
                                     .keyword = "writeOnly",
                                     .message = {"must not be in a response (writeOnly)", "is"}});
                  }
                  return false;
                });
  return found;
}

Verdict with_write_only(Verdict verdict, const SchemaSet& schemas, SchemaId schema,
                        const nlohmann::json& instance, const ValidateOptions& options) {
  return verdict == Verdict::kInvalid ||
                 find_write_only(schemas, schema, instance, options, 1).empty()
             ? verdict
             : Verdict::kInvalid;
}

}  // namespace

Verdict check(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
              const ValidateOptions& options) {
  const Verdict verdict =
      validator::Validator(schemas.program(), options).check(schema, instance, nullptr);
  return with_write_only(verdict, schemas, schema, instance, options);
}

bool fits(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
          const ValidateOptions& options) {
  validator::Validator validator(schemas.program(), options);
  const Verdict verdict = validator.check(schema, instance, nullptr);
  const bool is_met =
      verdict == Verdict::kValid || (verdict == Verdict::kUndecided && !validator.met_limit());
  return is_met && with_write_only(verdict, schemas, schema, instance, options) == verdict;
}

std::vector<Violation> write_only_members(const SchemaSet& schemas, SchemaId schema,
                                          const nlohmann::json& response) {
  return find_write_only(schemas, schema, response, {.direction = Direction::kResponse},
                         std::numeric_limits<std::size_t>::max());
}

std::vector<Violation> validate(const SchemaSet& schemas, SchemaId schema,
                                const nlohmann::json& instance, const ValidateOptions& options) {
  validator::Validator validator(schemas.program(), options);
  const Verdict verdict = validator.check(schema, instance, nullptr);
  std::vector<Violation> write_only =
      find_write_only(schemas, schema, instance, options, std::numeric_limits<std::size_t>::max());
  if (verdict == Verdict::kValid) {
    return write_only;
  }
  // Explaining has the same limits again.
  validator::Validator again(schemas.program(), options);
  validator::Explainer explainer(again, std::numeric_limits<std::size_t>::max(), 0);
  explainer.explain(schema, instance, nullptr, nullptr);
  std::vector<Violation> violations = explainer.take();
  if (verdict == Verdict::kInvalid && std::ranges::all_of(violations, &Violation::undecided)) {
    const document::Node node = schemas.source(schema);
    violations.push_back({.instance = "",
                          .statement = node,
                          .keyword = node.key(),
                          .message = validator::kSomewhereInvalid});
  }
  std::ranges::move(write_only, std::back_inserter(violations));
  return violations;
}

Verdict declares_absent(const SchemaSet& schemas, SchemaId schema, std::string_view name,
                        Direction direction) {
  return validator::Validator(schemas.program(), {.direction = direction})
      .declares_absent(schema, name);
}

namespace {

using document::Node;

// The text of the nearest `x-errorMessage` around a keyword; an empty handle if there is none.
Node own_message(const Node& keyword) {
  for (Node schema = keyword.parent(); schema; schema = schema.parent()) {
    if (const Node text = schema.find("x-errorMessage"); text.is_string()) {
      return text;
    }
  }
  return {};
}

// `must have "behaviour", but has "behavior"` for each required name that the object lacks.
std::string missing_names(const Node& object, const Node& required) {
  std::string message;
  for (const Node& name : required.elements()) {
    const std::string_view wanted = name.string();
    if (object.find(wanted)) {
      continue;
    }
    text::append_to_list(message, "must have " + text::in_quotes(wanted), "; ");
    for (const auto& member : object.members()) {
      if (text::nearest(member.key, {&wanted, 1})) {
        message += ", but has " + text::in_quotes(member.key);
        break;
      }
    }
  }
  return message;
}

std::vector<std::string_view> words_of(const Node& list) {
  std::vector<std::string_view> words;
  for (const Node& word : list.elements()) {
    words.push_back(word.is_string() ? word.string() : std::string_view());
  }
  return words;
}

// `must be one of read, update, but is "raed"; did you mean "read"?`
std::string not_one_of(std::string_view word, const std::vector<std::string_view>& known) {
  return "must be one of " + text::join(known) + ", but is " + text::in_quotes(word) +
         text::did_you_mean(word, known);
}

// An author's "must be ..." with the number or word that came instead.
std::string with_value(std::string_view message, const Node& at) {
  const nlohmann::json& value = at.value();
  const bool says_but =
      message.starts_with("must be ") && message.find(';') == std::string_view::npos;
  return std::string(message) +
         (says_but && value.is_primitive() ? ", but is " + text::shortened(value.dump()) : "");
}

std::string message_of(const Violation& violation, const Node& at) {
  if (const Node own = own_message(violation.statement)) {
    return with_value(own.string(), at);
  }
  if (violation.keyword == "required") {
    return missing_names(at, violation.statement);
  }
  if (violation.keyword == "enum" && at.is_string()) {
    return not_one_of(at.string(), words_of(violation.statement));
  }
  return violation.message.text();
}

}  // namespace

std::vector<Problem> form_problems(const SchemaSet& schemas, SchemaId schema, const Node& root) {
  constexpr std::size_t kMaxProblems = 1'000;
  std::vector<Problem> problems;
  for (const Violation& violation : validate(schemas, schema, root.value())) {
    if (problems.size() == kMaxProblems) {
      problems.push_back(root.problem("has more problems than those that are listed"));
      break;
    }
    const Node at = document::nearest_below(root, violation.instance);
    Problem found = at.problem(message_of(violation, at));
    if (std::ranges::find(problems, found) == problems.end()) {
      problems.push_back(std::move(found));
    }
  }
  return problems;
}

}  // namespace spec::schema

namespace spec::schema::validator {

// readOnly and writeOnly: a required property may be missing on the side that does not send it.
// Source: OpenAPI 3.1.0 §4.8.24, 3.0.3 Schema Object (Fixed Fields).

// Any schema that is applied to the same instance may declare the property, not only the one that
// requires it: allOf puts the two apart.
Verdict Validator::absence(std::string_view name, const Frame& frame) {
  if (options_.direction == Direction::kNone) {
    return Verdict::kInvalid;
  }
  const Frame* outermost = &frame;
  while (outermost->outer != nullptr && outermost->outer->instance == frame.instance) {
    outermost = outermost->outer;
  }
  return declares_absent(outermost->schema, name);
}

Verdict Validator::declares_absent(SchemaId id, std::string_view name) {
  const std::vector<SchemaId> schemas = applicable(program_, id, Reach::kPossible);
  const bool is_cut = !spend(schemas.size()) || schemas.size() == kMaxApplicable;
  Verdict verdict = is_cut ? Verdict::kUndecided : Verdict::kInvalid;
  for (const SchemaId schema : schemas) {
    if (program_.schemas[schema].is_side_unclear) {
      verdict = Verdict::kUndecided;
    }
    for (const SchemaId member : member_schemas(program_, schema, name)) {
      verdict = better(verdict, is_one_sided(member));
    }
    if (verdict == Verdict::kValid) {
      break;
    }
  }
  return verdict;
}

// True if the member's schema, or one that it refers to or is composed of, is for the other side.
Verdict Validator::is_one_sided(SchemaId id) {
  Verdict verdict = Verdict::kInvalid;
  for (const SchemaId part : applicable(program_, id, Reach::kCertain)) {
    const Schema& schema = program_.schemas[part];
    if (options_.direction == Direction::kRequest ? schema.read_only : schema.write_only) {
      return Verdict::kValid;
    }
    verdict = schema.is_side_unclear ? Verdict::kUndecided : verdict;
  }
  return verdict;
}

}  // namespace spec::schema::validator
