#include "contract_tests/checks/update.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace contract_tests::checks {

using nlohmann::json;

namespace {

const json& member(const json& record, const std::string& name) {
  static const json absent;  // null: a member that is absent and one that is null are alike
  const auto found = record.find(name);
  return found == record.end() ? absent : *found;
}

// Letters and digits in lower case: what is left of a text when it is normalised.
std::string normal(const json& value) {
  std::string text;
  for (const char letter : value.is_string() ? value.get<std::string>() : std::string{}) {
    if (letter != ' ' && letter != '\t') {
      text += spec::text::to_lower(letter);
    }
  }
  return text;
}

// `value` without what a service may leave out of a text: signs of markup, and code points beyond
// the basic plane (four bytes of UTF-8).
json without_rarities(const json& value) {
  std::string text;
  std::size_t skipped = 0;
  for (const char letter : value.is_string() ? value.get<std::string>() : std::string{}) {
    if (static_cast<unsigned char>(letter) >= 0xF0) {
      skipped = 4;
    }
    const bool is_markup = std::string_view("<>&\"'").find(letter) != std::string_view::npos;
    if (skipped > 0) {
      --skipped;
    } else if (!is_markup) {
      text += letter;
    }
  }
  return text;
}

}  // namespace

RuleViolations check_unchanged(const json& before, const json& after,
                               const std::set<std::string>& excepted, const std::string& rule) {
  RuleViolations violations;
  if (!before.is_object() || !after.is_object()) {
    return violations;
  }
  std::set<std::string> names;
  for (const auto& [name, value] : before.items()) {
    names.insert(name);
  }
  for (const auto& [name, value] : after.items()) {
    names.insert(name);
  }
  for (const auto& name : names) {
    const auto place = spec::json::pointer_of({name});
    const auto& old_value = member(before, name);
    const auto& new_value = member(after, name);
    if (!excepted.contains(place) && !spec::json::equal(old_value, new_value)) {
      violations.push_back({rule, "body" + place, "must not change from " + shown(old_value),
                            "is " + shown(new_value)});
    }
  }
  return violations;
}

RuleViolations check_value(const json& record, const std::string& pointer, const json& wanted,
                           const std::string& rule) {
  const auto* got = spec::json::find(record, pointer);
  if (got != nullptr && spec::json::equal(*got, wanted)) {
    return {};
  }
  if (got != nullptr && got->is_string() && normal(*got) == normal(wanted)) {
    return {{"update/normalised", "body" + pointer, "must be stored as sent, " + shown(wanted),
             "is " + shown(*got)}};
  }
  return {{rule, "body" + pointer, "must be " + shown(wanted),
           "is " + (got == nullptr ? "missing" : shown(*got))}};
}

RuleViolations check_text(const json& record, const std::string& pointer, const json& wanted,
                          const std::string& rule) {
  const auto* got = spec::json::find(record, pointer);
  if (got != nullptr && got->is_string() &&
      normal(without_rarities(*got)) == normal(without_rarities(wanted)) &&
      got->get_ref<const std::string&>().size() < wanted.get_ref<const std::string&>().size()) {
    return {{"update/normalised", "body" + pointer, "must be stored as sent, " + shown(wanted),
             "is " + shown(*got)}};
  }
  return check_value(record, pointer, wanted, rule);
}

}  // namespace contract_tests::checks
