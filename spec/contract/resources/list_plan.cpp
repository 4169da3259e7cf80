#include "spec/contract/resources/list_plan.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/constants.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace spec::contract::resources {
namespace {

using json::pointer_of;
using nlohmann::ordered_json;
using schema::Schemas;
using schema::Summary;

constexpr std::int64_t kMaxDefaultSize = 100;

// "price_gt" as "price", "gt": words of comparison that other names end with, too.
void split_comparison(std::vector<std::string>& names) {
  const std::string last = names.back();
  const std::size_t at = last.rfind('_');
  const auto* const word =
      find_comparison_word(at == std::string::npos ? "" : text::plain_name(last.substr(at)));
  if (word != nullptr && word->in_name.empty() && at > 0) {
    names.back().resize(at);
    names.emplace_back(word->word);
  }
}

// "filter[price][gte]", "price.gte" and "price__gte" in parts, without a first word "filter".
std::vector<std::string> parts_of_name(std::string_view name) {
  std::vector<std::string> names(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_double = name.substr(i, 2) == "__";
    if (name[i] == '[' || name[i] == '.' || is_double) {
      names.emplace_back();
      i += is_double ? 1 : 0;
    } else if (name[i] != ']') {
      names.back() += name[i];
    }
  }
  if (names.size() > 1 && is_word_for_filters(text::plain_name(names.front()))) {
    names.erase(names.begin());
  }
  split_comparison(names);
  return names;
}

void add_query_values(const Contract& contract, const Parameter& parameter,
                      std::vector<QueryValue>& all) {
  const Schemas own{*parameter.schema};
  const auto& members = contract.possible_summaries().summary_of(own).properties;
  const bool has_own_names = parameter.style == Style::kForm && parameter.explode;
  for (const auto& [member, inner] : members) {
    const std::string name = has_own_names ? member : parameter.name + '[' + member + ']';
    all.push_back({parts_of_name(name), name, pointer_of({"query", parameter.name, member}), inner,
                   &parameter});
  }
  if (members.empty() || !summary_of(contract, own).is_object()) {
    all.push_back({parts_of_name(parameter.name), parameter.name,
                   pointer_of({"query", parameter.name}), own, &parameter});
  }
}

// True for a page as Spring Data sends it, whose `number` counts from 0.
bool is_spring_page(const ListPlan& plan) {
  return plan.total("count").ends_with("/totalElements") && plan.total("page").ends_with("/number");
}

// The number of the first page: the default, else the minimum, else 1.
std::int64_t first_page(const Contract& contract, const ListPlan& plan, const QueryValue& value) {
  const Summary& summary = summary_of(contract, value.schemas);
  const auto minimum = summary.minimum ? static_cast<std::int64_t>(*summary.minimum)
                                       : std::int64_t{is_spring_page(plan) ? 0 : 1};
  return default_of(contract, value).value_or(minimum) == 0 ? 0 : 1;
}

void add_paging(const Contract& contract, const ListPlan& plan, ListWord word,
                ordered_json& paging) {
  const QueryValue& value = *plan.value_of(word);
  if (word == ListWord::kCursor || word == ListWord::kBefore) {
    paging[word == ListWord::kCursor ? "cursor" : "before"] = value.place;
  } else if (word == ListWord::kSize) {
    const auto maximum = summary_of(contract, value.schemas).maximum;
    paging["size"] = value.place;
    const std::int64_t max_size =
        maximum && *maximum < static_cast<double>(kMaxDefaultSize)
            ? std::max<std::int64_t>(static_cast<std::int64_t>(*maximum), 1)
            : kMaxDefaultSize;
    paging["default_size"] =
        std::max<std::int64_t>(default_of(contract, value).value_or(max_size), 1);
  } else if (word == ListWord::kNumber) {
    paging["number"] = value.place;
    paging["first"] = first_page(contract, plan, value);
  } else if (word == ListWord::kOffset) {
    paging["offset"] = value.place;
  }
}

// True if values may be scalars or lists of them: also as one shape of several, "the key of a
// customer, or the customer".
bool may_be_scalar(const Contract& contract, const Schemas& schemas) {
  constexpr auto kScalars = static_cast<schema::TypeSet>(
      schema::kStringType | schema::kIntegerType | schema::kNumberType | schema::kBooleanType);
  const Summary& own = summary_of(contract, schemas);
  if (!is_choice(contract, schemas)) {
    const bool is_listed = !own.listed.empty() && own.properties.empty();  // enum, const
    const bool is_list = !own.elements.empty() && summary_of(contract, own.elements).is_scalar();
    return own.is_scalar() || is_listed || is_list;
  }
  const auto& program = contract.schemas().program();
  return std::ranges::all_of(schemas, [&](schema::SchemaId id) {
    const schema::TypeSet types = schema::possible_types(program, id);
    return types != schema::kEveryType && (types & kScalars) != 0;
  });
}

// The place of the member of that plain name that may be a scalar; "" if there is none.
std::string scalar_place(const Contract& contract, const Schemas& schemas,
                         const std::vector<std::string>& outer, const std::string& plain) {
  for (const auto& [member, inner] : summary_of(contract, schemas).properties) {
    std::vector<std::string> at = outer;
    at.push_back(member);
    if (text::plain_name(member) == plain && may_be_scalar(contract, inner)) {
      return pointer_of(at);
    }
    if (outer.empty() && is_word_for_members(text::plain_name(member))) {
      if (std::string place = scalar_place(contract, inner, at, plain); !place.empty()) {
        return place;
      }
    }
  }
  return "";
}

// "created_after" is a bound of "created_at" or "created", "min_price" of "price".
bool find_bound(const Contract& contract, const Schemas& record, const std::string& plain,
                ListFilter& filter) {
  for (const auto& [word, in_brackets, is] : comparison_words()) {
    std::string rest;
    if (is.empty()) {
      continue;
    }
    if (plain.ends_with(word)) {
      rest = plain.substr(0, plain.size() - word.size());
    } else if (plain.starts_with(word)) {
      rest = plain.substr(word.size());
    } else {
      continue;
    }
    if (std::string place = member_called(contract, record, rest); !place.empty()) {
      filter.at = std::move(place);
      filter.is = is;
      filter.word = word;
      return true;
    }
  }
  return false;
}

// "created[gte]".
bool find_comparison(const Contract& contract, const Schemas& record, ListFilter& filter) {
  const auto& names = filter.value.names;
  const auto* const word = find_comparison_word(text::plain_name(names.back()));
  if (names.size() != 2 || word == nullptr || word->in_brackets.empty()) {
    return false;
  }
  filter.at = member_called(contract, record, text::plain_name(names.front()));
  filter.is = word->in_brackets;
  filter.word = word->word;
  return !filter.at.empty();
}

// The values that mean every record.
std::vector<std::string> words_for_all(const Contract& contract, const QueryValue& value) {
  std::vector<std::string> found;
  for (const schema::ConstantSet* const values : summary_of(contract, value.schemas).listed) {
    for (const char* const word : {"all", "any"}) {
      if (values->contains(word)) {
        found.emplace_back(word);
      }
    }
  }
  return found;
}

// "address.city" of a record with the city in its address.
std::string place_inside(const Contract& contract, const Schemas& record,
                         const std::vector<std::string>& names) {
  const auto& members = summary_of(contract, record).properties;
  const auto outer = std::ranges::find(members, text::plain_name(names.front()),
                                       [](const auto& one) { return text::plain_name(one.first); });
  return outer == members.end() || names.size() != 2
             ? ""
             : scalar_place(contract, outer->second, {outer->first}, text::plain_name(names[1]));
}

bool find_filter(const Contract& contract, const Schemas& record, ListFilter& filter) {
  filter.is = "equal";
  if (filter.value.names.size() > 1) {
    filter.at = place_inside(contract, record, filter.value.names);
    return !filter.at.empty() || find_comparison(contract, record, filter);
  }
  const std::string plain = text::plain_name(filter.value.names.front());
  const bool is_list = !summary_of(contract, filter.value.schemas).elements.empty();
  for (const std::string_view start : {"", "filterby", "filter", "by"}) {
    if (filter.at.empty() && plain.size() > start.size() && plain.starts_with(start)) {
      filter.at = scalar_place(contract, record, {}, plain.substr(start.size()));
    }
  }
  if (filter.at.empty() && is_list && plain.ends_with('s')) {  // "ids"
    filter.at = scalar_place(contract, record, {}, plain.substr(0, plain.size() - 1));
  }
  if (!filter.at.empty() || find_bound(contract, record, plain, filter)) {
    return true;
  }
  filter.is = "contains";
  return list_word(plain) == ListWord::kSearch;
}

// "page[size]" is one word for pages.
ListWord word_of(const QueryValue& value) {
  std::string plain;
  for (const std::string& name : value.names) {
    plain += text::plain_name(name);
  }
  return list_word(plain);
}

// True if values of the parameter may be what its name says: `size` may be one of S, M and L, and
// `before` a time. Sizes and offsets may be texts: "20".
bool is_usable(const Contract& contract, ListWord word, const QueryValue& value,
               const Schemas& record) {
  const Summary& summary = summary_of(contract, value.schemas);
  const bool is_text =
      summary.is_string() && summary.listed.empty() && !summary.format.starts_with("date");
  switch (word) {
    case ListWord::kSize:
    case ListWord::kNumber:
    case ListWord::kOffset:
      return summary.is_number() ||
             (is_text &&
              scalar_place(contract, record, {}, text::plain_name(value.names.back())).empty());
    case ListWord::kCursor:
    case ListWord::kBefore: return !summary.format.starts_with("date") && !summary.is_boolean();
    case ListWord::kSearch:
    case ListWord::kNone: return false;
    case ListWord::kSort:
    case ListWord::kDirection: return true;
  }
  return false;
}

// Of two parameters for an order, the second says the direction; but `order` beside `sort` does.
ListWord word_beside_sort(const QueryValue& value, ListPlan& plan) {
  const auto first =
      std::ranges::find(plan.words, ListWord::kSort, &std::pair<ListWord, QueryValue>::first);
  const bool is_turned = first != plan.words.end() && first->second.name.starts_with("order") &&
                         value.name.starts_with("sort");
  if (is_turned) {
    first->first = ListWord::kDirection;
  }
  return first == plan.words.end() || is_turned ? ListWord::kSort : ListWord::kDirection;
}

// A parameter that says nothing of pages, order and filters is left out.
void add_parameters(const Contract& contract, const Operation& operation, ListPlan& plan) {
  std::vector<QueryValue> all;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.location == Location::kQuery && parameter.schema) {
      add_query_values(contract, parameter, all);
    }
  }
  for (QueryValue& value : all) {
    ListWord word = word_of(value);
    auto all_words = words_for_all(contract, value);
    const bool takes_all = !all_words.empty();
    if (!is_usable(contract, word, value, plan.record)) {
      ListFilter filter{
          .value = std::move(value), .at = {}, .is = {}, .word = {}, .all = std::move(all_words)};
      if (find_filter(contract, plan.record, filter)) {
        plan.filters.push_back(std::move(filter));
      }
      continue;
    }
    if (word == ListWord::kSort) {
      word = word_beside_sort(value, plan);
    }
    if (!takes_all && plan.value_of(word) == nullptr) {
      plan.words.emplace_back(word, std::move(value));
    }
  }
  if (plan.value_of(ListWord::kCursor) == nullptr) {
    std::erase_if(plan.words, [](const auto& one) { return one.first == ListWord::kBefore; });
  }
}

