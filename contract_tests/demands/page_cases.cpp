// By rules: page sizes at and beyond every bound, numbers, and the partition of the whole by two
// sizes.

#include "contract_tests/checks/list_items.hpp"
#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/list_reading.hpp"
#include "contract_tests/demands/request_variants.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace contract_tests::demands {

using checks::Items;
using plan::PageRules;

namespace {

constexpr std::size_t kUsualSize = 10;  // of pages by which a list is counted
constexpr const char* kTooShort = "the subject's list is too short to test pages";

// The number of items in the list, counted by pages of a usual size, so that a server that cuts
// large pages does not hide it. Counts at most `enough`.
std::optional<std::size_t> count_items(CaseRun& case_run, const PageRules& pages,
                                       std::size_t enough) {
  std::size_t count = 0;
  for (std::size_t page = 0; count < enough; ++page) {
    const auto& sent =
        send_page(case_run, pages.page(case_run.item().request, kUsualSize, page), page);
    const auto items = items_of(sent, pages.items);
    if (is_past_the_end(sent, page)) {
      break;
    }
    if (!items) {
      return std::nullopt;
    }
    count += items->size();
    if (items->size() < kUsualSize) {
      break;
    }
  }
  return count;
}

// True if the list has an item at all: an empty list is the same for any size and number.
bool shows_items(CaseRun& case_run, const PageRules& pages) {
  auto plain = case_run.item().request;
  plan::erase_pairs(plain.query, pages.size);
  plan::erase_pairs(plain.query, pages.number);
  const auto items = items_of(case_run.send(plain, {.want = Want::kAccepted}), pages.items);
  return items && !items->empty();
}

void run_page_size(CaseRun& case_run, const PageRules& pages, std::size_t expected) {
  const auto& sent = case_run.send();
  const auto items = items_of(sent, pages.items);
  if (!items) {
    return;
  }
  std::optional<std::size_t> total;
  if (items->size() < expected && !pages.size.empty()) {
    total = count_items(case_run, pages, expected);
  }
  const bool exact = case_run.item().expect.want == Want::kAccepted;
  case_run.suspect(checks::check_page_size(items->size(), expected, exact ? total : std::nullopt,
                                           case_run.item().basis.rule),
                   sent);
  const bool empty = expected == 0 && items->empty() && !shows_items(case_run, pages);
  if (empty || (total && *total < expected)) {
    case_run.skip(kTooShort);
  }
}

// The list read by pages of two sizes.
struct PageSizes {
  std::size_t small = 0;
  std::size_t large = 0;
};

void run_partition(CaseRun& case_run, const PageRules& pages, const PageSizes& sizes) {
  const auto small = walk(case_run, case_run.item().request, pages, sizes.small);
  const auto large = walk(case_run, case_run.item().request, pages, sizes.large);
  if (!small || !large) {
    return;
  }
  auto violations = checks::check_walk(small->walk);
  if (violations.empty()) {
    violations = checks::check_walk(large->walk);
  }
  if (violations.empty()) {
    violations = checks::compare_walks(small->walk, large->walk);
  }
  case_run.suspect(std::move(violations), *large->last);
  if (small->walk.pages.size() < 3) {
    case_run.skip(kTooShort);
  }
}

void run_first(CaseRun& case_run, const PageRules& pages) {
  const auto& plain = case_run.send();
  const auto request =
      with_query(case_run.item().request, pages.number, std::to_string(pages.first));
  const auto& first = case_run.send(request);
  const auto left = items_of(plain, pages.items);
  const auto right = items_of(first, pages.items);
  if (left && right && *left != *right) {
    case_run.suspect(
        {{"paging/first-page", "body", "must be the same as the page without a number", "differs"}},
        first);
  } else if (left && left->empty()) {
    case_run.skip(kTooShort);
  }
}

void run_past_end(CaseRun& case_run, const PageRules& pages) {
  const auto last = walk(case_run, case_run.item().request, pages, pages.max_size);
  if (!last) {
    return;
  }
  const auto violations = checks::check_walk(last->walk);
  if (!violations.empty()) {
    case_run.suspect(violations, *last->last);
    return;
  }
  for (const auto* number : {"100000", "2147483647"}) {
    auto request = with_query(case_run.item().request, pages.size, std::to_string(pages.max_size));
    request = with_query(request, pages.number, number);
    const auto& sent = case_run.send(request, {.want = Want::kHandled});
    const auto items = items_of(sent, pages.items);
    if (items && !items->empty()) {
      case_run.suspect(
          {{"paging/past-the-end", "body" + pages.items, "must be empty after the last page",
            "has " + std::to_string(items->size())}},
          sent);
    }
  }
  if (last->walk.all().empty()) {
    case_run.skip(kTooShort);
  }
}

void run_order(CaseRun& case_run, const PageRules& pages) {
  const auto request =
      with_query(case_run.item().request, pages.size, std::to_string(pages.max_size));
  std::optional<Items> before;
  for (int reading = 0; reading < 3; ++reading) {
    const auto& sent = case_run.send(request);
    const auto items = items_of(sent, pages.items);
    if (!items) {
      return;
    }
    if (before) {
      case_run.suspect(checks::compare_order(*before, *items), sent);
    }
    before = items;
  }
  if (before && before->size() < 2) {
    case_run.skip(kTooShort);
  }
}

// Every response is validated as it is sent; here it is only read to its last page.
void run_every(CaseRun& case_run, const PageRules& pages) {
  const auto large = walk(case_run, case_run.item().request, pages, pages.max_size);
  walk(case_run, case_run.item().request, pages, kUsualSize);
  if (large && large->walk.all().empty()) {
    case_run.skip(kTooShort);
  }
}

void run_time(CaseRun& case_run, const PageRules& pages) {
  using std::chrono::microseconds;
  const auto fastest = [&](std::size_t size) -> std::optional<microseconds> {
    std::optional<microseconds> best;
    for (int reading = 0; reading < 3; ++reading) {
      const auto& sent =
          case_run.send(with_query(case_run.item().request, pages.size, std::to_string(size)));
      if (!sent.accepted) {
        return std::nullopt;
      }
      best = std::min(best.value_or(microseconds::max()), sent.exchange.timing.total);
    }
    return best;
  };
  constexpr int kDisproportion = 50;
  constexpr microseconds kNoticeable{100'000};
  const auto small = fastest(kUsualSize);
  const auto large = fastest(pages.max_size);
  if (small && large && *large > kNoticeable && *large > kDisproportion * *small) {
    const auto& sent = case_run.send();
    case_run.suspect(
        {{"paging/time", "wire", "must take time in proportion to its size",
          "takes " + std::to_string(large->count()) + " us for " + std::to_string(pages.max_size) +
              " items and " + std::to_string(small->count()) + " us for " +
              std::to_string(kUsualSize)}},
        sent);
  } else if (small && large && !shows_items(case_run, pages)) {
    case_run.skip(kTooShort);
  }
}

class PageCases {
 public:
  PageCases(const Drafting& drafting, const PageRules& pages)
      : drafting_(drafting), pages_(pages) {}

  void add() const {
    size_case(std::nullopt, "a page without a size has the default number of items",
              "paging/default-size");
    for (const auto size : pages_.probes) {
      const auto text = std::to_string(size);
      size_case(size, "a page size of " + text + " gives pages of " + text, "paging/size");
    }
    zero();
    rejected(pages_.size, "-1", "paging/minimum-size");
    rejected(pages_.number, "-1", "paging/minimum-number");
    rejected_with_size();
    beyond();
    partitions();
    whole_list();
  }

 private:
  Case start(std::string sentence, std::string rule,
             StatementClass kind = StatementClass::kDocument) const {
    auto item = drafting_.draft(std::move(sentence), std::move(rule),
                                Drafting::clause(pages_.clause, kind));
    if (!in_contract(pages_.size) || !in_contract(pages_.number)) {
      item.obstacle = {"the contract does not have the paging parameters",
                       run::Reason::Kind::kNotAllowed};
    }
    return item;
  }

  bool in_contract(const std::string& name) const {
    return drafting_.operation.parameter(spec::contract::Location::kQuery, name) != nullptr;
  }

  static void expect_size(Case& item, const PageRules& pages, std::size_t expected) {
    item.run = [pages = pages, expected](CaseRun& case_run) {
      run_page_size(case_run, pages, expected);
    };
  }

  void size_case(std::optional<std::size_t> size, std::string sentence, std::string rule) const {
    auto item = start(std::move(sentence), std::move(rule));
    auto pages = pages_;
    if (size) {
      item.request.query.emplace_back(pages_.size, std::to_string(*size));
      item.changed = {"query", pages_.size, std::to_string(*size)};
    } else if (!item.obstacle.empty()) {
      item.obstacle = {};  // a page without parameters needs no names: validated by the document
      pages.size.clear();
    }
    expect_size(item, pages, size.value_or(pages_.default_size));
    drafting_.add(std::move(item));
  }

  // The same together with a size.
  void rejected_with_size() const {
    auto item =
        start("the value -1 for " + pages_.number + " is rejected together with a page size",
              "paging/minimum-number");
    item.request.query = {{pages_.size, "3"}, {pages_.number, "-1"}};
    item.expect.want = Want::kRejected;
    item.changed = {"query", pages_.size, "3", "and " + pages_.number + "=-1"};
    drafting_.add(std::move(item));
  }

  void zero() const {
    auto item = start("a page size of 0 gives an empty page", "paging/zero");
    expect_size(item, pages_, 0);
    item.request.query.emplace_back(pages_.size, "0");
    item.expect.want = Want::kHandled;
    item.changed = {"query", pages_.size, "0"};
    drafting_.add(std::move(item));
  }

  void rejected(const std::string& name, const std::string& value, std::string rule) const {
    auto item = start(name + " " + value + " is rejected", std::move(rule));
    item.request.query.emplace_back(name, value);
    item.expect.want = Want::kRejected;
    item.changed = {"query", name, value};
    drafting_.add(std::move(item));
  }

  // Beyond the maximum: a rejection or a page cut to the maximum are both legal.
  void beyond() const {
    const auto maximum = pages_.max_size;
    for (const auto& text : {std::to_string(maximum + 1), std::to_string(maximum * 10),
                             std::string("2147483647"), std::string("99999999999999999999")}) {
      auto item =
          start("a page size of " + text + " is rejected or cut to the maximum", "paging/maximum");
      expect_size(item, pages_, maximum);
      item.request.query.emplace_back(pages_.size, text);
      item.expect.want = Want::kHandled;
      item.changed = {"query", pages_.size, text};
      drafting_.add(std::move(item));
    }
  }

  void partitions() const {
    const auto& all = pages_.partition;
    for (std::size_t at = 0; at + 1 < all.size(); ++at) {
      const PageSizes sizes{all[at], all[at + 1]};
      auto item = start("pages of " + std::to_string(sizes.small) + " and of " +
                            std::to_string(sizes.large) + " contain the same items",
                        "paging/partition");
      item.run = [pages = pages_, sizes](CaseRun& case_run) {
        run_partition(case_run, pages, sizes);
      };
      drafting_.add(std::move(item));
    }
  }

  void add(std::string sentence, std::string rule, void (*run)(CaseRun&, const PageRules&),
           StatementClass kind = StatementClass::kDocument) const {
    auto item = start(std::move(sentence), std::move(rule), kind);
    item.run = [pages = pages_, run](CaseRun& case_run) { run(case_run, pages); };
    drafting_.add(std::move(item));
  }

  void whole_list() const {
    constexpr auto kAssumption = StatementClass::kAssumption;
    add("the first page is page " + std::to_string(pages_.first), "paging/first-page", &run_first);
    unsized();
    add("a page past the end is empty", "paging/past-the-end", &run_past_end, kAssumption);
    add("items have the same order in every response", "paging/order", &run_order, kAssumption);
    add("every page satisfies the schema to its last item", "paging/every-page", &run_every);
    add("a large page takes time in proportion to its size", "paging/time", &run_time, kAssumption);
  }

  // Without a size, the number counts pages of the default size.
  void unsized() const {
    const auto number = std::to_string(pages_.first + 1);
    auto item = start("a page number works without a page size", "paging/number-ignored");
    item.request.query.emplace_back(pages_.number, number);
    auto sized = item.request;
    sized.query.emplace_back(pages_.size, std::to_string(pages_.default_size));
    compare_with(item, std::move(sized));
    item.changed = {"query", pages_.number, number};
    drafting_.add(std::move(item));
  }

  const Drafting& drafting_;
  const PageRules& pages_;
};

}  // namespace

void add_page_cases(const Drafting& drafting) {
  if (drafting.rules.pages) {
    PageCases(drafting, *drafting.rules.pages).add();
  }
}

}  // namespace contract_tests::demands
