#include "contract_tests/demands/list_pages.hpp"

#include "contract_tests/demands/list_reading.hpp"
#include "spec/http/form.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace contract_tests::demands {

using checks::Items;
using nlohmann::json;
using plan::ListPart;

namespace {

constexpr std::size_t kMaxPage = 100;    // items that one response should have
constexpr std::size_t kTooMany = 5'000;  // items of a list that is not compared
constexpr std::size_t kSmallPage = 10;

// The URL with rel="next" in a Link field; "" if there is none. Source: RFC 8288 §3.
std::string next_link(const CaseResponse& sent) {
  for (const auto& [name, value] : sent.exchange.response.headers.lines()) {
    if (!spec::text::equals_ignoring_case(name, "Link")) {
      continue;
    }
    for (auto at = value.find('<'); at != std::string::npos; at = value.find('<', at + 1)) {
      const auto end = value.find('>', at);
      const auto parameters = value.substr(std::min(end, value.size()), value.find('<', end) - end);
      const bool is_next = parameters.find("rel=\"next\"") != std::string::npos ||
                           parameters.find("rel=next") != std::string::npos;
      if (end != std::string::npos && is_next) {
        return std::string(value.substr(at + 1, end - at - 1));
      }
    }
  }
  return "";
}

// `request` with the query of `url` instead of its own.
RequestPlan with_query_of(RequestPlan request, std::string_view url) {
  request.query.clear();
  request.raw_query.clear();
  const auto start = url.find('?');
  const auto query = start == std::string_view::npos ? "" : url.substr(start + 1);
  for (const auto& pair : spec::http::split_form(query.substr(0, query.find('#')))) {
    request.query.emplace_back(pair.name, spec::text::percent_decode(pair.value).value_or(""));
  }
  return request;
}

bool is_url(const std::string& text) {
  return text.starts_with("http://") || text.starts_with("https://") || text.starts_with('/') ||
         text.starts_with('?');
}

std::string text_of(const json* value) {
  if (value == nullptr || value->is_null() || value->is_structured() || value->is_boolean()) {
    return "";
  }
  return value->is_string() ? value->get<std::string>() : value->dump();
}

}  // namespace

checks::RuleViolation list_violation(const CaseRun& case_run, std::string rule, std::string place,
                                     std::string must, std::string is) {
  return {.rule = std::move(rule),
          .place = std::move(place),
          .must = std::move(must),
          .is = std::move(is),
          .source = case_run.item().basis.source};
}

std::string place_of(const ListPart& part) {
  if (!part.parameter.empty()) {
    return "query/" + part.parameter;
  }
  return (part.in_header ? "header/" : "body") + part.at;
}

bool may_count_page(const ListRules& list) {
  return list.total.at.ends_with("/count") && !list.back.exists();
}

void add_list_case(const Drafting& drafting, std::string sentence, std::string rule,
                   const checks::Source& source, std::function<void(CaseRun&)> run) {
  auto item = drafting.draft(std::move(sentence), std::move(rule), source);
  item.run = std::move(run);
  item.needs.list = true;
  drafting.add(std::move(item));
}

std::vector<PageStep> steps_of(const ListRules& list) {
  std::vector<PageStep> steps;
  for (const auto step : {PageStep::kNumber, PageStep::kOffset, PageStep::kCursor}) {
    if (part_of(list, step).exists()) {
      steps.push_back(step);
    }
  }
  return steps;
}

const ListPart& part_of(const ListRules& list, PageStep step) {
  switch (step) {
    case PageStep::kNumber: return list.number;
    case PageStep::kOffset: return list.offset;
    case PageStep::kCursor: break;
  }
  return list.cursor;
}

Items ListWalk::items() const {
  Items all;
  for (const auto& page : pages) {
    all.insert(all.end(), page.items.begin(), page.items.end());
  }
  return all;
}

bool ListWalk::has_larger_than(std::size_t size) const {
  return size > 0 &&
         std::ranges::any_of(pages, [size](const auto& page) { return page.items.size() > size; });
}

