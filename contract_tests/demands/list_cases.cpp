// What a list must do with its pages and totals: sizes, the first page, every item once, the end,
// the number of items, and whether more follows. By the rules of its list, inferred or written.

#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/list_pages.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace contract_tests::demands {

using checks::Items;
using checks::RuleViolation;

namespace {

constexpr std::size_t kPages = 4;  // read in a row

std::string items_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " item" : " items");
}

void run_list_size(CaseRun& case_run, const ListRules& list) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  const auto size = whole ? pages.small_size(whole->items.size()) : std::nullopt;
  if (!size) {
    case_run.skip(case_run.is_skipped() ? case_run.reason() : kTooFew);
    return;
  }
  const auto page = pages.read(pages.sized(*size));
  const auto count = page ? page->items.size() : *size;
  if (count != *size && pages.is_steady(*whole)) {
    case_run.suspect({list_violation(case_run, "paging/size", place_of(list.size),
                                     "must give " + items_text(*size) + " of a list of " +
                                         std::to_string(whole->items.size()),
                                     "gives " + std::to_string(count))},
                     *page->sent);
  }
}

void run_usual_size(CaseRun& case_run, const ListRules& list) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  const auto plain = whole ? pages.read(case_run.item().request) : std::nullopt;
  if (!plain) {
    return;
  }
  const auto usual = *list.usual_size;
  const auto wanted = std::min(usual, whole->items.size());
  const auto count = plain->items.size();
  if (whole->items.size() <= std::min(usual, count)) {
    case_run.skip(kTooFew);
  } else if (count != wanted && pages.is_steady(*whole)) {
    case_run.suspect({list_violation(case_run, "paging/default-size", place_of(list.size),
                                     "must be " + std::to_string(usual) + " where it is left out",
                                     "is " + std::to_string(count))},
                     *plain->sent);
  }
}

// The list with and without the number or offset of its first page.
bool begins_with_first(ListedPages& pages, PageStep step, std::size_t size,
                       const CaseResponse*& last) {
  const auto plain = pages.read(pages.sized(size));
  const auto first = plain ? pages.read(pages.page(step, size, 0)) : std::nullopt;
  last = first ? first->sent : nullptr;
  return !first || pages.names_of(plain->items) == pages.names_of(first->items);
}

void run_first_page(CaseRun& case_run, const ListRules& list, PageStep step) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  if (!whole) {
    return;
  }
  pages.find_first();
  const CaseResponse* last = nullptr;
  const auto size = pages.small_size(whole->items.size()).value_or(0);
  if (!begins_with_first(pages, step, size, last) && pages.is_steady(*whole)) {
    case_run.suspect({list_violation(case_run, "paging/first-page", place_of(part_of(list, step)),
                                     "must give the page without it where it is that of the first",
                                     "gives another")},
                     *last);
  }
}

// An item that two pages have, though the list has it once; "" if there is none.
std::string repeated_item(const std::vector<std::string>& walked,
                          const std::vector<std::string>& whole) {
  std::map<std::string, int> counts;
  for (const auto& name : whole) {
    counts[name] -= 1;
  }
  for (const auto& name : walked) {
    if (++counts[name] > 1 || (counts[name] == 1 && std::ranges::count(whole, name) > 0)) {
      return name;
    }
  }
  return "";
}

// What the pages do that they must not; nothing if they have every item once.
std::optional<RuleViolation> check_pages(const CaseRun& case_run, const ListedPages& pages,
                                         const ListPage& whole, const ListWalk& walk,
                                         const std::string& place) {
  const auto fault = [&](const char* rule, std::string must, std::string is) {
    return list_violation(case_run, rule, place, std::move(must), std::move(is));
  };
  const auto walked = pages.names_of(walk.items());
  const auto all = pages.names_of(whole.items);
  const std::set<std::string> seen(walked.begin(), walked.end());
  const bool has_all =
      std::ranges::all_of(all, [&](const auto& name) { return seen.contains(name); });
  if (walk.repeats && has_all) {
    return std::nullopt;  // that is behind the end
  }
  if (walk.repeats) {
    return fault("paging/number-ignored", "must lead to another page",
                 "leads to page " + std::to_string(walk.pages.size() - 1) + " again");
  }
  if (const auto twice = repeated_item(walked, all); !twice.empty()) {
    return fault("paging/partition", "must lead to every item once",
                 "leads twice to " + spec::text::shortened(twice, 80));
  }
  const auto read = walk.ended ? all.size() : std::min(all.size(), walked.size());
  for (std::size_t at = 0; at < read; ++at) {
    if (!seen.contains(all[at])) {
      return fault("paging/partition", "must lead to every item once",
                   "does not lead to " + spec::text::shortened(all[at], 80));
    }
  }
  return std::nullopt;
}

