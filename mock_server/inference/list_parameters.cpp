#include "mock_server/inference/list_parameters.hpp"

#include "mock_server/inference/names.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/constants.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace mock_server::inference {
namespace {

using nlohmann::ordered_json;
using spec::contract::Contract;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Parameter;
using spec::contract::Style;
using spec::schema::Schemas;
using spec::schema::Summary;

constexpr std::int64_t kMaxDefaultSize = 100;

// One value that a request can give: a parameter, or a member of one that is an object.
struct Asked {
  std::vector<std::string> names;  // "created[gte]" is created, gte
  std::string place;               // "/query/created/gte"
  Schemas schemas;
};

// "filter[price][gte]" without brackets, and without a first word that only says "filter".
std::vector<std::string> names_in_brackets(std::string_view name) {
  std::vector<std::string> names{std::string(name.substr(0, name.find('[')))};
  for (std::size_t at = name.find('['); at != std::string_view::npos; at = name.find('[', at + 1)) {
    const std::size_t end = std::min(name.find(']', at), name.size());
    names.emplace_back(name.substr(at + 1, end - at - 1));
  }
  if (names.size() > 1 && is_word_for_filters(plain_name(names.front()))) {
    names.erase(names.begin());
  }
  return names;
}

void add_asked(const Contract& contract, const Parameter& parameter, std::vector<Asked>& all) {
  const Schemas own{*parameter.schema};
  const auto& members = contract.possible_summaries().of(own).properties;
  const bool has_own_names = parameter.style == Style::kForm && parameter.explode;
  for (const auto& [member, inner] : members) {
    const std::string name = has_own_names ? member : parameter.name + '[' + member + ']';
    all.push_back({names_in_brackets(name), pointer_to({"query", parameter.name, member}), inner});
  }
  if (members.empty() || !summary_of(contract, own).is_object()) {
    all.push_back({names_in_brackets(parameter.name), pointer_to({"query", parameter.name}), own});
  }
}

std::optional<std::int64_t> default_of(const Contract& contract, const Asked& asked) {
  const auto& program = contract.schemas().program();
  for (const auto schema : asked.schemas) {
    for (const auto id : spec::schema::applicable(program, schema, spec::schema::Reach::kCertain)) {
      if (const auto found = spec::schema::keyword_value(program, id, "default");
          found.is_number()) {
        return spec::json::to_int64(found.value());
      }
    }
  }
  return std::nullopt;
}

// The number of the first page: the default, else the minimum, else 1.
std::int64_t first_page(const Contract& contract, const Asked& asked) {
  const Summary& summary = summary_of(contract, asked.schemas);
  const auto minimum =
      summary.minimum ? static_cast<std::int64_t>(*summary.minimum) : std::int64_t{1};
  return default_of(contract, asked).value_or(minimum) == 0 ? 0 : 1;
}

void add_paging(const Contract& contract, const Asked& asked, ListWord word, ordered_json& paging) {
  const Summary& summary = summary_of(contract, asked.schemas);
  if (word == ListWord::kCursor && !paging.contains("cursor")) {
    paging["cursor"] = asked.place;
  }
  if (!summary.is_number()) {
    return;
  }
  if (word == ListWord::kSize && !paging.contains("size")) {
    const auto maximum = summary.maximum;
    paging["size"] = asked.place;
    paging["default_size"] = maximum && *maximum < static_cast<double>(kMaxDefaultSize)
                                 ? std::max<std::int64_t>(static_cast<std::int64_t>(*maximum), 1)
                                 : kMaxDefaultSize;
  } else if (word == ListWord::kNumber && !paging.contains("number")) {
    paging["number"] = asked.place;
    paging["first"] = first_page(contract, asked);
  } else if (word == ListWord::kOffset && !paging.contains("offset")) {
    paging["offset"] = asked.place;
  }
}

// Whether values may be scalars or lists of them: also as one shape of several, "the key of a
// customer, or the customer".
bool may_be_scalar(const Contract& contract, const Schemas& schemas) {
  constexpr auto kScalars =
      static_cast<spec::schema::TypeSet>(spec::schema::kStringType | spec::schema::kIntegerType |
                                         spec::schema::kNumberType | spec::schema::kBooleanType);
  const Summary& own = summary_of(contract, schemas);
  if (!is_choice(contract, schemas)) {
    const bool is_listed = !own.listed.empty() && own.properties.empty();  // enum, const
    const bool is_list = !own.elements.empty() && summary_of(contract, own.elements).is_scalar();
    return own.is_scalar() || is_listed || is_list;
  }
  const auto& program = contract.schemas().program();
  return std::ranges::all_of(schemas, [&](spec::schema::SchemaId id) {
    const spec::schema::TypeSet types = spec::schema::possible_types(program, id);
    return types != spec::schema::kEveryType && (types & kScalars) != 0;
  });
}

// Where the schemas have a member of that plain name that may be a scalar; "" for nowhere.
std::string scalar_place(const Contract& contract, const Schemas& schemas,
                         const std::vector<std::string>& outer, const std::string& plain) {
  for (const auto& [member, inner] : summary_of(contract, schemas).properties) {
    std::vector<std::string> at = outer;
    at.push_back(member);
    if (plain_name(member) == plain && may_be_scalar(contract, inner)) {
      return pointer_to(at);
    }
    if (outer.empty() && is_word_for_members(plain_name(member))) {
      if (std::string place = scalar_place(contract, inner, at, plain); !place.empty()) {
        return place;
      }
    }
  }
  return "";
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kBounds{
    {{"after", "at_or_after"},
     {"since", "at_or_after"},
     {"from", "at_or_after"},
     {"start", "at_or_after"},
     {"gte", "at_or_after"},
     {"min", "at_or_after"},
     {"before", "at_or_before"},
     {"until", "at_or_before"},
     {"to", "at_or_before"},
     {"end", "at_or_before"},
     {"lte", "at_or_before"},
     {"max", "at_or_before"},
     {"minimum", "at_or_after"},
     {"maximum", "at_or_before"},
     {"gteq", "at_or_after"},
     {"lteq", "at_or_before"}}};

// A bound of "created" may be one of "created_at".
std::string bounded_place(const Contract& contract, const Found& list, const std::string& plain) {
  for (const std::string& name : {plain, plain + "at", plain + "date", plain + "on"}) {
    if (std::string place = plain.empty() ? "" : scalar_place(contract, list.schemas, {}, name);
        !place.empty()) {
      return place;
    }
  }
  return "";
}

// "created_after" is a bound of "created_at" or "created", "min_price" of "price".
ordered_json bound_of(const Contract& contract, const Found& list, const std::string& plain) {
  for (const auto& [word, is] : kBounds) {
    std::string rest;
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
ordered_json comparison_of(const Contract& contract, const Found& list, const Asked& asked) {
  const std::string_view is = comparison_word(plain_name(asked.names.back()));
  const std::string place =
      is.empty() ? "" : bounded_place(contract, list, plain_name(asked.names.front()));
  return place.empty() ? ordered_json(nullptr) : ordered_json{{"at", place}, {"is", is}};
}

// Whether there is a value that means every record.
bool has_word_for_all(const Contract& contract, const Asked& asked) {
  const auto listed = summary_of(contract, asked.schemas).listed;
  return std::ranges::any_of(listed, [](const spec::schema::ConstantSet* values) {
    return values->contains("all") || values->contains("any");
  });
}

ordered_json filter_of(const Contract& contract, const Asked& asked, const Found& list) {
  if (asked.names.size() > 1) {
    return asked.names.size() == 2 ? comparison_of(contract, list, asked) : ordered_json(nullptr);
  }
  const std::string plain = plain_name(asked.names.front());
  if (const std::string place = scalar_place(contract, list.schemas, {}, plain); !place.empty()) {
    return {{"at", place}, {"is", "equal"}};
  }
  if (ordered_json bound = bound_of(contract, list, plain); !bound.is_null()) {
    return bound;
  }
  return list_word(plain) == ListWord::kSearch ? ordered_json{{"at", ""}, {"is", "contains"}}
                                               : ordered_json(nullptr);
}

void add_filter(const Contract& contract, const Asked& asked, const Found& list,
                ordered_json& filters) {
  const ordered_json found = filter_of(contract, asked, list);
  if (!found.is_null()) {
    ordered_json filter{{"given", asked.place}};
    filter.update(found);
    filters.push_back(std::move(filter));
  }
}

// "page[size]" is one word for pages.
ListWord word_of(const Asked& asked) {
  std::string plain;
  for (const std::string& name : asked.names) {
    plain += plain_name(name);
  }
  return list_word(plain);
}

}  // namespace

std::string pointer_to(const std::vector<std::string>& tokens) {
  std::string pointer;
  for (const std::string& token : tokens) {
    spec::json::append_token(pointer, token);
  }
  return pointer;
}

void add_list_parameters(const Contract& contract, const Operation& operation, const Found& list,
                         ordered_json& entry) {
  std::vector<Asked> all;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.location == Location::kQuery && parameter.schema) {
      add_asked(contract, parameter, all);
    }
  }
  ordered_json filters = ordered_json::array();
  ordered_json paging = ordered_json::object();
  for (const Asked& asked : all) {
    if (has_word_for_all(contract, asked)) {
      continue;
    }
    const ListWord word = word_of(asked);
    switch (word) {
      case ListWord::kSize:
      case ListWord::kNumber:
      case ListWord::kOffset:
      case ListWord::kCursor: add_paging(contract, asked, word, paging); break;
      case ListWord::kSort:
        entry[entry.contains("sort") ? "direction" : "sort"] = asked.place;
        break;
      case ListWord::kDirection: entry["direction"] = asked.place; break;
      case ListWord::kSearch:
      case ListWord::kNone: add_filter(contract, asked, list, filters); break;
    }
  }
  if (!filters.empty()) {
    entry["filters"] = std::move(filters);
  }
  if (!paging.empty()) {
    entry["paging"] = std::move(paging);
  }
}

}  // namespace mock_server::inference
