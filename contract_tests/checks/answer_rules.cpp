#include "contract_tests/checks/answer_rules.hpp"

#include "contract_tests/checks/decimal_sum.hpp"
#include "contract_tests/checks/places.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace contract_tests::checks {

using nlohmann::json;

namespace {

// One rule applied to one place of the answer.
struct Applied {
  const json& rule;
  const std::string& place;
  const json& value;
  Complaints& complaints;

  void complain(const std::string& below, std::string message) const {
    Complaint complaint{rule.at("rule").get<std::string>(), "body" + place + below,
                        std::move(message)};
    complaints.push_back(std::move(complaint));
  }

  const json* at(const char* key) const {
    return spec::json::find(value, rule.at(key).get_ref<const std::string&>());
  }

  std::string pointer(const char* key) const { return rule.at(key).get<std::string>(); }
};

void same_as_path(const Applied& applied, const std::map<std::string, std::string>& path) {
  const auto wanted = path.find(applied.rule.at("path").get<std::string>());
  if (wanted != path.end() && applied.value != wanted->second) {
    applied.complain("", "must be what the path names, " + shown(json(wanted->second)) +
                             ", but is " + shown(applied.value));
  }
}

void ordered(const Applied& applied) {
  const auto* from = applied.at("from");
  const auto* to = applied.at("to");
  if (from == nullptr || to == nullptr || !from->is_string() || !to->is_string()) {
    return;
  }
  const auto first = spec::time::parse_date_time(from->get_ref<const std::string&>());
  const auto last = spec::time::parse_date_time(to->get_ref<const std::string&>());
  if (first && last && *last < *first) {
    applied.complain(applied.pointer("from"),
                     "must not be later than " + shown(*to) + " but is " + shown(*from));
  }
}

void unique(const Applied& applied) {
  std::set<std::string> seen;
  std::size_t index = 0;
  for (const auto& element : applied.value) {
    const auto* key = spec::json::find(element, applied.pointer("key"));
    if (key != nullptr && key->is_string() && !seen.insert(key->get<std::string>()).second) {
      applied.complain('/' + std::to_string(index) + applied.pointer("key"),
                       "must stand once in its list but stands again: " + shown(*key));
    }
    ++index;
  }
}

void double_artefact(const Applied& applied) {
  if (applied.value.is_string() &&
      is_double_artefact(applied.value.get_ref<const std::string&>())) {
    applied.complain("", "must be an exact decimal but shows the digits of a binary double: " +
                             shown(applied.value));
  }
}

std::string decimal_text(const json* value) {
  if (value == nullptr) {
    return {};
  }
  if (value->is_string()) {
    return value->get<std::string>();
  }
  return spec::json::type_of(*value) == spec::json::Type::kNumber ? spec::json::number_text(*value)
                                                                  : std::string{};
}

void not_negative(const Applied& applied) {
  const auto text = decimal_text(&applied.value);
  if (text.starts_with('-') && text.find_first_of("123456789") != std::string::npos) {
    applied.complain("", "must not be below 0 but is " + text);
  }
}

void arithmetic(const Applied& applied) {
  const auto minuend = decimal_text(applied.at("minuend"));
  const auto subtrahend = decimal_text(applied.at("subtrahend"));
  const auto result = decimal_text(applied.at("result"));
  const auto fits = is_difference(result, minuend, subtrahend);
  if (fits && !*fits) {
    applied.complain(applied.pointer("result"), "must be " + minuend + " less " + subtrahend +
                                                    ", never below 0, but is " + result);
  }
}

void scalars(const Applied& applied) {
  const auto members = applied.value.is_object() ? applied.value : json::object();
  for (const auto& [name, member] : members.items()) {
    if (spec::json::type_of(member) == spec::json::Type::kObject ||
        spec::json::type_of(member) == spec::json::Type::kArray) {
      std::string below;
      spec::json::append_token(below, name);
      applied.complain(below, "must be a text, a number or a boolean but is " + shown(member));
    }
  }
}

void apply(const Applied& applied, const std::map<std::string, std::string>& path) {
  const auto& name = applied.rule.at("rule").get_ref<const std::string&>();
  if (name == "answer/same-as-path") {
    same_as_path(applied, path);
  } else if (name == "answer/ordered") {
    ordered(applied);
  } else if (name == "answer/unique") {
    unique(applied);
  } else if (name == "answer/double-artefact") {
    double_artefact(applied);
  } else if (name == "answer/not-negative") {
    not_negative(applied);
  } else if (name == "answer/arithmetic") {
    arithmetic(applied);
  } else if (name == "answer/scalars") {
    scalars(applied);
  }
}

}  // namespace

bool is_double_artefact(std::string_view decimal) {
  constexpr std::ptrdiff_t kDigitsOfADouble = 16;
  constexpr std::ptrdiff_t kDigitsOfAPerson = 15;
  const auto significant = [](std::string_view text) {
    const auto first = std::ranges::find_if(text, [](char c) { return c >= '1' && c <= '9'; });
    return std::count_if(first, text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  double value = 0;
  const auto [end, error] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (error != std::errc{} || end != decimal.data() + decimal.size() ||
      decimal.find('.') == std::string_view::npos || significant(decimal) <= kDigitsOfADouble) {
    return false;
  }
  std::array<char, 400> shortest{};
  const auto written = std::to_chars(shortest.data(), shortest.data() + shortest.size(), value,
                                     std::chars_format::fixed);
  const std::string_view text(shortest.data(),
                              static_cast<std::size_t>(written.ptr - shortest.data()));
  return significant(text) <= kDigitsOfAPerson && text != decimal &&
         decimal.find_last_not_of('0') + 1 > text.size();
}

Complaints check_answer_rules(const json& rules, const json& body,
                              const std::map<std::string, std::string>& path) {
  Complaints complaints;
  if (!rules.is_array()) {
    return complaints;
  }
  for (const auto& rule : rules) {
    each_place(body, rule.at("at").get<std::string>(),
               [&](const std::string& place, const json& value) {
                 const auto before = complaints.size();
                 apply({rule, place, value, complaints}, path);
                 for (auto at = before; at < complaints.size(); ++at) {
                   complaints[at].clause = rule.at("clause").get<std::string>();
                 }
               });
  }
  return complaints;
}

}  // namespace contract_tests::checks
