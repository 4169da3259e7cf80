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

// "filter[price][gte]" without brackets, and without a first word "filter".
std::vector<std::string> names_in_brackets(std::string_view name) {
  std::vector<std::string> names{std::string(name.substr(0, name.find('[')))};
  for (std::size_t at = name.find('['); at != std::string_view::npos; at = name.find('[', at + 1)) {
    const std::size_t end = std::min(name.find(']', at), name.size());
    names.emplace_back(name.substr(at + 1, end - at - 1));
  }
  if (names.size() > 1 && is_word_for_filters(text::plain_name(names.front()))) {
    names.erase(names.begin());
  }
  return names;
}

void add_query_values(const Contract& contract, const Parameter& parameter,
                      std::vector<QueryValue>& all) {
  const Schemas own{*parameter.schema};
  const auto& members = contract.possible_summaries().summary_of(own).properties;
  const bool has_own_names = parameter.style == Style::kForm && parameter.explode;
  for (const auto& [member, inner] : members) {
    const std::string name = has_own_names ? member : parameter.name + '[' + member + ']';
    all.push_back({names_in_brackets(name), name, pointer_of({"query", parameter.name, member}),
                   inner, &parameter});
  }
  if (members.empty() || !summary_of(contract, own).is_object()) {
    all.push_back({names_in_brackets(parameter.name), parameter.name,
                   pointer_of({"query", parameter.name}), own, &parameter});
  }
}

// The number of the first page: the default, else the minimum, else 1.
std::int64_t first_page(const Contract& contract, const QueryValue& value) {
  const Summary& summary = summary_of(contract, value.schemas);
  const auto minimum =
      summary.minimum ? static_cast<std::int64_t>(*summary.minimum) : std::int64_t{1};
  return default_of(contract, value).value_or(minimum) == 0 ? 0 : 1;
}

void add_paging(const Contract& contract, const QueryValue& value, ListWord word,
                ordered_json& paging) {
  if (word == ListWord::kCursor) {
    paging["cursor"] = value.place;
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
    paging["first"] = first_page(contract, value);
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
  const auto words = comparison_words();
  const auto word = std::ranges::find(words, text::plain_name(names.back()), &ComparisonWord::word);
  if (names.size() != 2 || word == words.end() || word->in_brackets.empty()) {
    return false;
  }
  filter.at = member_called(contract, record, text::plain_name(names.front()));
  filter.is = word->in_brackets;
  filter.word = word->word;
  return !filter.at.empty();
}

// True if there is a value that means every record.
bool has_word_for_all(const Contract& contract, const QueryValue& value) {
  const auto listed = summary_of(contract, value.schemas).listed;
  return std::ranges::any_of(listed, [](const schema::ConstantSet* values) {
    return values->contains("all") || values->contains("any");
  });
}

bool find_filter(const Contract& contract, const Schemas& record, ListFilter& filter) {
  if (filter.value.names.size() > 1) {
    return find_comparison(contract, record, filter);
  }
  const std::string plain = text::plain_name(filter.value.names.front());
  filter.at = scalar_place(contract, record, {}, plain);
  filter.is = "equal";
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

bool is_paged_by_number(ListWord word) {
  return word == ListWord::kSize || word == ListWord::kNumber || word == ListWord::kOffset;
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
    const bool takes_all = has_word_for_all(contract, value);
    if (word == ListWord::kSearch || word == ListWord::kNone) {
      ListFilter filter{
          .value = std::move(value), .at = {}, .is = {}, .word = {}, .takes_all = takes_all};
      if (find_filter(contract, plan.record, filter)) {
        plan.filters.push_back(std::move(filter));
      }
      continue;
    }
    if (word == ListWord::kSort && plan.value_of(word) != nullptr) {
      word = ListWord::kDirection;
    }
    const bool is_usable =
        !is_paged_by_number(word) || summary_of(contract, value.schemas).is_number();
    if (!takes_all && is_usable && plan.value_of(word) == nullptr) {
      plan.words.emplace_back(word, std::move(value));
    }
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
      add_paging(contract, value, word, paging);
    }
  }
  for (const ListFilter& filter : plan.filters) {
    if (!filter.takes_all) {
      filters.push_back({{"given", filter.value.place}, {"at", filter.at}, {"is", filter.is}});
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

// The word for a list's member of that name and schema; "" if it has none. A text is the cursor of
// the next page or, by its format, its URL.
std::string_view total_of(const Summary& summary, const std::string& plain) {
  const std::string_view word = total_word(plain);
  if (summary.is_boolean()) {
    return word == "more" || word.starts_with("is_") ? word : "";
  }
  if (summary.is_string()) {
    const bool is_url = summary.format.starts_with("uri") || summary.format.starts_with("iri");
    const bool is_cursor = word == "next" && summary.format.empty() && plain != "next";
    return is_url ? url_word(word) : is_cursor ? word : "";
  }
  const bool is_other = word == "more" || word == "next" || word.starts_with("is_");
  return summary.is_number() && !is_other && !word.ends_with("_url") ? word : "";
}

void add_totals(const Contract& contract, const schema::Schemas& body,
                const std::vector<std::string>& outer, ListPlan& plan) {
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const Summary& summary = summary_of(contract, inner);
    const std::string plain = text::plain_name(member);
    const std::string_view word = total_of(summary, plain);
    std::vector<std::string> at = outer;
    at.push_back(member);
    if (plan.next.empty() && leads_to_next(plain) && !summary.is_boolean()) {
      const bool is_link = summary.property("href") != nullptr;
      plan.next = pointer_of(at) + (is_link ? "/href" : "");
    }
    if (!word.empty() && plan.total(word).empty()) {
      plan.totals.emplace_back(word, pointer_of(at));
    } else if (outer.empty() && summary.is_object()) {
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
  return total_of(summary_of(contract, {*header.schema}), plain);
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
