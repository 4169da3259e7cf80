#include "spec/contract/resources/list_plan.hpp"

#include "spec/contract/resources/usual_names.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/constants.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace spec::contract::resources {
namespace {

using json::pointer_of;
using nlohmann::ordered_json;
using schema::Schemas;
using schema::Summary;

constexpr std::int64_t kMaxDefaultSize = 100;

// One value that a request can give: a parameter, or a member of one that is an object.
struct QueryValue {
  std::vector<std::string> names;  // "created[gte]" is created, gte
  std::string place;               // "/query/created/gte"
  Schemas schemas;
};

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
    all.push_back({names_in_brackets(name), pointer_of({"query", parameter.name, member}), inner});
  }
  if (members.empty() || !summary_of(contract, own).is_object()) {
    all.push_back({names_in_brackets(parameter.name), pointer_of({"query", parameter.name}), own});
  }
}

std::optional<std::int64_t> default_of(const Contract& contract, const QueryValue& value) {
  return schema::default_integer(contract.schemas().program(), value.schemas);
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
  const Summary& summary = summary_of(contract, value.schemas);
  if (word == ListWord::kCursor && !paging.contains("cursor")) {
    paging["cursor"] = value.place;
  }
  if (!summary.is_number()) {
    return;
  }
  if (word == ListWord::kSize && !paging.contains("size")) {
    const auto maximum = summary.maximum;
    paging["size"] = value.place;
    const std::int64_t max_size =
        maximum && *maximum < static_cast<double>(kMaxDefaultSize)
            ? std::max<std::int64_t>(static_cast<std::int64_t>(*maximum), 1)
            : kMaxDefaultSize;
    paging["default_size"] =
        std::max<std::int64_t>(default_of(contract, value).value_or(max_size), 1);
  } else if (word == ListWord::kNumber && !paging.contains("number")) {
    paging["number"] = value.place;
    paging["first"] = first_page(contract, value);
  } else if (word == ListWord::kOffset && !paging.contains("offset")) {
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

// A bound of "created" may be one of "created_at".
std::string bounded_place(const Contract& contract, const RecordPlace& list,
                          const std::string& plain) {
  for (const std::string& name : {plain, plain + "at", plain + "date", plain + "on"}) {
    if (std::string place = plain.empty() ? "" : scalar_place(contract, list.schemas, {}, name);
        !place.empty()) {
      return place;
    }
  }
  return "";
}

// "created_after" is a bound of "created_at" or "created", "min_price" of "price".
ordered_json bound_of(const Contract& contract, const RecordPlace& list, const std::string& plain) {
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
    if (const std::string place = bounded_place(contract, list, rest); !place.empty()) {
      return {{"at", place}, {"is", is}};
    }
  }
  return nullptr;
}

// "created[gte]"; null for anything else.
ordered_json comparison_of(const Contract& contract, const RecordPlace& list,
                           const QueryValue& value) {
  const auto words = comparison_words();
  const auto word =
      std::ranges::find(words, text::plain_name(value.names.back()), &ComparisonWord::word);
  const std::string_view is = word == words.end() ? std::string_view{} : word->in_brackets;
  const std::string place =
      is.empty() ? "" : bounded_place(contract, list, text::plain_name(value.names.front()));
  return place.empty() ? ordered_json(nullptr) : ordered_json{{"at", place}, {"is", is}};
}

// True if there is a value that means every record.
bool has_word_for_all(const Contract& contract, const QueryValue& value) {
  const auto listed = summary_of(contract, value.schemas).listed;
  return std::ranges::any_of(listed, [](const schema::ConstantSet* values) {
    return values->contains("all") || values->contains("any");
  });
}

ordered_json filter_of(const Contract& contract, const QueryValue& value, const RecordPlace& list) {
  if (value.names.size() > 1) {
    return value.names.size() == 2 ? comparison_of(contract, list, value) : ordered_json(nullptr);
  }
  const std::string plain = text::plain_name(value.names.front());
  if (const std::string place = scalar_place(contract, list.schemas, {}, plain); !place.empty()) {
    return {{"at", place}, {"is", "equal"}};
  }
  if (ordered_json bound = bound_of(contract, list, plain); !bound.is_null()) {
    return bound;
  }
  return list_word(plain) == ListWord::kSearch ? ordered_json{{"at", ""}, {"is", "contains"}}
                                               : ordered_json(nullptr);
}

void add_filter(const Contract& contract, const QueryValue& value, const RecordPlace& list,
                ordered_json& filters) {
  const ordered_json found = filter_of(contract, value, list);
  if (!found.is_null()) {
    ordered_json filter{{"given", value.place}};
    filter.update(found);
    filters.push_back(std::move(filter));
  }
}

// "page[size]" is one word for pages.
ListWord word_of(const QueryValue& value) {
  std::string plain;
  for (const std::string& name : value.names) {
    plain += text::plain_name(name);
  }
  return list_word(plain);
}

// Adds "filters", "sort", "direction" and "paging". A parameter that says nothing of these is left
// out.
void add_list_parameters(const Contract& contract, const Operation& operation,
                         const RecordPlace& list, ordered_json& entry) {
  std::vector<QueryValue> all;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.location == Location::kQuery && parameter.schema) {
      add_query_values(contract, parameter, all);
    }
  }
  ordered_json filters = ordered_json::array();
  ordered_json paging = ordered_json::object();
  for (const QueryValue& value : all) {
    if (has_word_for_all(contract, value)) {
      continue;
    }
    const ListWord word = word_of(value);
    switch (word) {
      case ListWord::kSize:
      case ListWord::kNumber:
      case ListWord::kOffset:
      case ListWord::kCursor: add_paging(contract, value, word, paging); break;
      case ListWord::kSort:
        entry[entry.contains("sort") ? "direction" : "sort"] = value.place;
        break;
      case ListWord::kDirection: entry["direction"] = value.place; break;
      case ListWord::kSearch:
      case ListWord::kNone: add_filter(contract, value, list, filters); break;
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
                const std::vector<std::string>& outer, ordered_json& totals) {
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const Summary& summary = summary_of(contract, inner);
    const std::string_view word = total_of(summary, text::plain_name(member));
    std::vector<std::string> at = outer;
    at.push_back(member);
    if (!word.empty() && !totals.contains(word)) {
      totals[std::string(word)] = pointer_of(at);
    } else if (outer.empty() && summary.is_object()) {
      add_totals(contract, inner, at, totals);
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

void add_headers(const Contract& contract, const Operation& operation, ordered_json& entry) {
  ordered_json headers = ordered_json::object();
  if (const auto* const response = success_of(operation)) {
    for (const Parameter& header : response->headers) {
      if (const std::string_view word = total_of_header(contract, header); !word.empty()) {
        headers[header.name] = word;
      }
    }
  }
  if (!headers.empty()) {
    entry["headers"] = std::move(headers);
  }
}

}  // namespace

void add_list_plan(const Contract& contract, const Operation& operation, const RecordPlace& list,
                   ordered_json& entry) {
  entry["into"] = pointer_of(list.at);
  add_list_parameters(contract, operation, list, entry);
  if (!list.at.empty()) {
    ordered_json totals = ordered_json::object();
    add_totals(contract, response_body(contract, operation), {}, totals);
    if (!totals.empty()) {
      entry["totals"] = std::move(totals);
    }
  }
  add_headers(contract, operation, entry);
}

}  // namespace spec::contract::resources
