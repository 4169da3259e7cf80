// What is legal and yet likely a mistake: keywords that no dialect knows but nearly, and keywords
// that this one does not have.

#include "spec/schema/hints.hpp"

#include "spec/document/suggest.hpp"
#include "spec/json/utf8.hpp"
#include "spec/schema/compiler/handlers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace spec::schema::compiler {
namespace {

using document::Member;
using document::Node;

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string_view name_of(const DialectRules& rules) {
  if (rules.open_api_30) {
    return "OpenAPI 3.0";
  }
  return rules.open_api ? "OpenAPI 3.1" : "JSON Schema 2020-12";
}

// What is to be said about the keyword `key`; nothing if it is known or anyone's own.
std::optional<std::string> hint_about(std::string_view key, const DialectRules& rules) {
  const KeywordEntry* entry = find_keyword(key);
  if (key.starts_with("x-") || (entry != nullptr && is_known(*entry, rules))) {
    return std::nullopt;
  }
  if (entry != nullptr && !rules.open_api_30 && key == "nullable") {
    return "\"nullable\" means nothing in " + std::string(name_of(rules)) +
           ": add \"null\" to the type";
  }
  if (entry != nullptr) {
    return in_quotes(key) + " means nothing in " + std::string(name_of(rules)) + " and is ignored";
  }
  const std::vector<std::string_view> names = known_names(rules);
  const auto near = document::nearest(key, names);
  return near ? std::optional(in_quotes(key) + " is no keyword of " + std::string(name_of(rules)) +
                              " and is ignored; did you mean " + in_quotes(*near) + '?')
              : std::nullopt;
}

Problem at_key(const Member& member, const std::string& message) {
  Problem problem = member.value.problem(json::one_line(message, kMaxMessageBytes));
  problem.line = member.key_place.line;
  problem.column = member.key_place.column;
  return problem;
}

}  // namespace

void note_hints(Draft& draft) {
  const bool is_reference = draft.rules.open_api_30 && draft.node.find("$ref");
  for (const Member& member : draft.node.members()) {
    if (is_reference && member.key != "$ref" && !member.key.starts_with("x-")) {
      draft.program().hints.push_back(
          at_key(member, in_quotes(member.key) + " is ignored beside \"$ref\" in OpenAPI 3.0"));
    } else if (const auto hint =
                   is_reference ? std::nullopt : hint_about(member.key, draft.rules)) {
      draft.program().hints.push_back(at_key(member, *hint));
    }
  }
}

}  // namespace spec::schema::compiler

namespace spec::schema {

std::vector<Problem> hints(const SchemaSet& schemas) {
  std::vector<Problem> found = schemas.program().hints;
  std::ranges::stable_sort(found, {}, [](const Problem& hint) {
    return std::tie(hint.file, hint.line, hint.column, hint.message);
  });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace spec::schema
