#include "contract_tests/checks/pages.hpp"

#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <map>

namespace contract_tests::checks {

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
