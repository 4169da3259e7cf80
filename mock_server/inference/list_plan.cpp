#include "mock_server/inference/list_plan.hpp"

#include "mock_server/inference/list_parameters.hpp"
#include "mock_server/inference/names.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::inference {
namespace {

using nlohmann::ordered_json;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::contract::Parameter;
using spec::schema::Summary;

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

// What a member of that name and schema says of the list; "" for nothing. A text is the cursor of
// the next page or, as its format says, the URL of one.
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

void add_totals(const Contract& contract, const spec::schema::Schemas& body,
                const std::vector<std::string>& outer, ordered_json& totals) {
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const Summary& summary = summary_of(contract, inner);
    const std::string_view word = total_of(summary, plain_name(member));
    std::vector<std::string> at = outer;
    at.push_back(member);
    if (!word.empty() && !totals.contains(word)) {
      totals[std::string(word)] = pointer_to(at);
    } else if (outer.empty() && summary.is_object()) {
      add_totals(contract, inner, at, totals);
    }
  }
}

// "X-Total-Count" and "Pagination-Limit" as a member would be called; "links" for Link.
std::string_view total_of_header(const Contract& contract, const Parameter& header) {
  std::string plain = plain_name(header.name);
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

void add_list_plan(const Contract& contract, const Operation& operation, const Found& list,
                   ordered_json& entry) {
  entry["into"] = pointer_to(list.at);
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

}  // namespace mock_server::inference