// Adds "filters", "sort", "direction" and "paging".
void add_parameters_to_entry(const Contract& contract, const ListPlan& plan, ordered_json& entry) {
  ordered_json filters = ordered_json::array();
  ordered_json paging = ordered_json::object();
  for (const auto& [word, value] : plan.words) {
    if (word == ListWord::kSort || word == ListWord::kDirection) {
      entry[word == ListWord::kSort ? "sort" : "direction"] = value.place;
    } else {
      add_paging(contract, plan, word, paging);
    }
  }
  for (const ListFilter& filter : plan.filters) {
    filters.push_back({{"given", filter.value.place}, {"at", filter.at}, {"is", filter.is}});
    if (!filter.all.empty()) {
      filters.back()["all"] = filter.all;
    }
  }
  if (!filters.empty()) {
    entry["filters"] = std::move(filters);
  }
  if (!paging.empty()) {
    entry["paging"] = std::move(paging);
  }
}

// The word of a text that is a URL, of a boolean, and of neither, for names that may be several.
std::string_view url_word(std::string_view word) {
  for (const auto& [name, url] : {std::pair<std::string_view, std::string_view>{"next", "next_url"},
                                  {"is_first", "first_url"},
                                  {"is_last", "last_url"}}) {
    if (word == name) {
      return url;
    }
  }
  return word.ends_with("_url") ? word : std::string_view{};
}

