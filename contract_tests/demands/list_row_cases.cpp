// What a list must do with its filters and orders: every item satisfies the filter and none that
// does is missing; items come in the order that was asked for. By the rules of its list, inferred
// or written. The values come from the data of the server.

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/checks/list_rows.hpp"
#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/list_pages.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <utility>

namespace contract_tests::demands {

using checks::Fit;
using checks::Items;
using nlohmann::json;
using plan::ListFilterRule;
using plan::ListOrderRule;

namespace {

constexpr std::size_t kValues = 5;  // of one filter
constexpr const char* kNoValue = "no value was found that some items have and others have not";
constexpr const char* kNothing = "counterpartfindsnothing";

std::string text_of_value(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// One list under one filter.
class FilteredList {
 public:
  FilteredList(CaseRun& case_run, const ListRules& list, const ListFilterRule& filter)
      : case_run_(case_run), list_(list), filter_(filter), pages_(case_run, list) {}

  void run() {
    auto whole = pages_.whole();
    if (!whole) {
      return;
    }
    whole_ = std::move(*whole);
    if (filter_.is == "contains") {
      look_for_nothing();
      return;
    }
    const auto values = checks::filter_values(whole_.items, filter_.at, filter_.is, filter_.values);
    for (const auto& value : std::span(values).first(std::min(values.size(), kValues))) {
      const auto text = text_of_value(value);
      const auto request = with_filter(text);
      if (validate_request(case_run_.settings().contract, case_run_.operation(), request)
              .is_valid() &&
          !try_value(request, value)) {
        return;
      }
    }
    if (tried_ == 0 && !case_run_.is_skipped()) {
      case_run_.skip(kNoValue);
    }
  }

 private:
  RequestPlan with_filter(const std::string& text) const {
    return with_query(pages_.whole_request(), filter_.parameter, text);
  }

  // False when there is a finding, or no answer.
  bool try_value(const RequestPlan& request, const json& value) {
    const auto got = pages_.read(request);
    if (!got) {
      return false;
    }
    const auto wrong = std::ranges::find_if(
        got->items, [&](const json& item) { return fit_of(item, value) == Fit::kOut; });
    if (wrong != got->items.end()) {
      if (is_another_word(*got, value)) {
        return true;
      }
      const bool ignored = pages_.names_of(got->items) == pages_.names_of(whole_.items);
      const auto place = ignored ? "query/" + filter_.parameter : "body" + list_.items + filter_.at;
      return !found("filter/member", place,
                    "must leave out all that does not satisfy " + said(value),
                    "has " + shown_at(*wrong), *got->sent);
    }
    return check_lacked(*got, value) && check_page(*got, value) && check_total(*got, value);
  }

  // True if the value may be a word for others: no item has it, and those that it gives are some.
  bool is_another_word(const ListPage& got, const json& value) const {
    const auto has = [&](const json& item) { return fit_of(item, value) == Fit::kIn; };
    return std::ranges::none_of(whole_.items, has) && std::ranges::none_of(got.items, has) &&
           pages_.names_of(got.items) != pages_.names_of(whole_.items);
  }

  // A small page of the filtered list is full: the list is filtered before it is paged.
  bool check_page(const ListPage& got, const json& value) {
    const auto size = tried_ == 1 ? pages_.small_size(got.items.size()) : std::nullopt;
    const auto page =
        size ? pages_.read(with_query(pages_.sized(*size), filter_.parameter, text_of_value(value)))
             : std::nullopt;
    const auto plain =
        page && page->items.size() < *size ? pages_.read(pages_.sized(*size)) : std::nullopt;
    if (!plain || plain->items.size() < *size) {
      return true;  // the case about sizes
    }
    return !found("filter/paged", "query/" + filter_.parameter,
                  "must give " + std::to_string(*size) + " of " + std::to_string(got.items.size()) +
                      " items with " + said(value),
                  "gives " + std::to_string(page->items.size()), *page->sent);
  }

  bool check_lacked(const ListPage& got, const json& value) {
    const auto names = pages_.names_of(got.items);
    const std::set<std::string> present(names.begin(), names.end());
    const auto all = pages_.names_of(whole_.items);
    const bool may_lack = got.items.size() >= whole_.items.size();
    for (std::size_t at = 0; at < all.size() && !may_lack; ++at) {
      if (checks::fit_exactly(whole_.items[at], filter_.at, filter_.is, value) == Fit::kIn &&
          !present.contains(all[at])) {
        return !found("filter/member-complete", "query/" + filter_.parameter,
                      "must keep all that satisfies " + said(value),
                      "lacks one with " + shown_at(whole_.items[at]), *got.sent);
      }
    }
    ++tried_;
    return true;
  }

  bool check_total(const ListPage& got, const json& value) {
    const auto count = static_cast<std::int64_t>(got.items.size());
    if (!got.total || *got.total == count || may_count_page(list_) || *got.total != whole_.total ||
        got.items.size() >= whole_.items.size()) {
      return true;
    }
    return !found("paging/total", place_of(list_.total),
                  "must be the number of items with " + said(value),
                  "is " + std::to_string(*got.total) + " for " + std::to_string(count), *got.sent);
  }

  // A text that nothing has: a search that shows everything is none.
  void look_for_nothing() {
    const auto got = pages_.read(with_filter(kNothing));
    if (got && pages_.names_of(got->items) == pages_.names_of(whole_.items)) {
      found("filter/member", "query/" + filter_.parameter,
            "must leave out all that does not have the text", "shows all items", *got->sent);
    } else if (got && got->items.empty()) {
      look_for_texts();
    }
  }

  // Each text of an item: a search that finds none of them finds nothing.
  void look_for_texts() {
    std::optional<ListPage> got;
    for (const auto& text : checks::texts_of(whole_.items.front())) {
      got = pages_.read(with_filter(text));
      if (!got || !got->items.empty()) {
        return;
      }
    }
    if (got) {
      found("filter/member-complete", "query/" + filter_.parameter,
            "must find an item by one of its texts", "finds nothing by any of them", *got->sent);
    }
  }

  Fit fit_of(const json& item, const json& value) const {
    return checks::fit_loosely(item, filter_.at, filter_.is, value, filter_.values.empty());
  }

  std::string said(const json& value) const {
    return filter_.parameter + '=' + spec::text::shortened(text_of_value(value), 60);
  }

  std::string shown_at(const json& item) const {
    const auto* value = spec::json::find(item, filter_.at);
    return filter_.at.substr(1) + ' ' + (value == nullptr ? "missing" : checks::shown(*value));
  }

  // True when it is reported: the list is as it was.
  bool found(const char* rule, std::string place, std::string must, std::string is,
             const CaseResponse& sent) {
    if (pages_.is_steady(whole_)) {
      case_run_.suspect(
          {list_violation(case_run_, rule, std::move(place), std::move(must), std::move(is))},
          sent);
    }
    return true;
  }

  CaseRun& case_run_;
  const ListRules& list_;
  const ListFilterRule& filter_;
  ListedPages pages_;
  ListPage whole_;
  std::size_t tried_ = 0;
};

RequestPlan with_order(RequestPlan request, const ListOrderRule& order) {
  for (const auto& [name, value] : order.query) {
    request = with_query(std::move(request), name, value);
  }
  return request;
}

std::string order_text(const ListOrderRule& order) {
  return (order.descending ? "descending by " : "ascending by ") + order.at.substr(1);
}

// The first page of the ordered list begins with what the whole ordered list begins with.
void check_first_page(CaseRun& case_run, ListedPages& pages, const ListRules& list,
                      const ListOrderRule& order, const ListPage& sorted) {
  const auto size = pages.small_size(sorted.items.size());
  const auto page = size ? pages.read(with_order(pages.sized(*size), order)) : std::nullopt;
  if (!page || page->items.size() > *size) {
    return;
  }
  const auto& last = sorted.items[*size - 1];
  for (const auto& item : page->items) {
    if (checks::are_out_of_order(item, last, order.at, order.descending)) {
      case_run.suspect(
          {list_violation(case_run, "order/paged", "body" + list.items,
                          "must begin with what the whole list begins with, " + order_text(order),
                          "has " + checks::shown(*spec::json::find(item, order.at)))},
          *page->sent);
      return;
    }
  }
}

void run_order(CaseRun& case_run, const ListRules& list, const ListOrderRule& order) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  const auto sorted = whole ? pages.read(with_order(pages.whole_request(), order)) : std::nullopt;
  if (!sorted) {
    return;
  }
  if (!checks::has_different_values(sorted->items, order.at)) {
    case_run.skip("the items do not have different values there");
    return;
  }
  const auto at = checks::first_out_of_order(sorted->items, order.at, order.descending);
  if (!at) {
    check_first_page(case_run, pages, list, order, *sorted);
    return;
  }
  const auto& before = *spec::json::find(sorted->items[*at], order.at);
  const auto& behind = *spec::json::find(sorted->items[*at + 1], order.at);
  if (pages.is_steady(*whole)) {
    case_run.suspect(
        {list_violation(case_run, "order/rows", "query/" + order.query.front().first,
                        "must be " + order_text(order) + " with " + order.text(),
                        "has " + checks::shown(behind) + " after " + checks::shown(before))},
        *sorted->sent);
  }
}

// Values that the contract does not name: a service may know none of them. One that knows them, but
// leaves the list as it is by all of them, ignores the parameter.
void run_guessed_orders(CaseRun& case_run, const ListRules& list) {
  ListedPages pages(case_run, list);
  const auto whole = pages.whole();
  if (!whole) {
    return;
  }
  std::optional<ListPage> last;
  for (const auto& order : list.orders) {
    last = pages.read(with_order(pages.whole_request(), order));
    if (!last) {
      return;
    }
    if (pages.names_of(last->items) != pages.names_of(whole->items) ||
        !checks::first_out_of_order(last->items, order.at, order.descending)) {
      return;
    }
  }
  if (last && list.orders.size() > 1 && pages.is_steady(*whole)) {
    const auto& order = list.orders.back();
    case_run.suspect({list_violation(case_run, "order/rows", "query/" + order.query.front().first,
                                     "must change the order of the items",
                                     "changes nothing by any of their members")},
                     *last->sent);
  }
}

}  // namespace

void add_row_cases(const Drafting& drafting) {
  if (drafting.list == nullptr) {
    return;
  }
  const auto list = std::make_shared<const ListRules>(*drafting.list);
  constexpr std::size_t kMost = 10;  // filters, and orders
  for (std::size_t at = 0; at < std::min(list->filters.size(), kMost); ++at) {
    const auto& filter = list->filters[at];
    add_list_case(drafting, filter.parameter + " keeps what satisfies it, and nothing else",
                  "filter/member", filter.source, [list, at](CaseRun& case_run) {
                    FilteredList(case_run, *list, list->filters[at]).run();
                  });
  }
  const bool guessed = !list->orders.empty() && !list->orders.front().named;
  if (guessed) {
    const auto& order = list->orders.front();
    add_list_case(drafting, order.query.front().first + " orders the items", "order/rows",
                  order.source, [list](CaseRun& case_run) { run_guessed_orders(case_run, *list); });
  }
  for (std::size_t at = 0; at < std::min(list->orders.size(), kMost) && !guessed; ++at) {
    const auto& order = list->orders[at];
    add_list_case(drafting, order.text() + " orders the items", "order/rows", order.source,
                  [list, at](CaseRun& case_run) { run_order(case_run, *list, list->orders[at]); });
  }
}

}  // namespace contract_tests::demands