void run_every_item(CaseRun& case_run, const ListRules& list, PageStep step) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  if (!whole) {
    return;
  }
  pages.find_first();
  const auto size = pages.small_size(whole->items.size()).value_or(0);
  const auto walk = pages.walk(step, size, kPages);
  if (!walk) {
    return;
  }
  if (walk->pages.empty() || walk->has_larger_than(size)) {
    case_run.skip("its pages are not of the size that was asked for");
    return;
  }
  if (walk->pages.size() < 2 && (size == 0 || step == PageStep::kCursor)) {
    case_run.skip(kTooFew);
  }
  const auto fault = check_pages(case_run, pages, *whole, *walk, place_of(part_of(list, step)));
  const CaseResponse* first = nullptr;
  if (!fault || !pages.is_steady(*whole)) {
    return;
  }
  const auto again = pages.walk(step, size, kPages);
  if (again && pages.names_of(again->items()) != pages.names_of(walk->items())) {
    case_run.skip("its pages are others when they are read again");
  }
  if (case_run.is_skipped()) {
    return;
  }
  if (step != PageStep::kCursor && !begins_with_first(pages, step, size, first)) {
    case_run.skip("its first page is another one: see the case about it");
    return;
  }
  case_run.suspect({*fault}, *walk->pages.back().sent);
}

// From the third page back to the second.
void run_back(CaseRun& case_run, const ListRules& list) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  if (!whole) {
    return;
  }
  pages.find_first();
  const auto size = pages.small_size(whole->items.size()).value_or(0);
  const auto walk = pages.walk(steps_of(list).back(), size, 3);
  if (!walk) {
    return;
  }
  const auto request = walk->pages.size() < 3 || walk->has_larger_than(size) || walk->repeats
                           ? std::nullopt
                           : pages.before(walk->pages.back(), size);
  if (!request) {
    case_run.skip(walk->pages.size() < 3 ? kTooFew : "nothing leads back from the third page");
    return;
  }
  const auto names = [&](const ListPage& one) {
    const auto all = pages.names_of(one.items);
    return std::multiset<std::string>(all.begin(), all.end());  // the order may be turned round
  };
  const auto second = names(walk->pages[1]);
  const auto third = names(walk->pages[2]);
  if (std::ranges::any_of(third, [&](const auto& name) { return second.contains(name); })) {
    return;  // another rule's
  }
  const auto page = pages.read(*request);
  if (page && names(*page) != second && pages.is_steady(*whole)) {
    case_run.suspect({list_violation(case_run, "paging/back", place_of(list.back),
                                     "must lead to the page before",
                                     page->items.empty() ? "leads to nothing" : "leads to others")},
                     *page->sent);
  }
}

void run_list_end(CaseRun& case_run, const ListRules& list, PageStep step) {
  constexpr std::size_t kFar = 1'000'000;
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  if (!whole) {
    return;
  }
  pages.find_first();
  const auto count = whole->items.size();
  const auto size = pages.small_size(count).value_or(count);
  const auto all = pages.names_of(whole->items);
  const auto last = (count + size - 1) / size;  // index of the first page that must be empty
  for (const auto index : {last, kFar / size}) {
    const bool is_far = index != last;
    const auto request = pages.page(step, list.size.exists() ? size : 0, index);
    if ((!is_far && pages.may_be_cut(count)) || (!list.size.exists() && !is_far) ||
        (!list.size.exists() && step == PageStep::kOffset) ||
        !validate_request(case_run.settings().contract, case_run.operation(), request).is_valid()) {
      continue;
    }
    const auto page = pages.read_past_end(request);
    if (!page) {
      return;
    }
    const auto shown = pages.names_of(page->items);
    const auto is_page = [&](std::size_t at) {
      return std::equal(shown.begin(), shown.end(), all.begin() + at * size,
                        all.begin() + std::min((at + 1) * size, count));
    };
    if (is_page(0)) {
      break;  // the parameter is ignored: see the case about every item
    }
    if (!shown.empty() && (is_far || is_page(last - 1)) && pages.is_steady(*whole)) {
      case_run.suspect(
          {list_violation(case_run, "paging/past-the-end", place_of(part_of(list, step)),
                          "must give nothing behind the last page",
                          "gives " + items_text(shown.size()))},
          *page->sent);
      return;
    }
  }
}