// The word for a text: the cursor of the next page, or a URL by its format or name. "next" is a
// URL where no request gives a cursor.
std::string_view total_of_text(std::string_view format, const std::string& plain, bool has_cursor) {
  const std::string_view word = total_word(plain);
  const bool is_named = word.ends_with("_url") && plain != "previous" && plain != "prev";
  const bool is_either = plain == "next" || plain == "nextpage" || word == "previous_url";
  const bool is_url = format.starts_with("uri") || format.starts_with("iri") || format == "url" ||
                      is_named || (is_either && format.empty() && !has_cursor);
  const bool is_cursor = (word == "next" || word.ends_with("_id")) && format.empty();
  return is_url ? url_word(word) : is_cursor ? word : "";
}

// The word for a list's member of that name and schema; "" if it has none.
std::string_view total_of(const Summary& summary, const std::string& plain, bool has_cursor) {
  const std::string_view word = total_word(plain);
  if (summary.is_boolean()) {
    return word == "more" || word.starts_with("is_") ? word : "";
  }
  if (summary.is_string()) {
    return total_of_text(summary.format, plain, has_cursor);
  }
  const bool is_other = word == "more" || word == "next" || word.starts_with("is_");
  return summary.is_number() && !is_other && !word.ends_with("_url") ? word : "";
}