std::vector<std::string> ListedPages::names_of(const Items& items) const {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) {
    auto name = key_.empty() ? "" : text_of(spec::json::find(item, key_));
    names.push_back(name.empty() ? spec::json::write(item) : std::move(name));
  }
  return names;
}

std::optional<std::int64_t> ListedPages::number_at(const CaseResponse& sent,
                                                   const ListPart& part) const {
  if (part.in_header) {
    const auto field = sent.exchange.response.headers.find(part.at);
    return field ? spec::text::parse_number<std::int64_t>(*field) : std::nullopt;
  }
  const auto* found = part.at.empty() ? nullptr : spec::json::find(*sent.normal, part.at);
  return found != nullptr ? spec::json::to_int64(*found) : std::nullopt;
}

std::optional<ListPage> ListedPages::try_read(const RequestPlan& request, std::string& why_not) {
  const auto& sent = case_run_.send(request, {.want = Want::kHandled});
  auto items = items_of(sent, list_.items);
  if (!items || items->size() > kTooMany) {
    why_not = items             ? "a response has " + std::to_string(items->size()) + " items"
              : sent.conclusive ? "a page was rejected, or is no list"
                                : "a page could not be read";
    return std::nullopt;
  }
  ListPage page{.items = std::move(*items), .sent = &sent};
  page.total = number_at(sent, list_.total);
  page.pages = number_at(sent, list_.pages);
  const auto& part = list_.more.exists() ? list_.more : list_.last;
  const auto* shown = part.at.empty() ? nullptr : spec::json::find(*sent.normal, part.at);
  if (shown != nullptr && shown->is_boolean()) {
    page.more = shown->get<bool>() == list_.more.exists();
  }
  return page;
}

std::optional<ListPage> ListedPages::read(const RequestPlan& request) {
  std::string why_not;
  auto page = try_read(request, why_not);
  if (!page) {
    case_run_.skip(std::move(why_not));
  }
  return page;
}

std::optional<ListPage> ListedPages::read_past_end(const RequestPlan& request) {
  std::string why_not;
  auto page = try_read(request, why_not);
  if (!page && is_past_the_end(case_run_.sent().back(), 1)) {
    return ListPage{.items = {}, .sent = &case_run_.sent().back()};
  }
  if (!page) {
    case_run_.skip(std::move(why_not));
  }
  return page;
}

RequestPlan ListedPages::sized(std::size_t size) const {
  const auto& request = case_run_.item().request;
  return list_.size.exists() && size > 0
             ? with_query(request, list_.size.parameter, std::to_string(size))
             : request;
}

RequestPlan ListedPages::whole_request() const {
  const auto most = std::min(list_.max_size.value_or(kMaxPage), kMaxPage);
  return sized(list_.sizes.empty() ? most : std::ranges::max(list_.sizes));
}

std::optional<ListPage> ListedPages::whole() {
  auto page = read(whole_request());
  if (page && page->items.size() < 2) {
    case_run_.skip(kTooFew);
    return std::nullopt;
  }
  std::set<std::string> keys;
  const auto has_own_key = [&](const json& item) {
    const auto key = text_of(spec::json::find(item, list_.key));
    return !key.empty() && keys.insert(key).second;
  };
  key_ =
      page && !list_.key.empty() && std::ranges::all_of(page->items, has_own_key) ? list_.key : "";
  return page;
}

bool ListedPages::may_be_cut(std::size_t items) const {
  const auto request = whole_request();
  const auto* size = plan::find_pair(request.query, list_.size.parameter);
  const bool has_steps = !steps_of(list_).empty() || list_.size.exists();
  return has_steps && (size == nullptr || std::to_string(items) == *size);
}