// The number of items as far as pages of this size show it.
struct Count {
  std::size_t items = 0;
  bool complete = false;
};

std::optional<Count> count_list(ListedPages& pages, const ListRules& list, const ListPage& whole) {
  const auto steps = steps_of(list);
  if (steps.empty()) {
    return Count{whole.items.size(), false};
  }
  pages.find_first();
  const auto walk = pages.walk(steps.front(), list.size.exists() ? whole.items.size() : 0, kPages);
  return walk ? std::optional(Count{walk->items().size(), walk->ended && !walk->repeats})
              : std::nullopt;
}

bool counts_its_page(const ListRules& list, const ListPage& page) {
  return may_count_page(list) && page.total == static_cast<std::int64_t>(page.items.size());
}

void run_list_total(CaseRun& case_run, const ListRules& list) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  if (!whole) {
    return;
  }
  const auto size = pages.small_size(whole->items.size());
  const auto small = size ? pages.read(pages.sized(*size)) : whole;
  if (!small || !whole->total || !small->total) {
    case_run.skip(case_run.is_skipped() ? case_run.reason() : "no response shows the number");
    return;
  }
  const auto stated = *whole->total;
  if (counts_its_page(list, *whole) && counts_its_page(list, *small)) {
    case_run.skip("it may be the number of items in the response");
    return;
  }
  std::string is;
  if (stated != *small->total) {
    is = "is " + std::to_string(*small->total) + " beside " + items_text(small->items.size()) +
         " and " + std::to_string(stated) + " beside " + std::to_string(whole->items.size());
  } else if (stated != static_cast<std::int64_t>(whole->items.size())) {
    const auto count = count_list(pages, list, *whole);
    const auto items = static_cast<std::int64_t>(count ? count->items : 0);
    if (count && (stated < items || (count->complete && stated != items))) {
      is = "is " + std::to_string(stated) + " where pages have " + items_text(count->items);
    }
  }
  if (!is.empty() && pages.is_steady(*whole)) {
    case_run.suspect({list_violation(case_run, "paging/total", place_of(list.total),
                                     "must be the number of all items", is)},
                     *small->sent);
  }
}

// A list that fills one page has one.
void check_one_page(CaseRun& case_run, ListedPages& pages, const ListRules& list,
                    const ListPage& whole) {
  const auto count = whole.items.size();
  const auto page = list.sizes.empty() && !pages.may_be_cut(count) ? pages.read(pages.sized(count))
                                                                   : std::nullopt;
  if (page && page->items.size() == count && page->pages.value_or(1) != 1 &&
      pages.is_steady(whole)) {
    case_run.suspect({list_violation(case_run, "paging/total", place_of(list.pages),
                                     "must be 1 where one page has all " + items_text(count),
                                     "is " + std::to_string(*page->pages))},
                     *page->sent);
  }
}

void run_list_pages(CaseRun& case_run, const ListRules& list) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  auto size = whole ? pages.small_size(whole->items.size()) : std::nullopt;
  if (size && list.sizes.empty() && whole->items.size() % *size == 0) {
    *size += *size + 1 < whole->items.size() ? 1 : 0;  // the last page is a part
  }
  const auto small = size ? pages.read(pages.sized(*size)) : std::nullopt;
  if (!small || !small->pages || small->items.size() != *size) {
    case_run.skip(case_run.is_skipped() ? case_run.reason() : "no response shows the number");
    return;
  }
  const auto in_pages = [&](std::size_t count) {
    return static_cast<std::int64_t>((count + *size - 1) / *size);
  };
  if (*small->pages == in_pages(whole->items.size())) {
    check_one_page(case_run, pages, list, *whole);
    return;
  }
  const auto count = count_list(pages, list, *whole);
  if (count &&
      (*small->pages < in_pages(count->items) ||
       (count->complete && *small->pages != in_pages(count->items))) &&
      pages.is_steady(*whole)) {
    case_run.suspect({list_violation(case_run, "paging/total", place_of(list.pages),
                                     "must be the number of pages of " + items_text(*size),
                                     "is " + std::to_string(*small->pages) + " for " +
                                         items_text(count->items))},
                     *small->sent);
  }
}

