#include "mock_server/api/record_source.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/responses/expansion.hpp"
#include "mock_server/service/responses/list.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/http/form.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::service::responses {
namespace {

using api::Paging;
using api::Place;
using api::Scope;
using api::Total;
using nlohmann::json;

// The number of the creation of a record; 0 for one of the fixtures.
std::uint64_t order_of(const RequestContext& context, const std::string& key) {
  return state::number_in(context.session->read(
      state::order_cell(context.binding->collection->name(), record_key(context, key))));
}

// The key of a record, by the name that the response gives it; null if it has none.
const json* key_of_shown(const RequestContext& context, const api::SharedValue& element) {
  if (context.binding->collection == nullptr) {  // of the contract's example
    return api::walk(element.get(), {"id"});
  }
  const auto& id = context.binding->collection->id();
  if (!id) {
    return nullptr;
  }
  const auto& names = context.binding->names;
  const auto other = std::ranges::find_if(
      names, [&](const auto& name) { return *id == std::vector{name.second}; });
  return other == names.end() ? api::walk(element.get(), *id)
                              : api::walk(element.get(), {other->first});
}

// A cursor of elements without a key is the number of those before the page.
std::size_t after_number(const Elements& elements, const std::string& cursor) {
  const auto number = spec::json::is_number_text(cursor)
                          ? spec::json::to_int64(spec::json::make_number(cursor))
                          : std::nullopt;
  return std::min(elements.size(),
                  static_cast<std::size_t>(std::max<std::int64_t>(number.value_or(0), 0)));
}

// The element after the record that the cursor names, also when that is deleted; the first for an
// empty cursor; the end for one that never named a record.
std::size_t after_cursor(const RequestContext& context, const Elements& elements,
                         const json& cursor) {
  const std::string key = api::key_text(cursor);
  const bool has_keys = std::ranges::any_of(elements, [&](const api::SharedValue& element) {
    return key_of_shown(context, element) != nullptr;
  });
  if (key.empty() || !has_keys) {
    return after_number(elements, key);
  }
  const auto own_key = [&](const api::SharedValue& element) {
    const json* const own = key_of_shown(context, element);
    return own != nullptr ? api::key_text(*own) : std::string{};
  };
  const auto found = std::ranges::find(elements, key, own_key);
  if (found != elements.end()) {
    return static_cast<std::size_t>(found - elements.begin()) + 1;
  }
  const std::uint64_t number = context.binding->collection != nullptr ? order_of(context, key) : 0;
  const auto later = std::ranges::find_if(elements, [&](const auto& element) {
    return number != 0 && order_of(context, own_key(element)) > number;
  });
  return static_cast<std::size_t>(later - elements.begin());
}

// The cursor of the page after this one: the key of its last element, else the number of those
// before it. Null for the last page.
json next_cursor(const RequestContext& context, const Elements& elements, const Page& page) {
  const bool has_next = page.end > page.start && page.end < elements.size();
  const json* const key = has_next ? key_of_shown(context, elements[page.end - 1]) : nullptr;
  if (has_next) {
    return key != nullptr ? api::key_text(*key) : std::to_string(page.end);
  }
  return nullptr;
}

// The URLs of a list's pages: the request's own with another page.
class PageUrls {
 public:
  PageUrls(const RequestContext& context, const Elements& elements, const Page& page)
      : context_(context), elements_(elements), page_(page), turns_by_(turns_by(context)) {}

  std::optional<std::string> next() const {
    if (page_.end >= elements_.size() || page_.end == page_.start) {
      return std::nullopt;
    }
    if (turns_by_ == &Paging::cursor) {
      const json cursor = next_cursor(context_, elements_, page_);
      return cursor.is_null() ? std::nullopt : of(cursor.get<std::string>());
    }
    return at(page_.end);
  }

  std::optional<std::string> previous() const {
    const auto size = static_cast<std::size_t>(page_.size);
    if (page_.start == 0 || size == 0) {
      return std::nullopt;
    }
    const bool is_past_the_end = page_.start == elements_.size();
    return is_past_the_end && turns_by_ == &Paging::number
               ? last()
               : at(page_.start - std::min(page_.start, size));
  }

  std::optional<std::string> first() const { return page_.size == 0 ? std::nullopt : at(0); }

  std::optional<std::string> last() const {
    const auto size = static_cast<std::size_t>(page_.size);
    const std::size_t count = elements_.size();
    return size == 0 ? std::nullopt : at(count == 0 ? 0 : (count - 1) / size * size);
  }

 private:
  using ByPlace = std::optional<Place> Paging::*;

  // The way in which the request names its page, else the ways that it could.
  static ByPlace turns_by(const RequestContext& context) {
    constexpr std::array<ByPlace, 3> kWays{&Paging::offset, &Paging::cursor, &Paging::number};
    const auto& paging = context.binding->list.paging;
    if (!paging) {
      return nullptr;
    }
    for (const ByPlace way : kWays) {
      const auto& place = (*paging).*way;
      if (place && given_value(*place, Scope{context.reading}) != nullptr) {
        return way;
      }
    }
    for (const ByPlace way : {kWays[2], kWays[0], kWays[1]}) {
      if (((*paging).*way).has_value()) {
        return way;
      }
    }
    return nullptr;
  }

