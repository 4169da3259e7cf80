#include "contract_tests/checks/list_items.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace contract_tests::checks {

using nlohmann::json;

namespace {

std::set<std::string> as_set(const Items& items) {
  std::set<std::string> texts;
  for (const auto& item : items) {
    texts.insert(spec::json::write(item));
  }
  return texts;
}

std::string bounds(const Window& window) {
  std::string text = window.from ? "from " + spec::time::format_date_time(*window.from) : "";
  if (window.to) {
    text += (text.empty() ? "to " : " to ") + spec::time::format_date_time(*window.to);
  }
  return text;
}

std::string times_of(const json& item, const ItemTimes& times) {
  const auto from = instant_at(item, times.from);
  const auto to = instant_at(item, times.to);
  return (from ? spec::time::format_date_time(*from) : "?") + " to " +
         (to ? spec::time::format_date_time(*to) : "?");
}

bool is_inside(const json& item, const ItemTimes& times, const Window& window) {
  const auto from = instant_at(item, times.from);
  const auto to = instant_at(item, times.to);
  return from && to && (!window.from || *from >= *window.from) && (!window.to || *to <= *window.to);
}

bool is_outside(const json& item, const ItemTimes& times, const Window& window) {
  const auto from = instant_at(item, times.from);
  const auto to = instant_at(item, times.to);
  return from && to && ((window.from && *to < *window.from) || (window.to && *from > *window.to));
}

// The start of an item, which identifies it when its inner list is filtered.
std::string item_without(const json& item, const std::string& list) {
  auto copy = item;
  spec::json::erase_member(copy, list);
  return spec::json::write(copy);
}

const json* entries(const json& item, const std::string& list) {
  const auto* found = spec::json::find(item, list);
  return found != nullptr && found->is_array() ? found : nullptr;
}

bool has_entry(const json& item, const MemberRule& rule) {
  const auto* list = entries(item, rule.list);
  return list != nullptr && std::ranges::any_of(*list, [&rule](const json& entry) {
           const auto* key = spec::json::find(entry, rule.key);
           return key != nullptr && *key == rule.value;
         });
}

}  // namespace

Items items_inside(const Items& all, const ItemTimes& times, const Window& window) {
  Items items;
  std::ranges::copy_if(all, std::back_inserter(items),
                       [&](const json& item) { return is_inside(item, times, window); });
  return items;
}

RuleViolations check_inclusive(const Items& all, const Items& got, const ItemTimes& times,
                               const Window& window) {
  const auto present = as_set(got);
  for (const auto& item : all) {
    if (is_inside(item, times, window) && !present.contains(spec::json::write(item))) {
      return {{"filter/inclusive", "body", "must contain every item " + bounds(window),
               "lacks " + times_of(item, times)}};
    }
  }
  return {};
}

RuleViolations check_leak(const Items& got, const ItemTimes& times, const Window& window) {
  const auto found =
      std::ranges::find_if(got, [&](const json& item) { return is_outside(item, times, window); });
  if (found == got.end()) {
    return {};
  }
  return {{"filter/ignored", "body", "must contain only items " + bounds(window),
           "has " + times_of(*found, times)}};
}

RuleViolations check_monotone(const Items& narrow, const Items& wide) {
  const auto present = as_set(wide);
  const auto lost = std::ranges::count_if(
      narrow, [&](const json& item) { return !present.contains(spec::json::write(item)); });
  if (lost == 0) {
    return {};
  }
  return {{"filter/monotone", "body", "must contain every item of a narrower filter",
           "lacks " + std::to_string(lost) + " of " + std::to_string(narrow.size()) + " items"}};
}

RuleViolations check_same_items(const Items& left, const Items& right, const std::string& rule,
                                const std::string& what) {
  if (as_set(left) == as_set(right)) {
    return {};
  }
  return {{rule, "body", "must contain the same items for " + what,
           "has " + std::to_string(left.size()) + " and " + std::to_string(right.size())}};
}

RuleViolations check_member_only(const Items& got, const MemberRule& rule) {
  for (std::size_t index = 0; index < got.size(); ++index) {
    const auto* list = entries(got[index], rule.list);
    for (const auto& entry : list == nullptr ? json::array() : *list) {
      const auto* key = spec::json::find(entry, rule.key);
      if (key == nullptr || *key != rule.value) {
        return {{"filter/member", "body/" + std::to_string(index) + rule.list,
                 "must contain only " + rule.value,
                 "has " + (key == nullptr ? "an entry without the member" : key->dump())}};
      }
    }
  }
  return {};
}

