#include "mock_server/inference/list_plan.hpp"

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
using spec::schema::Summary;

constexpr std::int64_t kMaxDefaultSize = 100;

std::string query_place(const Parameter& parameter) {
  return pointer_to({"query", parameter.name});
}

bool is_integer(const Contract& contract, const Parameter& parameter) {
  return parameter.schema && contract.summaries().of(*parameter.schema).is_number();
}

std::optional<std::int64_t> default_of_parameter(const Contract& contract,
                                                 const Parameter& parameter) {
  const auto& program = contract.schemas().program();
  for (const auto id :
       spec::schema::applicable(program, *parameter.schema, spec::schema::Reach::kCertain)) {
    if (const auto found = spec::schema::keyword_value(program, id, "default"); found.is_number()) {
      return spec::json::to_int64(found.value());
    }
  }
  return std::nullopt;
}

// The number of the first page: the default, else the minimum, else 1.
std::int64_t first_page(const Contract& contract, const Parameter& parameter) {
  const Summary& summary = contract.summaries().of(*parameter.schema);
  const auto minimum =
      summary.minimum ? static_cast<std::int64_t>(*summary.minimum) : std::int64_t{1};
  const std::int64_t first = default_of_parameter(contract, parameter).value_or(minimum);
  return first == 0 ? 0 : 1;
}

void add_paging(const Contract& contract, const Parameter& parameter, ListWord word,
                ordered_json& paging) {
  const bool is_number = is_integer(contract, parameter);
  if (word == ListWord::kCursor && !paging.contains("cursor")) {
    paging["cursor"] = query_place(parameter);
  }
  if (!is_number) {
    return;
  }
  if (word == ListWord::kSize && !paging.contains("size")) {
    const auto maximum = contract.summaries().of(*parameter.schema).maximum;
    paging["size"] = query_place(parameter);
    paging["default_size"] = maximum && *maximum < static_cast<double>(kMaxDefaultSize)
                                 ? std::max<std::int64_t>(static_cast<std::int64_t>(*maximum), 1)
                                 : kMaxDefaultSize;
  } else if (word == ListWord::kNumber && !paging.contains("number")) {
    paging["number"] = query_place(parameter);
    paging["first"] = first_page(contract, parameter);
  } else if (word == ListWord::kOffset && !paging.contains("offset")) {
    paging["offset"] = query_place(parameter);
  }
}

// The record's member of that plain name whose value is a scalar, or a list of scalars.
std::string scalar_member(const Contract& contract, const Found& list, const std::string& plain) {
  for (const auto& [member, inner] : summary_of(contract, list.schemas).properties) {
    const Summary& own = summary_of(contract, inner);
    const bool is_scalar_list =
        !own.elements.empty() && summary_of(contract, own.elements).is_scalar();
    if (plain_name(member) == plain && (own.is_scalar() || is_scalar_list)) {
      return member;
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
    for (const std::string& name : {rest, rest + "at", rest + "date", rest + "on"}) {
      if (const std::string member = rest.empty() ? "" : scalar_member(contract, list, name);
          !member.empty()) {
        return {{"at", pointer_to({member})}, {"is", is}};
      }
    }
  }
  return nullptr;
}

// Whether the parameter has a value that means every record.
bool has_word_for_all(const Contract& contract, const Parameter& parameter) {
  const auto listed = contract.summaries().of(*parameter.schema).listed;
  return std::ranges::any_of(listed, [](const spec::schema::ConstantSet* values) {
    return values->contains("all") || values->contains("any");
  });
}

void add_filter(const Contract& contract, const Parameter& parameter, const Found& list,
                ordered_json& filters) {
  const std::string plain = plain_name(parameter.name);
  const std::string member = scalar_member(contract, list, plain);
  ordered_json filter{{"given", query_place(parameter)}};
  if (!member.empty()) {
    filter["at"] = pointer_to({member});
    filter["is"] = "equal";
  } else if (const ordered_json bound = bound_of(contract, list, plain); !bound.is_null()) {
    filter.update(bound);
  } else if (list_word(plain) == ListWord::kSearch) {
    filter["at"] = "";
    filter["is"] = "contains";
  } else {
    return;
  }
  filters.push_back(std::move(filter));
}

bool has_type_of_total(const Summary& summary, std::string_view word) {
  if (word == "more") {
    return summary.is_boolean();
  }
  return word == "next" ? summary.is_string() && summary.format.empty() : summary.is_number();
}

void add_totals(const Contract& contract, const spec::schema::Schemas& body,
                const std::vector<std::string>& outer, ordered_json& totals) {
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const Summary& summary = summary_of(contract, inner);
    const std::string_view word = total_word(plain_name(member));
    std::vector<std::string> at = outer;
    at.push_back(member);
    if (!word.empty() && has_type_of_total(summary, word) && !totals.contains(word)) {
      totals[std::string(word)] = pointer_to(at);
    } else if (outer.empty() && summary.is_object()) {
      add_totals(contract, inner, at, totals);
    }
  }
}

void add_parameters(const Contract& contract, const Operation& operation, const Found& list,
                    ordered_json& entry) {
  ordered_json filters = ordered_json::array();
  ordered_json paging = ordered_json::object();
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.location != Location::kQuery || !parameter.schema ||
        has_word_for_all(contract, parameter)) {
      continue;
    }
    const ListWord word = list_word(plain_name(parameter.name));
    switch (word) {
      case ListWord::kSize:
      case ListWord::kNumber:
      case ListWord::kOffset:
      case ListWord::kCursor: add_paging(contract, parameter, word, paging); break;
      case ListWord::kSort:
        entry[entry.contains("sort") ? "direction" : "sort"] = query_place(parameter);
        break;
      case ListWord::kDirection: entry["direction"] = query_place(parameter); break;
      case ListWord::kSearch:
      case ListWord::kNone: add_filter(contract, parameter, list, filters); break;
    }
  }
  if (!filters.empty()) {
    entry["filters"] = std::move(filters);
  }
  if (!paging.empty()) {
    entry["paging"] = std::move(paging);
  }
}

}  // namespace

std::string pointer_to(const std::vector<std::string>& tokens) {
  std::string pointer;
  for (const std::string& token : tokens) {
    spec::json::append_token(pointer, token);
  }
  return pointer;
}

void add_list_plan(const Contract& contract, const Operation& operation, const Found& list,
                   ordered_json& entry) {
  entry["into"] = pointer_to(list.at);
  add_parameters(contract, operation, list, entry);
  if (!list.at.empty()) {
    ordered_json totals = ordered_json::object();
    add_totals(contract, response_body(contract, operation), {}, totals);
    if (!totals.empty()) {
      entry["totals"] = std::move(totals);
    }
  }
}

}  // namespace mock_server::inference
