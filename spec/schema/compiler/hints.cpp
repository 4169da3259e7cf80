#include "spec/schema/compiler/hints.hpp"

#include "spec/schema/compiler/handlers.hpp"
#include "spec/schema/formats/format.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace spec::schema::compiler {
namespace {

using document::Member;
using document::Node;

std::string quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string_view name_of(const DialectRules& rules) {
  if (rules.open_api_30) {
    return "OpenAPI 3.0";
  }
  if (rules.open_api_32) {
    return "OpenAPI 3.2";
  }
  return rules.open_api ? "OpenAPI 3.1" : "JSON Schema 2020-12";
}

// Keywords of earlier drafts, and their replacements. Source: JSON Schema 2020-12 Core §8.2,
// §10.3.1 and appendix G, Validation §6.5.
constexpr auto kFormerKeywords = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"$recursiveAnchor", "\"$dynamicAnchor\""},
    {"$recursiveRef", "\"$dynamicRef\""},
    {"additionalItems", "\"prefixItems\" and \"items\""},
    {"dependencies", "\"dependentRequired\" or \"dependentSchemas\""},
});

// The hint about the keyword `key`; none if it is known or an extension.
std::optional<std::string> hint_about(std::string_view key, const DialectRules& rules) {
  const auto* former =
      std::ranges::find(kFormerKeywords, key, [](const auto& row) { return row.first; });
  if (former != kFormerKeywords.end() && !rules.open_api_30) {
    return quoted(key) + " is a keyword of earlier drafts and is ignored in " +
           std::string(name_of(rules)) + "; write " + std::string(former->second);
  }
  const KeywordRow* row = find_keyword(key);
  if (key.starts_with("x-") || (row != nullptr && is_known(*row, rules))) {
    return std::nullopt;
  }
  if (row != nullptr && !rules.open_api_30 && key == "nullable") {
    return "\"nullable\" is ignored in " + std::string(name_of(rules)) +
           ": add \"null\" to the type";
  }
  if (row != nullptr) {
    return quoted(key) + " is not a keyword of " + std::string(name_of(rules)) + " and is ignored";
  }
  const std::vector<std::string_view> names = known_names(rules);
  const auto near = text::nearest(key, names);
  return near ? std::optional(quoted(key) + " is not a keyword of " + std::string(name_of(rules)) +
                              " and is ignored; did you mean " + quoted(*near) + '?')
              : std::nullopt;
}

// The hint about the value of `format`; none if it is known, or not near a known one. Names with
// digits are left alone: registries are full of them.
std::optional<std::string> hint_about_format(const Node& value, const DialectRules& rules) {
  if (!value.is_string() || value.string().find_first_of("0123456789") != std::string_view::npos ||
      formats::find_format(value.string(), rules.open_api) != nullptr) {
    return std::nullopt;
  }
  const std::vector<std::string_view> names = formats::format_names(rules.open_api);
  const auto near = text::nearest(value.string(), names);
  return near ? std::optional("the format " + quoted(value.string()) +
                              " is unknown and not checked; did you mean " + quoted(*near) + '?')
              : std::nullopt;
}

// Lists whose elements must differ. Source: JSON Schema 2020-12 Validation §6.1.1, §6.1.2, §6.5.3.
void note_repeated(Draft& draft, const Member& member) {
  if ((member.key != "required" && member.key != "type" && member.key != "enum") ||
      !member.value.is_array()) {
    return;
  }
  std::set<std::string_view> seen;
  for (const Node& element : member.value.elements()) {
    if (element.is_string() && !seen.insert(element.string()).second) {
      draft.program().hints.push_back(element.problem(text::one_line(
          quoted(member.key) + " lists " + quoted(element.string()) + " more than once",
          kMaxMessageBytes)));
    }
  }
}

// Source: OpenAPI 3.0.3 §4.7.24.1, `items`.
void note_array_without_items(Draft& draft) {
  const Node type = draft.node.find("type");
  if (draft.rules.open_api_30 && type.is_string() && type.string() == "array" &&
      !draft.node.find("items")) {
    draft.program().hints.push_back(
        type.problem("in OpenAPI 3.0 an array needs \"items\"; \"items: {}\" allows any element"));
  }
}

Problem at_key(const Member& member, const std::string& message) {
  return member.problem(text::one_line(message, kMaxMessageBytes));
}

}  // namespace

void note_hints(Draft& draft) {
  const bool is_reference = draft.rules.open_api_30 && draft.node.find("$ref");
  if (!is_reference) {
    note_array_without_items(draft);
  }
  for (const Member& member : draft.node.members()) {
    note_repeated(draft, member);
    if (is_reference && member.key != "$ref" && !member.key.starts_with("x-")) {
      draft.program().hints.push_back(
          at_key(member, quoted(member.key) + " is ignored beside \"$ref\" in OpenAPI 3.0"));
    } else if (const auto hint =
                   is_reference ? std::nullopt : hint_about(member.key, draft.rules)) {
      draft.program().hints.push_back(at_key(member, *hint));
    }
    const auto hint = !is_reference && member.key == "format"
                          ? hint_about_format(member.value, draft.rules)
                          : std::nullopt;
    if (hint) {
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