  // Nothing where pages cannot be asked for by what comes before them.
  std::optional<std::string> at(std::size_t start) const {
    if (turns_by_ == nullptr || turns_by_ == &Paging::cursor || page_.size == 0) {
      return std::nullopt;
    }
    const auto size = static_cast<std::size_t>(page_.size);
    const auto index = static_cast<std::int64_t>(start / size);
    return of(turns_by_ == &Paging::offset
                  ? std::to_string(start)
                  : std::to_string(context_.binding->list.paging->first + index));
  }

  std::optional<std::string> of(const std::string& page) const {
    const Place& place = *((*context_.binding->list.paging).*turns_by_);
    if (place.root != Place::Root::kQuery || place.tokens.size() != 1) {
      return std::nullopt;
    }
    const std::string& name = place.tokens.front();
    std::string query;
    const auto add = [&query](const std::string& given, std::string_view value) {
      query += (query.empty() ? "?" : "&") + spec::text::percent_encode(given) + '=';
      query += value;
    };
    for (const auto& pair : spec::http::split_form(spec::http::query_of(context_.request.target))) {
      if (pair.name != name) {
        add(pair.name, pair.value);
      }
    }
    add(name, spec::text::percent_encode(page));
    return reply::own_address(context_.request, context_.scheme) + std::string(context_.prefix) +
           std::string(context_.path) + query;
  }

  const RequestContext& context_;
  const Elements& elements_;
  const Page& page_;
  const ByPlace turns_by_;
};

json or_null(std::optional<std::string> url) {
  return url ? json(std::move(*url)) : json(nullptr);
}

// A list of one page has no links, unless it `must` have some.
// Source: RFC 8288 §3.
json links(const PageUrls& urls, bool must) {
  std::string text;
  const auto add = [&text](std::string_view relation, const std::optional<std::string>& url) {
    if (url) {
      text += (text.empty() ? "<" : ", <") + *url + ">; rel=\"" + std::string(relation) + '"';
    }
  };
  const auto next = urls.next();
  const auto previous = urls.previous();
  add("next", next);
  add("prev", previous);
  if (next || previous || must) {
    add("first", urls.first());
    add("last", urls.last());
  }
  return text.empty() ? json(nullptr) : json(std::move(text));
}

// The value for a page that does not exist: "" if the contract demands a text, else null.
json no_page(const RequestContext& context, const api::TotalPlace& total) {
  const auto& contract = context.api.contract;
  const auto response =
      api::response_schema(contract, *context.operation, context.operation->success_status());
  if (!response || total.at.empty()) {
    return nullptr;
  }
  std::vector<std::string> outer = total.at;
  const std::string name = outer.back();
  outer.pop_back();
  const auto schemas = api::schemas_at(contract, {response->id}, outer);
  const auto member = api::schemas_at(contract, {response->id}, total.at);
  if (schemas.empty() || member.empty()) {
    return nullptr;
  }
  const auto& required = contract.summaries().summary_of(schemas).required;
  const bool is_required = std::ranges::find(required, name) != required.end();
  return is_required && !contract.summaries().summary_of(member).nullable ? json("")
                                                                          : json(nullptr);
}

// A list: all of its elements, the page that is sent, and the URLs of others.
struct List {
  const Elements& elements;
  const Page& page;
  const PageUrls& urls;
};

bool is_required_header(const RequestContext& context, const std::string& name) {
  const auto* const declared = context.operation->response(context.operation->success_status());
  const auto* const header = declared != nullptr ? declared->header(name) : nullptr;
  return header != nullptr && header->required;
}

// The key of the record there, if it is on the page.
json key_or_null(const RequestContext& context, const List& list, std::size_t index) {
  const bool is_there = list.page.end > list.page.start;
  const json* const key = is_there ? key_of_shown(context, list.elements[index]) : nullptr;
  return key != nullptr ? *key : json(nullptr);
}

json value_of_total(const RequestContext& context, const api::TotalPlace& place, const List& list) {
  const auto& [elements, page, urls] = list;
  const std::int64_t size = std::max<std::int64_t>(page.size, 1);
  const auto count = static_cast<std::int64_t>(elements.size());
  switch (place.is) {
    case Total::kCount: return count;
    case Total::kPages: return count == 0 ? 0 : (count - 1) / size + 1;
    case Total::kPage: return page.number;
    case Total::kOffset: return page.start;
    case Total::kSize: return page.size;
    case Total::kMore: return page.is_backward ? page.start > 0 : page.end < elements.size();
    case Total::kNext: return next_cursor(context, elements, page);
    case Total::kShown: return page.end - page.start;
    case Total::kIsFirst: return page.start == 0;
    case Total::kIsLast: return page.end >= elements.size();
    case Total::kIsEmpty: return page.end == page.start;
    case Total::kNextUrl: return or_null(urls.next());
    case Total::kPreviousUrl: return or_null(urls.previous());
    case Total::kFirstUrl: return or_null(urls.first());
    case Total::kLastUrl: return or_null(urls.last());
    case Total::kFirstKey: return key_or_null(context, list, page.start);
    case Total::kLastKey: return key_or_null(context, list, page.end - 1);
    case Total::kLinks: return links(urls, is_required_header(context, place.header));
  }
  return nullptr;
}

}  // namespace