RuleViolations check_member_complete(const Items& all, const Items& got, const MemberRule& rule) {
  std::set<std::string> present;
  for (const auto& item : got) {
    if (has_entry(item, rule)) {
      present.insert(item_without(item, rule.list));
    }
  }
  for (const auto& item : all) {
    if (has_entry(item, rule) && !present.contains(item_without(item, rule.list))) {
      return {{"filter/member-complete", "body", "must contain every item with " + rule.value,
               "lacks " + spec::text::shortened(item_without(item, rule.list), 80)}};
    }
  }
  return {};
}

std::size_t count_members(const Items& items, const MemberRule& rule) {
  return static_cast<std::size_t>(
      std::ranges::count_if(items, [&rule](const json& item) { return has_entry(item, rule); }));
}

std::size_t count_common(const Items& items, const Items& others) {
  const auto present = as_set(others);
  return static_cast<std::size_t>(std::ranges::count_if(
      items, [&](const json& item) { return present.contains(spec::json::write(item)); }));
}

namespace {

using Counts = std::map<std::string, std::size_t>;

std::string number(std::size_t value) {
  return std::to_string(value);
}

std::vector<std::string> texts(const Items& items) {
  std::vector<std::string> list;
  list.reserve(items.size());
  for (const auto& item : items) {
    list.push_back(spec::json::write(item));
  }
  return list;
}

Counts counts(const std::vector<std::string>& list) {
  Counts counted;
  for (const auto& text : list) {
    ++counted[text];
  }
  return counted;
}

// The first item that `left` holds more often than `right`.
std::optional<std::string> surplus(const Counts& left, const Counts& right) {
  for (const auto& [text, count] : left) {
    const auto other = right.find(text);
    if (other == right.end() || other->second < count) {
      return text;
    }
  }
  return std::nullopt;
}

}  // namespace

Items Walk::all() const {
  Items items;
  for (const auto& page : pages) {
    items.insert(items.end(), page.begin(), page.end());
  }
  return items;
}

RuleViolations check_page_size(std::size_t count, std::size_t expected,
                               std::optional<std::size_t> total, const std::string& rule) {
  if (count > expected) {
    return {
        {rule, "body", "must have at most " + number(expected) + " items", "has " + number(count)}};
  }
  const auto wanted = std::min(expected, total.value_or(count));
  if (count < wanted) {
    return {{rule, "body",
             "must have " + number(wanted) + " items because the list has " + number(*total),
             "has " + number(count)}};
  }
  return {};
}

RuleViolations check_walk(const Walk& walk) {
  RuleViolations violations;
  for (std::size_t page = 1; page < walk.pages.size(); ++page) {
    const auto& before = walk.pages[page - 1];
    const auto& now = walk.pages[page];
    if (now.empty()) {
      break;
    }
    if (now == before) {
      const bool full = now.size() >= walk.size;
      return {{full ? "paging/number-ignored" : "paging/past-the-end", "body",
               "must differ from page " + number(page - 1),
               "page " + number(page) + " of size " + number(walk.size) + " is the same"}};
    }
    if (before.size() < walk.size) {
      violations.push_back({"paging/short-page", "body",
                            "must be full because another page follows",
                            "page " + number(page - 1) + " of size " + number(walk.size) + " has " +
                                number(before.size())});
      break;
    }
  }
  return violations;
}

RuleViolations compare_walks(const Walk& left, const Walk& right) {
  auto one = texts(left.all());
  auto two = texts(right.all());
  if (!left.ended || !right.ended) {  // a budget ended the reading: compare what both have read
    const auto common = std::min(one.size(), two.size());
    one.resize(common);
    two.resize(common);
  }
  if (one == two) {
    return {};
  }
  const auto first = counts(one);
  const auto second = counts(two);
  const auto sizes = "pages of " + number(left.size) + " and of " + number(right.size);
  const auto more = surplus(first, second);
  const auto less = surplus(second, first);
  if (!more && !less) {
    return {{"paging/order", "body", "must have the same order in " + sizes, "has another"}};
  }
  return {{"paging/partition", "body", "must contain the same items in " + sizes,
           "one has more of " + spec::text::shortened(more ? *more : *less, 80)}};
}

RuleViolations compare_order(const Items& left, const Items& right) {
  if (left == right) {
    return {};
  }
  auto one = texts(left);
  auto two = texts(right);
  std::ranges::sort(one);
  std::ranges::sort(two);
  if (one == two) {
    return {{"paging/order", "body", "must have the same order in every response", "has another"}};
  }
  return {{"same/twice", "body", "must contain the same items in every response", "differs"}};
}

}  // namespace contract_tests::checks
