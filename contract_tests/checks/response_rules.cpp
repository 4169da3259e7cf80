#include "contract_tests/checks/response_rules.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string>

namespace contract_tests::checks {

using nlohmann::json;

namespace {

// One rule applied to one place of the response.
struct RuleApplication {
  const ResponseRule& rule;
  const Place& place;
  const json& value;
  RuleViolations& violations;

  void report(const std::string& below, std::string must, std::string is) const {
    RuleViolation violation{rule.rule, "body" + place.text() + below, std::move(must),
                            std::move(is)};
    violations.push_back(std::move(violation));
  }

  const json* at(const std::string& pointer) const { return spec::json::find(value, pointer); }
};

// A number is the identifier that its text is: 809 and 809.0 of "809".
bool is_identifier(const json& value, const std::string& text) {
  if (value.is_string()) {
    return value == text;
  }
  const auto number = spec::json::read(text);
  return number && spec::json::is_number(value) && spec::json::equal(value, number.value());
}

void check_same_as_path(const RuleApplication& applied,
                        const std::map<std::string, std::string>& path) {
  const auto wanted = path.find(applied.rule.path);
  if (wanted != path.end() && !is_identifier(applied.value, wanted->second)) {
    applied.report("", "must be the identifier in the path, " + shown(json(wanted->second)),
                   "is " + shown(applied.value));
  }
}

void check_ordered(const RuleApplication& applied) {
  const auto& from = applied.rule.from;
  const auto& to = applied.rule.to;
  const auto first = instant_at(applied.value, from);
  const auto last = instant_at(applied.value, to);
  if (first && last && *last < *first) {
    applied.report(from, "must not be later than " + shown(*applied.at(to)),
                   "is " + shown(*applied.at(from)));
  }
}

void check_unique(const RuleApplication& applied) {
  std::set<std::string> seen;
  std::size_t index = 0;
  for (const auto& element : applied.value) {
    const auto* key = spec::json::find(element, applied.rule.key);
    if (key != nullptr && key->is_string() && !seen.insert(key->get<std::string>()).second) {
      applied.report('/' + std::to_string(index) + applied.rule.key, "must be unique in its list",
                     "is repeated: " + shown(*key));
    }
    ++index;
  }
}

void check_inexact_decimal(const RuleApplication& applied) {
  if (applied.value.is_string() &&
      is_inexact_decimal(applied.value.get_ref<const std::string&>())) {
    applied.report("", "must be an exact decimal",
                   "has the rounding error of a binary double: " + shown(applied.value));
  }
}

std::string decimal_text(const json* value) {
  if (value == nullptr) {
    return {};
  }
  if (value->is_string()) {
    return value->get<std::string>();
  }
  return spec::json::is_number(*value) ? spec::json::number_text(*value) : std::string{};
}

void check_not_negative(const RuleApplication& applied) {
  const auto text = decimal_text(&applied.value);
  if (text.starts_with('-') && text.find_first_of("123456789") != std::string::npos) {
    applied.report("", "must not be below 0", "is " + text);
  }
}

void check_arithmetic(const RuleApplication& applied) {
  const auto minuend = decimal_text(applied.at(applied.rule.minuend));
  const auto subtrahend = decimal_text(applied.at(applied.rule.subtrahend));
  const auto result = decimal_text(applied.at(applied.rule.result));
  const auto fits = is_difference(result, minuend, subtrahend);
  if (fits && !*fits) {
    applied.report(applied.rule.result,
                   "must be " + minuend + " minus " + subtrahend + ", and at least 0",
                   "is " + result);
  }
}

struct RuleFunction {
  std::string_view rule;
  void (*apply)(const RuleApplication& applied, const std::map<std::string, std::string>& path);
  std::vector<std::string_view> needs;
};

const std::array<RuleFunction, 6>& rule_functions() {
  using Path = std::map<std::string, std::string>;
  static const std::array<RuleFunction, 6> all{{
      {"response/same-as-path", &check_same_as_path, {"path"}},
      {"response/ordered",
       [](const RuleApplication& it, const Path&) { check_ordered(it); },
       {"from", "to"}},
      {"response/unique",
       [](const RuleApplication& it, const Path&) { check_unique(it); },
       {"key"}},
      {"response/inexact-decimal",
       [](const RuleApplication& it, const Path&) { check_inexact_decimal(it); },
       {}},
      {"response/not-negative",
       [](const RuleApplication& it, const Path&) { check_not_negative(it); },
       {}},
      {"response/arithmetic",
       [](const RuleApplication& it, const Path&) { check_arithmetic(it); },
       {"result", "minuend", "subtrahend"}},
  }};
  return all;
}

const RuleFunction* find_rule_function(std::string_view rule) {
  const auto* found = std::ranges::find(rule_functions(), rule, &RuleFunction::rule);
  return found == rule_functions().end() ? nullptr : found;
}

}  // namespace

bool is_inexact_decimal(std::string_view decimal) {
  constexpr std::ptrdiff_t kDigitsOfADouble = 16;
  constexpr std::ptrdiff_t kDigitsOfAPerson = 15;
  const auto significant = [](std::string_view text) {
    const auto first = std::ranges::find_if(text, [](char c) { return c >= '1' && c <= '9'; });
    return std::count_if(first, text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto value = spec::text::parse_number<double>(decimal);
  if (!value || decimal.find('.') == std::string_view::npos ||
      significant(decimal) <= kDigitsOfADouble) {
    return false;
  }
  std::array<char, 400> shortest{};
  const auto written = std::to_chars(shortest.data(), shortest.data() + shortest.size(), *value,
                                     std::chars_format::fixed);
  const std::string_view text(shortest.data(),
                              static_cast<std::size_t>(written.ptr - shortest.data()));
  return significant(text) <= kDigitsOfAPerson && text != decimal &&
         decimal.find_last_not_of('0') + 1 > text.size();
}

std::vector<std::string_view> needed_by(std::string_view rule) {
  const auto* way = find_rule_function(rule);
  return way == nullptr ? std::vector<std::string_view>{} : way->needs;
}

RuleViolations check_response_rules(const std::vector<ResponseRule>& rules, const json& body,
                                    const std::map<std::string, std::string>& path) {
  RuleViolations violations;
  for (const auto& rule : rules) {
    const auto* way = find_rule_function(rule.rule);
    each_place(body, rule.at, [&](const Place& place, const json& value) {
      const auto before = violations.size();
      if (way != nullptr) {
        way->apply({rule, place, value, violations}, path);
      }
      for (auto at = before; at < violations.size(); ++at) {
        violations[at].clause = rule.clause;
      }
    });
  }
  return violations;
}

namespace {

// Digits before and after the point, without needless zeros at either end.
struct PlainDecimal {
  std::string whole;
  std::string fraction;

  friend bool operator==(const PlainDecimal&, const PlainDecimal&) = default;
};

PlainDecimal trimmed(PlainDecimal number) {
  number.whole.erase(0, number.whole.find_first_not_of('0'));
  number.fraction.erase(number.fraction.find_last_not_of('0') + 1);
  return number;
}

std::optional<PlainDecimal> parse(std::string_view text) {
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  const auto fraction = point == std::string_view::npos ? "0" : text.substr(point + 1);
  if (!spec::text::is_all_digits(whole) || !spec::text::is_all_digits(fraction)) {
    return std::nullopt;
  }
  return trimmed({std::string(whole), std::string(fraction)});
}

bool less(const PlainDecimal& left, const PlainDecimal& right) {
  if (left.whole.size() != right.whole.size()) {
    return left.whole.size() < right.whole.size();
  }
  return left.whole != right.whole ? left.whole < right.whole : left.fraction < right.fraction;
}

PlainDecimal sum(const PlainDecimal& left, const PlainDecimal& right) {
  const auto width = std::max(left.whole.size(), right.whole.size());
  const auto depth = std::max(left.fraction.size(), right.fraction.size());
  const auto pad = [width, depth](const PlainDecimal& number) {
    return std::string(width - number.whole.size(), '0') + number.whole + number.fraction +
           std::string(depth - number.fraction.size(), '0');
  };
  auto digits = pad(left);
  const auto other = pad(right);
  int carry = 0;
  for (auto at = digits.size(); at-- > 0;) {
    const int value = digits[at] - '0' + other[at] - '0' + carry;
    digits[at] = static_cast<char>('0' + value % 10);
    carry = value / 10;
  }
  digits.insert(digits.begin(), static_cast<char>('0' + carry));
  return trimmed({digits.substr(0, width + 1), digits.substr(width + 1)});
}

}  // namespace

std::optional<bool> is_difference(std::string_view result, std::string_view minuend,
                                  std::string_view subtrahend) {
  const auto difference = parse(result);
  const auto whole = parse(minuend);
  const auto part = parse(subtrahend);
  if (!difference || !whole || !part) {
    return std::nullopt;
  }
  if (!less(*part, *whole)) {
    return *difference == PlainDecimal{};
  }
  return sum(*difference, *part) == *whole;
}

std::optional<std::string> plain_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  const auto number = parse(text.substr(negative ? 1 : 0));
  if (!number) {
    return std::nullopt;
  }
  const auto whole = number->whole.empty() ? "0" : number->whole;
  const auto plain = number->fraction.empty() ? whole : whole + '.' + number->fraction;
  return negative && plain != "0" ? '-' + plain : plain;
}

}  // namespace contract_tests::checks