Page choose_page(const RequestContext& context, const Elements& elements, const Scope& scope) {
  const auto& paging = context.binding->list.paging;
  const auto total = static_cast<std::int64_t>(elements.size());
  if (!paging) {
    return {0, elements.size(), total, 1};
  }
  Page page;
  page.size = std::max<std::int64_t>(integer_or(paging->size, scope, paging->default_size), 0);
  page.number = integer_or(paging->number, scope, paging->default_number);
  // Unsigned, because two numbers of a request and a binding may be further apart than int64 holds.
  const std::uint64_t index =
      page.number <= paging->first
          ? 0
          : static_cast<std::uint64_t>(page.number) - static_cast<std::uint64_t>(paging->first);
  const bool is_within = page.size > 0 && index <= static_cast<std::uint64_t>(total / page.size);
  std::int64_t length = page.size;
  std::int64_t start = is_within ? static_cast<std::int64_t>(index) * page.size : total;
  if (paging->offset && given_value(*paging->offset, scope) != nullptr) {
    start = integer_or(paging->offset, scope, 0);
  } else if (const json* const cursor =
                 paging->cursor ? given_value(*paging->cursor, scope) : nullptr) {
    start = static_cast<std::int64_t>(after_cursor(context, elements, *cursor));
  } else if (const json* const before =
                 paging->before ? given_value(*paging->before, scope) : nullptr) {
    const auto after = static_cast<std::int64_t>(after_cursor(context, elements, *before));
    length = std::min(page.size, std::max<std::int64_t>(after - 1, 0));
    start = after - 1 - length;
    page.is_backward = true;
  }
  start = std::clamp<std::int64_t>(start, 0, total);
  if (!paging->number) {
    page.number = start / std::max<std::int64_t>(page.size, 1) + 1;
  }
  page.start = static_cast<std::size_t>(start);
  page.end = static_cast<std::size_t>(start + std::min(length, total - start));
  return page;
}

json page_of(const Elements& elements, const Page& page) {
  json part = json::array();
  for (std::size_t index = page.start; index < page.end; ++index) {
    part.push_back(*elements[index]);
  }
  return part;
}

void add_totals(const RequestContext& context, const Elements& elements, const Page& page,
                ShownBody& shown) {
  const PageUrls urls(context, elements, page);
  for (const api::TotalPlace& total : context.binding->list.totals) {
    json value = value_of_total(context, total, {elements, page, urls});
    if (value.is_null()) {
      value = no_page(context, total);
    }
    if (total.header.empty()) {
      api::set_at(shown.body, total.at, std::move(value));
    } else if (!value.is_null()) {
      shown.headers.set(total.header, api::plain_text(value));
    } else if (!is_required_header(context, total.header)) {
      shown.left_out.push_back(total.header);
    }
  }
}

void warn_of_unplayed(RequestContext& context) {
  const api::Binding& binding = *context.binding;
  const api::ListPlan& plan = binding.list;
  std::vector<const api::Place*> played;
  const auto add = [&played](const std::optional<api::Place>& place) {
    if (place) {
      played.push_back(&*place);
    }
  };
  for (const auto* const place : {&plan.sort, &plan.direction, &binding.key}) {
    add(*place);
  }
  if (plan.paging) {
    for (const auto way : {&api::Paging::size, &api::Paging::number, &api::Paging::offset,
                           &api::Paging::cursor, &api::Paging::before}) {
      add((*plan.paging).*way);
    }
  }
  for (const api::Filter& filter : plan.filters) {
    played.push_back(&filter.given);
  }
  for (const api::Within& within : binding.within) {
    played.push_back(&within.given);
  }
  for (const auto& parameter : context.operation->parameters) {
    const bool is_given = parameter.location == spec::contract::Location::kQuery &&
                          !parameter.required && context.reading.query.contains(parameter.name);
    if (is_given && !asks_to_expand(spec::text::plain_name(parameter.name)) &&
        std::ranges::none_of(played, [&](const api::Place* place) {
          return place->root == api::Place::Root::kQuery && !place->tokens.empty() &&
                 place->tokens.front() == parameter.name;
        })) {
      context.warnings.push_back(reply::header_text("not played: query/" + parameter.name));
    }
  }
}

}  // namespace mock_server::service::responses
