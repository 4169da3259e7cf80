#include "spec/schema/generate/agreement.hpp"

#include "spec/json/number.hpp"
#include "spec/schema/generate/believable_values.hpp"
#include "spec/schema/generate/word_tables.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace spec::schema::generate {

namespace {

using Json = nlohmann::json;
using Names = std::map<std::string, std::string>;  // those of the members, by their plain form

constexpr double kMaxAmount = 1e12;

// The amount in hundredths, of a number or of a text such as "12.50".
std::optional<std::int64_t> hundredths(const Json& value) {
  std::string text;
  if (spec::json::is_number(value)) {
    text = spec::json::number_text(value);
  } else if (value.is_string()) {
    text = value.get<std::string>();
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_whole = !text.empty() && *end == '\0' && std::fabs(number) < kMaxAmount;
  return is_whole ? std::optional(std::llround(number * 100)) : std::nullopt;
}

// That amount in the form of `like`.
Json amount(std::int64_t hundredths, const Json& like) {
  std::string digits = std::to_string(std::abs(hundredths));
  digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
  std::string text = (hundredths < 0 ? "-" : "") + digits.insert(digits.size() - 2, 1, '.');
  if (like.is_string()) {
    return text;
  }
  text.erase(text.find_last_not_of('0') + 1);
  text.resize(text.ends_with('.') ? text.size() - 1 : text.size());
  return spec::json::make_number(text);
}

class Agreement {
 public:
  Agreement(const Json& object, const std::function<bool(const std::string&)>& is_stated,
            const Change& change)
      : object_(object), is_stated_(is_stated), change_(change) {
    for (const auto& [name, value] : object.items()) {
      if (spec::json::is_number(value) || value.is_string()) {
        spellings_.emplace_back(usage_of(name).snake, name);
      }
      names_.emplace(usage_of(name).plain, name);
    }
    for (const auto& [name, value] : object.items()) {
      names_.emplace(usage_of(name).amount, name);
    }
  }

  void run() {
    for (const TotalRow& row : word_tables().products) {
      multiply(row);
    }
    for (const TotalRow& row : word_tables().sums) {
      add_up(row);
    }
    for (const auto& [low, high] : word_tables().orders) {
      put_in_order(low, high);
    }
    describe_list();
  }

  // A price times a quantity; nothing if one of them is missing.
  std::optional<std::int64_t> product() const {
    for (const TotalRow& row : word_tables().products) {
      const std::string* const left = find(row.parts[0]);
      const std::string* const right = find(row.parts[1]);
      if (left != nullptr && right != nullptr) {
        return value_of(left) * value_of(right) / 100;
      }
    }
    return std::nullopt;
  }

  // `sum` is that of the parts before taxes, else the total.
  void add_up_to(std::int64_t sum) {
    const TotalRow& usual = word_tables().sums.front();
    for (const Words* const words :
         {&usual.parts.front(), &usual.total, &word_tables().products.front().total}) {
      if (const std::string* const total = find(*words)) {
        set(total, sum);
        break;
      }
    }
    add_up(usual);
  }

 private:
  // The member with one of those names that is an amount.
  const std::string* find(const Words& words) const {
    for (const std::string& word : words) {
      const auto found = names_.find(word);
      if (found != names_.end() && hundredths(object_.at(found->second))) {
        return &found->second;
      }
    }
    return nullptr;
  }

  std::int64_t value_of(const std::string* name) const {
    return name == nullptr ? 0 : hundredths(object_.at(*name)).value_or(0);
  }

  bool set(const std::string* name, std::int64_t value) {
    return name != nullptr && value >= 0 &&
           (value == value_of(name) ||
            (!is_stated_(*name) && change_(*name, amount(value, object_.at(*name)))));
  }

  void multiply(const TotalRow& row) {
    const std::string* const total = find(row.total);
    const std::string* const left = find(row.parts[0]);
    const std::string* const right = find(row.parts[1]);
    if (total != nullptr && left != nullptr && right != nullptr) {
      set(total, value_of(left) * value_of(right) / 100);
    }
  }

  // The total is what the parts make; where it is stated or of another sum, the last part is what
  // is left.
  void add_up(const TotalRow& row) {
    std::vector<const std::string*> parts;
    for (const Words& words : row.parts) {
      if (const std::string* const part = find(words)) {
        parts.push_back(part);
      }
    }
    const std::string* const total = find(row.total);
    const std::string* const minus = find(row.minus);
    const bool is_subtotal = parts.size() == 1 && find(row.parts.front()) == parts.front() &&
                             &row == &word_tables().sums.front();
    if (total != nullptr && is_subtotal && parts.front() != total && minus == nullptr) {
      set(total, value_of(parts.front()));
    }
    if (total == nullptr || parts.size() < 2 || std::ranges::find(parts, total) != parts.end()) {
      return;
    }
    const std::int64_t first = value_of(parts.front());
    if (minus != nullptr && value_of(minus) > first / 2) {
      set(minus, first / 1000 * 100);
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (value_of(parts[i]) > first) {  // a tax or the shipping
        set(parts[i], first / 500 * 100);
      }
    }
    std::int64_t sum = -value_of(minus);
    for (const std::string* part : parts) {
      sum += value_of(part);
    }
    const bool is_settled = totals_.contains(*total);
    if (is_settled || !set(total, sum)) {
      const std::int64_t rest = value_of(total) - sum;
      const std::int64_t last = value_of(parts.back()) + rest;
      if (last < 0 && set(parts.front(), value_of(parts.front()) + last)) {
        set(parts.back(), 0);
      } else if (!set(parts.back(), last)) {
        set(parts.front(), value_of(parts.front()) + rest);
      }
    }
    totals_.insert(*total);
  }

  // A day, or a time of a day.
  static bool is_day(const Json& value) {
    if (!value.is_string()) {
      return false;
    }
    const auto& text = value.get_ref<const std::string&>();
    return text.size() >= 5 && text::is_digit(text[0]) && (text.size() >= 10 || text[2] == ':');
  }

  static bool is_above(const Json& low, const Json& high) {
    if (is_day(low) && is_day(high)) {
      return low > high;
    }
    return spec::json::is_number(low) && spec::json::is_number(high) &&
           hundredths(low).value_or(0) > hundredths(high).value_or(0);
  }

  // Swaps "max_price" and "min_price" if they are the wrong way round.
  void put_in_order(const std::string& low, const std::string& high) {
    for (const auto& [snake, name] : spellings_) {
      if (!is_named(snake, low)) {
        continue;
      }
      std::string other = snake;
      other.replace(other.find(low), low.size(), high);
      const auto found = names_.find(text::plain_name(other));
      if (found == names_.end() || is_stated_(name) || is_stated_(found->second)) {
        continue;
      }
      const Json value = object_.at(name);
      const Json above = object_.at(found->second);
      if (is_above(value, above) && change_(name, above) && !change_(found->second, value)) {
        change_(name, value);
      }
    }
  }

  // The list of the frame, if it has one alone.
  const Json* only_list() const {
    const Json* list = nullptr;
    for (const auto& [name, value] : object_.items()) {
      const bool is_list = value.is_array() && (value.empty() || value.front().is_object());
      if (is_list && list != nullptr) {
        return nullptr;
      }
      list = is_list ? &value : list;
    }
    return list;
  }

  void replace(const std::string& use, const Json& value) {
    for (const std::string& word : word_tables().lists.at(use)) {
      const auto found = names_.find(word);
      if (found == names_.end() || object_.at(found->second) == value) {
        continue;
      }
      const Json& old = object_.at(found->second);
      const bool is_text = old.is_string() && spec::json::is_number(value);
      if (old.type() == value.type() ||
          (spec::json::is_number(old) && spec::json::is_number(value)) || value.is_null()) {
        change_(found->second, value);
      } else if (is_text && hundredths(old)) {
        change_(found->second, spec::json::number_text(value));
      }
    }
  }

  void describe_list() {
    const Json* const list = only_list();
    if (list == nullptr || object_.contains("id")) {
      return;
    }
    const Json size(list->size());
    const bool has_pages = std::ranges::any_of(word_tables().lists, [this](const auto& each) {
      return std::ranges::any_of(each.second,
                                 [this](const auto& word) { return names_.contains(word); });
    });
    if (!has_pages) {
      return;
    }
    replace("count", size);
    for (const std::string& word : word_tables().lists.at("size")) {
      const auto found = names_.find(word);
      if (found != names_.end() && value_of(&found->second) < value_of_size(*list)) {
        change_(found->second, size);
      }
    }
    replace("first_page", Json(1));
    replace("pages", Json(1));
    replace("zero", Json(0));
    replace("more", Json(false));
    replace("ended", Json(nullptr));
    name_rows(*list);
  }

  static std::int64_t value_of_size(const Json& list) {
    return static_cast<std::int64_t>(list.size()) * 100;
  }

  // "first_id" and "last_id".
  void name_rows(const Json& list) {
    if (list.empty() || !list.front().contains("id") || !list.back().contains("id")) {
      return;
    }
    replace("first_row", list.front()["id"]);
    replace("last_row", list.back()["id"]);
  }

  const Json& object_;
  const std::function<bool(const std::string&)>& is_stated_;
  const Change& change_;
  Names names_;
  std::vector<std::pair<std::string, std::string>> spellings_;  // of numbers and texts
  std::set<std::string> totals_;                                // that are the sum of their parts
};

}  // namespace

std::string amount_name(std::string_view member) {
  return usage_of(member).amount;
}

void make_agree(const Json& object, const std::function<bool(const std::string&)>& is_stated,
                const Change& change) {
  bool has_some = false;
  for (const auto& [name, value] : object.items()) {
    has_some |= usage_of(name).agrees;
  }
  if (has_some) {
    Agreement(object, is_stated, change).run();
  }
}

void add_up_list(const Json& list, const Json& object,
                 const std::function<bool(const std::string&)>& is_stated, const Change& change) {
  std::int64_t sum = 0;
  for (const Json& element : list) {
    const auto amount =
        element.is_object() ? Agreement(element, is_stated, change).product() : std::nullopt;
    if (!amount) {
      return;
    }
    sum += *amount;
  }
  Agreement(object, is_stated, change).add_up_to(sum);
}

}  // namespace spec::schema::generate
