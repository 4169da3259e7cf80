#include "contract_tests/checks/list_rows.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace contract_tests::checks {

using nlohmann::json;

namespace {

// Letters and digits in lower case: what collations agree about.
std::string letters_of(const std::string& text) {
  std::string letters;
  for (const char letter : spec::text::to_lower(text)) {
    if (spec::text::is_letter_or_digit(letter)) {
      letters += letter;
    }
  }
  return letters;
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char letter) { return letter >= ' ' && letter <= '~'; });
}

template <typename Value>
int compared(const Value& left, const Value& right) {
  return left < right ? -1 : right < left ? 1 : 0;
}

// -1, 0 or 1 by one of the ways in which texts are compared.
std::optional<int> compare_texts(const std::string& left, const std::string& right) {
  const auto one = spec::time::parse_date_time(left);
  const auto two = spec::time::parse_date_time(right);
  if (one && two) {
    return compared(*one, *two);
  }
  const auto first = spec::text::parse_number<double>(left);
  const auto second = spec::text::parse_number<double>(right);
  const int by_bytes = compared(left, right);
  const int by_letters = compared(letters_of(left), letters_of(right));
  const bool numbers_agree = !first || !second || compared(*first, *second) == by_bytes;
  if (left != right && (by_bytes != by_letters || !numbers_agree || !is_ascii(left + right))) {
    return std::nullopt;
  }
  return by_bytes;
}

// The order of two scalars where it is certain.
std::optional<int> compare(const json& left, const json& right) {
  if (left.is_number() && right.is_number()) {
    return compared(left.get<double>(), right.get<double>());
  }
  if (left.is_string() && right.is_string()) {
    return compare_texts(left.get_ref<const std::string&>(), right.get_ref<const std::string&>());
  }
  return std::nullopt;
}

Fit fit_of_bound(int order, std::string_view is) {
  if (order == 0) {
    const bool clear = is == "at_least" || is == "at_most";
    const bool out = is == "more_than" || is == "less_than";
    return clear ? Fit::kIn : out ? Fit::kOut : Fit::kUndecided;
  }
  const bool is_lower = is == "at_least" || is == "more_than" || is == "from";
  return (order > 0) == is_lower ? Fit::kIn : Fit::kOut;
}

bool has_same_text(const json& left, const json& right, bool is_free) {
  const auto text = [](const json& value) {
    return spec::text::to_lower(value.is_string() ? value.get<std::string>() : value.dump());
  };
  return text(left) == text(right) ||
         (is_free && left.is_string() && text(left).find(text(right)) != std::string::npos);
}

// A value that is a date names a whole day.
bool names_day_of(const json& value, const json& shown) {
  constexpr std::size_t kDate = 10;
  return value.is_string() && shown.is_string() &&
         value.get_ref<const std::string&>().size() == kDate &&
         shown.get_ref<const std::string&>().size() > kDate &&
         shown.get_ref<const std::string&>().starts_with(value.get_ref<const std::string&>());
}

Fit fit_of_scalar(const json& shown, std::string_view is, const json& value, bool is_loose,
                  bool is_free) {
  if (shown.is_null() || shown.is_object() || (value.is_boolean() && !shown.is_boolean())) {
    return Fit::kUndecided;
  }
  if (is != "equal") {
    const auto order = names_day_of(value, shown) ? std::nullopt : compare(shown, value);
    return order ? fit_of_bound(*order, is) : Fit::kUndecided;
  }
  const bool same = is_loose
                        ? spec::json::equal(shown, value) || has_same_text(shown, value, is_free)
                        : spec::json::equal(shown, value);
  return same ? Fit::kIn : Fit::kOut;
}