void add_totals(const Contract& contract, const schema::Schemas& body,
                const std::vector<std::string>& outer, ListPlan& plan) {
  constexpr std::size_t kMaxDepth = 2;
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const Summary& summary = summary_of(contract, inner);
    const std::string plain = text::plain_name(member);
    const std::string_view word =
        total_of(summary, plain, plan.value_of(ListWord::kCursor) != nullptr);
    std::vector<std::string> at = outer;
    at.push_back(member);
    const bool is_link = summary.property("href") != nullptr;
    const bool is_way = is_link || (!summary.is_boolean() && !summary.is_object());
    if (std::string& way = leads_back(plain) ? plan.previous : plan.next;
        way.empty() && is_way && (leads_to_next(plain) || leads_back(plain))) {
      way = pointer_of(at) + (is_link ? "/href" : "");
    }
    if (!word.empty() && plan.total(word).empty()) {
      plan.totals.emplace_back(word, pointer_of(at));
    } else if (outer.size() < kMaxDepth && summary.is_object()) {
      add_totals(contract, inner, at, plan);
    }
  }
}

// "X-Total-Count" and "Pagination-Limit" as a member would be called; "links" for Link.
std::string_view total_of_header(const Contract& contract, const Parameter& header) {
  std::string plain = text::plain_name(header.name);
  if (plain == "link" || !header.schema) {
    return plain == "link" ? "links" : "";
  }
  for (const std::string_view start : {"x", "pagination"}) {
    if (plain.starts_with(start)) {
      plain.erase(0, start.size());
    }
  }
  return total_of(summary_of(contract, {*header.schema}), plain, true);
}

void add_headers(const Contract& contract, const Operation& operation, ListPlan& plan) {
  if (const auto* const response = success_of(operation)) {
    for (const Parameter& header : response->headers) {
      if (const std::string_view word = total_of_header(contract, header); !word.empty()) {
        plan.headers.emplace_back(header.name, word);
      }
    }
  }
}

void add_names(const std::vector<std::pair<std::string, std::string>>& pairs, const char* key,
               ordered_json& entry) {
  for (const auto& [name, value] : pairs) {
    entry[key][name] = value;
  }
}

}  // namespace

const QueryValue* ListPlan::value_of(ListWord word) const {
  const auto found = std::ranges::find(words, word, &std::pair<ListWord, QueryValue>::first);
  return found == words.end() ? nullptr : &found->second;
}

std::string ListPlan::total(std::string_view word) const {
  const auto found = std::ranges::find(totals, word, &std::pair<std::string, std::string>::first);
  return found == totals.end() ? "" : found->second;
}

std::optional<std::int64_t> default_of(const Contract& contract, const QueryValue& value) {
  return schema::default_integer(contract.schemas().program(), value.schemas);
}

std::string member_called(const Contract& contract, const Schemas& record,
                          const std::string& plain) {
  for (const std::string& name : {plain, plain + "at", plain + "date", plain + "on"}) {
    if (std::string place = plain.empty() ? "" : scalar_place(contract, record, {}, name);
        !place.empty()) {
      return place;
    }
  }
  return "";
}

ListPlan plan_list(const Contract& contract, const Operation& operation, const RecordPlace& list) {
  ListPlan plan;
  plan.into = list.at;
  plan.record = list.schemas;
  add_parameters(contract, operation, plan);
  if (!list.at.empty()) {
    add_totals(contract, response_body(contract, operation), {}, plan);
  }
  add_headers(contract, operation, plan);
  return plan;
}

void add_list_plan(const Contract& contract, const Operation& operation, const RecordPlace& list,
                   ordered_json& entry) {
  const ListPlan plan = plan_list(contract, operation, list);
  entry["into"] = pointer_of(plan.into);
  add_parameters_to_entry(contract, plan, entry);
  add_names(plan.totals, "totals", entry);
  add_names(plan.headers, "headers", entry);
}

}  // namespace spec::contract::resources