void run_list_more(CaseRun& case_run, const ListRules& list) {
  ListedPages pages(case_run, list);
  const auto steps = steps_of(list);
  const auto whole = steps.empty() ? std::nullopt : pages.whole();
  if (!whole) {
    return;
  }
  pages.find_first();
  const auto count = whole->items.size();
  const auto size = pages.small_size(count).value_or(0);
  const auto walk = pages.walk(steps.front(), size, kPages);
  const auto& part = list.more.exists() ? list.more : list.last;
  const auto walked = walk ? pages.names_of(walk->items()) : std::vector<std::string>{};
  const std::set<std::string> seen(walked.begin(), walked.end());
  if (!walk || walk->repeats || walk->has_larger_than(size) || seen.size() < walked.size() ||
      (walk->ended && walked.size() < count)) {
    return;  // see the case about every item
  }
  const auto check = [&](const ListPage& page, bool more) {
    if (page.more && *page.more != more && pages.is_steady(*whole)) {
      const auto said = [&](bool value) { return value == list.more.exists() ? "true" : "false"; };
      case_run.suspect(
          {list_violation(case_run, "paging/more", place_of(part),
                          std::string("must be ") + said(more) +
                              (more ? " because another page follows" : " because nothing follows"),
                          std::string("is ") + said(!more))},
          *page.sent);
    }
  };
  for (std::size_t at = 0; at < walk->pages.size(); ++at) {
    const bool last = at + 1 == walk->pages.size();
    if (!last || walk->ended) {
      check(walk->pages[at], !last);
    }
  }
  if (walk->ended && walk->items().size() == count && list.size.exists() && list.sizes.empty()) {
    if (const auto exact = pages.read(pages.sized(count)); exact && exact->items.size() == count) {
      check(*exact, false);
    }
  }
}

class ListCases {
 public:
  ListCases(const Drafting& drafting, const ListRules& list)
      : drafting_(drafting), list_(std::make_shared<const ListRules>(list)) {}

  void add() const {
    if (list_->size.exists()) {
      const auto& name = list_->size.parameter;
      add(name + " gives as many items as it says", "paging/size", list_->size, &run_list_size);
      if (list_->usual_size) {
        add("a page without " + name + " has its default", "paging/default-size", list_->size,
            &run_usual_size);
      }
    }
    for (const auto step : steps_of(*list_)) {
      add_step(step);
    }
    if (list_->total.exists()) {
      add(name_of(list_->total) + " is the number of all items", "paging/total", list_->total,
          &run_list_total);
    }
    if (list_->pages.exists() && list_->size.exists()) {
      add(name_of(list_->pages) + " is the number of all pages", "paging/total", list_->pages,
          &run_list_pages);
    }
    if (list_->back.exists()) {
      add("pages lead back by " + name_of(list_->back), "paging/back", list_->back, &run_back);
    }
    if (const auto& more = list_->more.exists() ? list_->more : list_->last; more.exists()) {
      add(name_of(more) + " says if another page follows", "paging/more", more, &run_list_more);
    }
  }

 private:
  using Run = void (*)(CaseRun&, const ListRules&);
  using RunStep = void (*)(CaseRun&, const ListRules&, PageStep);

  static std::string name_of(const plan::ListPart& part) {
    const auto at = part.at.ends_with("/href") ? part.at.substr(0, part.at.size() - 5) : part.at;
    return part.parameter.empty() ? at.substr(at.rfind('/') + 1) : part.parameter;
  }

  void add(std::string sentence, std::string rule, const plan::ListPart& part,
           std::function<void(CaseRun&)> run) const {
    add_list_case(drafting_, std::move(sentence), std::move(rule), part.source, std::move(run));
  }

  void add(std::string sentence, std::string rule, const plan::ListPart& part, Run run) const {
    add(std::move(sentence), std::move(rule), part,
        [list = list_, run](CaseRun& case_run) { run(case_run, *list); });
  }

  void add_step(PageStep step) const {
    const auto& part = part_of(*list_, step);
    const auto with = [&](RunStep run) {
      return [list = list_, run, step](CaseRun& case_run) { run(case_run, *list, step); };
    };
    const auto name = name_of(part);
    add("pages by " + name + " contain every item once", "paging/partition", part,
        with(&run_every_item));
    if (step != PageStep::kCursor) {
      add(name + " of the first page gives the page without it", "paging/first-page", part,
          with(&run_first_page));
      add("there is nothing behind the last page by " + name, "paging/past-the-end", part,
          with(&run_list_end));
    }
  }

  const Drafting& drafting_;
  std::shared_ptr<const ListRules> list_;
};

}  // namespace

void add_listed_cases(const Drafting& drafting) {
  if (drafting.list != nullptr) {
    ListCases(drafting, *drafting.list).add();
  }
}

}  // namespace contract_tests::demands
