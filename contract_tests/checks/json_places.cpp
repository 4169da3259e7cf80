#include "contract_tests/checks/json_places.hpp"

#include "contract_tests/checks/finding.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

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

namespace {

void walk(const json& value, std::string_view pattern, Place place, const VisitPlace& visit) {
  const auto star = pattern.find("/*");
  place.below = pattern.substr(0, star);
  const auto* found = spec::json::find(value, place.below);
  if (found == nullptr) {
    return;
  }
  if (star == std::string_view::npos) {
    visit(place, *found);
    return;
  }
  if (!found->is_array()) {
    return;
  }
  for (std::size_t index = 0; index < found->size(); ++index) {
    walk((*found)[index], pattern.substr(star + 2), {.array = &place, .index = index}, visit);
  }
}

bool has_all_names(const json& value, const json& other) {
  return std::ranges::all_of(other.items(),
                             [&value](const auto& each) { return value.contains(each.key()); });
}

// True if two objects are maps with keys of their own: each has some that the other lacks, or one
// has none.
bool are_maps(const json* left, const json* right) {
  return left != nullptr && right != nullptr && left->is_object() && right->is_object() &&
         (left->empty() || right->empty() ||
          (!has_all_names(*left, *right) && !has_all_names(*right, *left)));
}

}  // namespace

std::string Place::text() const {
  auto pointer = array == nullptr ? std::string() : array->text() + '/' + std::to_string(index);
  return pointer.append(below);
}

void each_place(const json& value, std::string_view pattern, const VisitPlace& visit) {
  walk(value, pattern, {}, visit);
}

std::set<std::string> differing_places(const json& left, const json& right) {
  std::set<std::string> places;
  for (const auto& step : json::diff(left, right)) {
    const auto& path = step.at("path").get_ref<const std::string&>();
    auto place = without_indices(path);
    if (step.at("op") != "replace") {
      const auto parent = path.substr(0, path.rfind('/'));
      if (place.ends_with("/*") || place.ends_with("/-") ||
          are_maps(spec::json::find(left, parent), spec::json::find(right, parent))) {
        place.resize(place.rfind('/'));
      }
    }
    places.insert(std::move(place));
  }
  return places;
}

void drop_places(json& value, const std::set<std::string>& places) {
  for (const auto& place : places) {
    std::vector<std::string> pointers;
    each_place(value, place, [&](const Place& at, const json&) { pointers.push_back(at.text()); });
    for (const auto& pointer : pointers) {
      *spec::json::find(value, pointer) = nullptr;
      spec::json::erase_member(value, pointer);
    }
  }
}

std::optional<spec::time::Instant> instant_at(const json& value, const std::string& pointer) {
  const auto* found = spec::json::find(value, pointer);
  return found != nullptr && found->is_string()
             ? spec::time::parse_date_time(found->get_ref<const std::string&>())
             : std::nullopt;
}

std::string shown(const json& value) {
  return spec::text::shortened(spec::json::write(value));
}

}  // namespace contract_tests::checks