Fit fit_of(const json& item, const std::string& at, std::string_view is, const json& value,
           bool is_loose, bool is_free) {
  const auto* shown = spec::json::find(item, at);
  if (shown == nullptr) {
    return Fit::kUndecided;
  }
  if (!shown->is_array()) {
    return fit_of_scalar(*shown, is, value, is_loose, is_free);
  }
  auto fit = Fit::kOut;
  for (const auto& element : *shown) {
    const auto inner = fit_of_scalar(element, is, value, is_loose, is_free);
    fit = inner == Fit::kOut ? fit : fit == Fit::kIn ? fit : inner;
  }
  return fit;
}

// A value that can be given in a query and means itself there.
bool is_plain_value(const json& value) {
  constexpr std::size_t kLongest = 80;
  if (!value.is_string()) {
    return value.is_number() || value.is_boolean();
  }
  const auto& text = value.get_ref<const std::string&>();
  return !text.empty() && text.size() <= kLongest &&
         text.find_first_of(",*%|;\"'") == std::string::npos &&
         text.find("${") == std::string::npos;
}

}  // namespace

Fit fit_loosely(const json& item, const std::string& at, std::string_view is, const json& value,
                bool is_free) {
  return fit_of(item, at, is, value, true, is_free);
}

Fit fit_exactly(const json& item, const std::string& at, std::string_view is, const json& value) {
  return fit_of(item, at, is, value, false, false);
}

std::vector<json> filter_values(const Items& items, const std::string& at, std::string_view is,
                                const std::vector<json>& listed) {
  std::vector<json> seen;
  for (const auto& item : items) {
    const auto* shown = spec::json::find(item, at);
    const bool is_list = shown != nullptr && shown->is_array();
    for (const auto& value : is_list ? *shown : json::array({shown == nullptr ? json() : *shown})) {
      const bool is_known = std::ranges::find(seen, value) != seen.end();
      const auto has = [&](Fit fit) {
        return std::ranges::any_of(
            items, [&](const json& other) { return fit_exactly(other, at, is, value) == fit; });
      };
      if (!is_known && is_plain_value(value) && has(Fit::kOut)) {
        seen.push_back(value);
      }
    }
  }
  // A bound in the middle leaves out as much as it keeps.
  if (is != "equal" && !seen.empty()) {
    std::ranges::stable_sort(seen, [](const json& left, const json& right) {
      return compare(left, right).value_or(0) < 0;
    });
    std::rotate(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2),
                seen.end());
    seen.resize(std::min<std::size_t>(seen.size(), 2));
  }
  for (const auto& value : listed) {
    if (std::ranges::find(seen, value) == seen.end() && is_plain_value(value)) {
      seen.push_back(value);
    }
  }
  return seen;
}

std::vector<std::string> texts_of(const json& item) {
  std::vector<std::string> texts;
  const auto add = [&texts](const json& value) {
    if (value.is_string() && is_plain_value(value)) {
      texts.push_back(value.get<std::string>());
    }
  };
  for (const auto& member : item) {
    add(member);
    if (member.is_object()) {
      std::ranges::for_each(member, add);
    }
  }
  constexpr std::size_t kMost = 8;
  texts.resize(std::min(texts.size(), kMost));
  return texts;
}

bool are_out_of_order(const json& before, const json& behind, const std::string& at,
                      bool descending) {
  const auto* left = spec::json::find(before, at);
  const auto* right = spec::json::find(behind, at);
  const auto order = left == nullptr || right == nullptr ? std::nullopt : compare(*left, *right);
  return order && (descending ? *order < 0 : *order > 0);
}

std::optional<std::size_t> first_out_of_order(const Items& items, const std::string& at,
                                              bool descending) {
  for (std::size_t index = 0; index + 1 < items.size(); ++index) {
    if (are_out_of_order(items[index], items[index + 1], at, descending)) {
      return index;
    }
  }
  return std::nullopt;
}

bool has_different_values(const Items& items, const std::string& at) {
  return std::ranges::any_of(items, [&](const json& item) {
    return are_out_of_order(items.front(), item, at, false) ||
           are_out_of_order(items.front(), item, at, true);
  });
}

}  // namespace contract_tests::checks