std::optional<std::size_t> ListedPages::small_size(std::size_t items) const {
  if (!list_.size.exists()) {
    return std::nullopt;
  }
  auto size = std::clamp((items + 2) / 3, list_.min_size, std::max(list_.min_size, kSmallPage));
  if (!list_.sizes.empty()) {
    size = std::ranges::min(list_.sizes);
  }
  return size < items ? std::optional(size) : std::nullopt;
}

RequestPlan ListedPages::page(PageStep step, std::size_t size, std::size_t index) const {
  auto request = sized(size);
  if (step == PageStep::kNumber) {
    return with_query(std::move(request), list_.number.parameter,
                      std::to_string(first_ + static_cast<std::int64_t>(index)));
  }
  if (step == PageStep::kOffset) {
    return with_query(std::move(request), list_.offset.parameter, std::to_string(size * index));
  }
  return request;
}

std::optional<RequestPlan> ListedPages::after(const ListPage& page,
                                              const RequestPlan& request) const {
  const auto& cursor = list_.cursor;
  if (cursor.in_header) {
    const auto url = next_link(*page.sent);
    return url.empty() ? std::nullopt : std::optional(with_query_of(request, url));
  }
  return led_by(cursor,
                cursor.at.empty() ? spec::json::find(page.items.back(), list_.key)
                                  : spec::json::find(*page.sent->normal, cursor.at),
                request);
}

std::optional<RequestPlan> ListedPages::led_by(const ListPart& part, const json* shown,
                                               const RequestPlan& request) const {
  const auto value = text_of(shown);
  if (value.empty()) {
    return std::nullopt;
  }
  if (is_url(value)) {
    return with_query_of(request, value);
  }
  return part.parameter.empty() ? std::nullopt
                                : std::optional(with_query(request, part.parameter, value));
}

std::optional<RequestPlan> ListedPages::before(const ListPage& page, std::size_t size) const {
  const auto& back = list_.back;
  return led_by(back,
                back.at.empty() ? spec::json::find(page.items.front(), list_.key)
                                : spec::json::find(*page.sent->normal, back.at),
                sized(size));
}

std::optional<ListWalk> ListedPages::walk(PageStep step, std::size_t size, std::size_t limit) {
  ListWalk walk;
  // A key need not be a cursor.
  const bool is_key =
      step == PageStep::kCursor && list_.cursor.at.empty() && !list_.cursor.in_header;
  if (is_key && key_.empty()) {
    case_run_.skip("nothing names each of its items");
    return std::nullopt;
  }
  auto request = page(step, size, 0);
  while (walk.pages.size() < limit) {
    const auto index = walk.pages.size();
    auto next = index == 0 || is_key ? read(request) : read_past_end(request);
    if (!next) {
      return std::nullopt;
    }
    walk.ended = next->items.empty();
    if (walk.ended) {
      break;
    }
    walk.repeats = index > 0 && names_of(next->items) == names_of(walk.pages.back().items);
    walk.pages.push_back(std::move(*next));
    const auto following = step == PageStep::kCursor ? after(walk.pages.back(), request)
                                                     : std::optional(page(step, size, index + 1));
    walk.ended = !following;
    if (!following || walk.repeats) {
      break;
    }
    request = *following;
  }
  return walk;
}

void ListedPages::find_first() {
  first_ = list_.first.value_or(1);
  if (list_.first || !list_.number.exists()) {
    return;
  }
  const auto& plain = case_run_.item().request;
  const auto at = [&](const char* number) {
    return items_of(
        case_run_.send(with_query(plain, list_.number.parameter, number), {.want = Want::kHandled}),
        list_.items);
  };
  const auto usual = items_of(case_run_.send(plain, {.want = Want::kHandled}), list_.items);
  if (usual && !usual->empty() && at("1") != usual && at("0") == usual) {
    first_ = 0;
  }
}

bool ListedPages::is_steady(const ListPage& whole) {
  const auto again = read(whole_request());
  if (again && names_of(again->items) != names_of(whole.items)) {
    case_run_.skip("the list changed, or its order, while it was read");
    return false;
  }
  return again.has_value();
}

}  // namespace contract_tests::demands
