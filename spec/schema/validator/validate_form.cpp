#include "spec/schema/validator/validate_form.hpp"

#include "spec/schema/validator/validate.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace spec::schema {
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
