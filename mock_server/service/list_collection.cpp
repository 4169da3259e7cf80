// The records of a collection as a list: filters, order, pages, and what the list says of itself.

#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/contract_examples.hpp"
#include "mock_server/service/elements.hpp"
#include "mock_server/service/shown.hpp"
#include "spec/json/number.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::service {
namespace {

using fixtures::ListPlan;
using fixtures::Scope;
using fixtures::Total;
using nlohmann::json;

// One member to sort by, "-created" or "created:desc" in a request.
struct SortKey {
  std::string member;
  bool is_descending = false;
};

SortKey read_sort_key(std::string_view text) {
  SortKey key;
  key.is_descending = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  const std::size_t end = text.find_first_of(": ");
  if (end != std::string_view::npos) {
    const std::string direction = spec::text::to_lower(text.substr(end + 1));
    key.is_descending = key.is_descending || direction.starts_with("desc");
    text = text.substr(0, end);
  }
  key.member = text;
  return key;
}

// Several with commas, or elements of an array.
std::vector<SortKey> sort_keys(const json& given) {
  std::string text;
  for (const json& one : given.is_array() ? given : json::array({given})) {
    text += (text.empty() ? "" : ",") + fixtures::plain_text(one);
  }
  std::vector<SortKey> keys;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end > 0) {
      keys.push_back(read_sort_key(std::string_view(text).substr(0, end)));
    }
    text.erase(0, end + 1);
  }
  return keys;
}

// The request's order, the last key first, so that the first decides.
void order_records(const ListPlan& plan, const Scope& scope, json& elements) {
  const json* const direction = plan.direction ? given_value(*plan.direction, scope) : nullptr;
  const bool is_turned = direction != nullptr &&
                         spec::text::to_lower(fixtures::plain_text(*direction)).starts_with("desc");
  const json* const given = plan.sort ? given_value(*plan.sort, scope) : nullptr;
  std::vector<SortKey> keys = given != nullptr ? sort_keys(*given) : std::vector<SortKey>{};
  if (plan.order_by && keys.empty()) {
    return sort_elements(elements, *plan.order_by, is_turned);
  }
  if (keys.empty() && is_turned) {
    std::reverse(elements.begin(), elements.end());
  }
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const bool is_known = std::ranges::any_of(
        elements, [&](const json& element) { return element.contains(key->member); });
    if (is_known) {
      sort_elements(elements, {key->member}, key->is_descending || is_turned);
    }
  }
}

// Which part of the list is sent.
struct Page {
  std::size_t start = 0;
  std::size_t end = 0;
  std::int64_t size = 0;
  std::int64_t number = 0;  // as the request counts; from 1 if it cannot say
};

// The element after the one that the cursor names; the first when there is none of that key.
std::size_t after_cursor(const RequestContext& context, const json& elements, const json& cursor) {
  const auto& id = context.binding->collection->id();
  const std::string key = fixtures::plain_text(cursor);
  for (std::size_t index = 0; id && index < elements.size(); ++index) {
    const json* const own = fixtures::walk(&elements[index], *id);
    if (own != nullptr && fixtures::plain_text(*own) == key) {
      return index + 1;
    }
  }
  return 0;
}

Page choose_page(const RequestContext& context, const json& elements, const Scope& scope) {
  const auto& paging = context.binding->list.paging;
  const auto total = static_cast<std::int64_t>(elements.size());
  if (!paging) {
    return {0, elements.size(), total, 1};
  }
  Page page;
  page.size = std::max<std::int64_t>(integer_or(paging->size, scope, paging->default_size), 0);
  page.number = integer_or(paging->number, scope, paging->default_number);
  const std::int64_t index = std::max<std::int64_t>(page.number - paging->first, 0);
  std::int64_t start = page.size == 0 || index > total / page.size ? total : index * page.size;
  if (paging->offset && given_value(*paging->offset, scope) != nullptr) {
    start = integer_or(paging->offset, scope, 0);
  } else if (const json* const cursor =
                 paging->cursor ? given_value(*paging->cursor, scope) : nullptr) {
    start = static_cast<std::int64_t>(after_cursor(context, elements, *cursor));
  }
  start = std::clamp<std::int64_t>(start, 0, total);
  if (!paging->number) {
    page.number = start / std::max<std::int64_t>(page.size, 1) + 1;
  }
  page.start = static_cast<std::size_t>(start);
  page.end = static_cast<std::size_t>(start + std::min(page.size, total - start));
  return page;
}

json value_of_total(const RequestContext& context, Total total, const json& elements,
                    const Page& page) {
  const std::int64_t size = std::max<std::int64_t>(page.size, 1);
  const auto count = static_cast<std::int64_t>(elements.size());
  const auto& id = context.binding->collection->id();
  switch (total) {
    case Total::kCount: return count;
    case Total::kPages: return (count + size - 1) / size;
    case Total::kPage: return page.number;
    case Total::kOffset: return page.start;
    case Total::kSize: return page.size;
    case Total::kMore: return page.end < elements.size();
    case Total::kNext: {
      const bool has_next = page.end > page.start && page.end < elements.size() && id;
      const json* const key = has_next ? fixtures::walk(&elements[page.end - 1], *id) : nullptr;
      return key != nullptr ? json(fixtures::plain_text(*key)) : json(nullptr);
    }
  }
  return nullptr;
}

void put_total(json& body, const std::vector<std::string>& at, json value) {
  json* place = &body;
  for (const std::string& token : at) {
    if (!place->is_object() && !place->is_null()) {
      return;
    }
    place = &(*place)[token];
  }
  *place = std::move(value);
}

json chosen_elements(const RequestContext& context, const Scope& scope) {
  json elements = json::array();
  for (ListedRecord& record : visible_records(context)) {
    json shown = with_scenario_changes(context, std::move(record.value));
    if (keep(shown, context.binding->list.filters, scope)) {
      elements.push_back(fixtures::shown_record(*context.binding, shown));
    }
  }
  order_records(context.binding->list, scope, elements);
  return elements;
}

}  // namespace

ChosenResponse list_records(RequestContext& context) {
  const fixtures::Collection& collection = *context.binding->collection;
  if (!is_in_use(context, collection)) {
    return example_response(context);
  }
  const Scope scope{context.reading};
  const ListPlan& plan = context.binding->list;
  json elements = chosen_elements(context, scope);
  const Page page = choose_page(context, elements, scope);
  json part = json::array();
  for (std::size_t index = page.start; index < page.end; ++index) {
    part.push_back(elements[index]);
  }
  json body = fixtures::wrap_elements(plan.into, std::move(part));
  for (const fixtures::TotalPlace& total : plan.totals) {
    put_total(body, total.at, value_of_total(context, total.is, elements, page));
  }
  context.chosen_by = "records of " + collection.name();
  auto chosen =
      show_body(context, {fixtures::success_status(*context.operation), std::move(body), ""});
  return chosen ? std::move(*chosen)
                : not_shown(context, "the records cannot be shown as the contract demands");
}

}  // namespace mock_server::service
