#include "mock_server/control/journal/explain.hpp"

#include "mock_server/control/journal/contract_lines.hpp"
#include "mock_server/control/journal/describe.hpp"
#include "mock_server/control/journal/journal_query.hpp"
#include "mock_server/control/journal/nearest_operations.hpp"
#include "mock_server/reply/fault.hpp"
#include "spec/http/message.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <chrono>
#include <string>
#include <vector>

namespace mock_server::control::journal {
namespace {

using nlohmann::json;
using spec::contract::Operation;
using spec::text::as_utf8;
using spec::text::in_quotes;

constexpr std::size_t kMaxOthers = 50;

void add_body(json& message, const std::string& body, std::uint64_t whole) {
  if (spec::text::is_utf8(body)) {
    message["body"] = body;
  } else {
    message["body_base64"] = spec::text::to_base64(body);
  }
  message["body_bytes"] = whole;
  message["body_is_cut"] = body.size() < whole;
}

// Why the path does not match the template; "" if it does.
std::string path_difference(std::string_view pattern, std::string_view path) {
  const auto wanted = spec::http::segments_of(pattern);
  const auto given = spec::http::segments_of(path);
  for (std::size_t at = 0; at < std::min(wanted.size(), given.size()); ++at) {
    const bool is_literal = wanted[at].find('{') == std::string_view::npos;
    const auto decoded = spec::text::percent_decode(given[at], false);
    if (is_literal && decoded != std::string(wanted[at])) {
      return "path: segment " + std::to_string(at + 1) + " must be " + in_quotes(wanted[at]) +
             ", but is " + in_quotes(given[at]);
    }
  }
  if (wanted.size() != given.size()) {
    return "path: must have " + std::to_string(wanted.size()) + " segments, but has " +
           std::to_string(given.size());
  }
  return "";
}

std::string why_not(const Operation& operation, const state::Entry& entry) {
  const std::string path = path_difference(operation.path, path_of_entry(entry.request.target));
  if (!path.empty()) {
    return path;
  }
  const bool is_head = entry.request.method == "HEAD" && operation.method == "GET";
  if (operation.method != entry.request.method && !is_head) {
    return "method: must be " + operation.method + ", but is " + in_quotes(entry.request.method);
  }
  return "another operation matches more literally, or this one was loaded later";
}

json name_of(const Operation& operation) {
  const auto place = operation.node.place();
  return {{"id", operation.id},
          {"name", operation.name},
          {"file", std::string(place.file)},
          {"line", place.line}};
}

json routing_of(const spec::contract::Contract& contract, const state::Entry& entry) {
  json routing{{"matched", nullptr}, {"others", json::array()}};
  for (const Operation& operation : contract.operations()) {
    if (!entry.operation.empty() && operation.id == entry.operation) {
      routing["matched"] = name_of(operation);
    } else if (routing["others"].size() < kMaxOthers) {
      json other = name_of(operation);
      other["why_not"] = why_not(operation, entry);
      routing["others"].push_back(std::move(other));
    }
  }
  return routing;
}

// What a request to no operation may have meant. Not of a preflight, or of one that was no HTTP.
json near_misses(const spec::contract::Contract& contract, const state::Entry& entry) {
  json list = json::array();
  if (!entry.operation.empty() || entry.chosen_by == "transport" ||
      entry.chosen_by == state::kPreflight) {
    return list;
  }
  for (const Operation* const operation :
       nearest_operations(contract, entry.request.method, path_of_entry(entry.request.target))) {
    list.push_back({{"operation", operation->id},
                    {"method", operation->method},
                    {"path", operation->path},
                    {"why", why_not(*operation, entry)}});
  }
  return list;
}

// "fixtures/licences.yaml:12: rule expired" as its parts.
json chosen_of(const std::string& chosen_by) {
  json chosen{{"by", chosen_by}};
  const std::size_t blank = chosen_by.find(": ");
  const std::size_t colon =
      blank == std::string::npos ? std::string::npos : chosen_by.rfind(':', blank - 1);
  if (colon == std::string::npos || colon == 0) {
    return chosen;
  }
  std::uint64_t line = 0;
  const char* const end = chosen_by.data() + blank;
  const auto result = std::from_chars(chosen_by.data() + colon + 1, end, line);
  if (result.ec == std::errc{} && result.ptr == end) {
    chosen["by"] = chosen_by.substr(blank + 2);
    chosen["file"] = chosen_by.substr(0, colon);
    chosen["line"] = line;
  }
  return chosen;
}

}  // namespace

json as_line(const state::Entry& entry, std::string_view session) {
  json request{{"method", entry.request.method},
               {"target", as_utf8(entry.request.target)},
               {"headers", headers_of(entry.request.headers)}};
  add_body(request, entry.request.body, entry.request_body_bytes);
  json response{{"status", entry.response.status}, {"headers", headers_of(entry.response.headers)}};
  add_body(response, entry.response.body, entry.response_body_bytes);
  json whole = summarise(entry);
  whole["session"] = session;
  whole["peer"] = entry.peer;
  whole["took_us"] = std::chrono::duration_cast<std::chrono::microseconds>(entry.took).count();
  if (const auto fault = reply::fault_of(entry.fault)) {
    whole["delivered"] = reply::row_of(*fault).words;
  }
  whole["request"] = std::move(request);
  whole["response"] = std::move(response);
  whole["violations"] = violations_of(entry.violations);
  whole["broken"] = violations_of(entry.broken);
  return whole;
}

json explain(const fixtures::LoadedApi& api, const state::Entry& entry, std::string_view session) {
  json whole = as_line(entry, session);
  whole["routing"] = routing_of(api.contract, entry);
  whole["near_misses"] = near_misses(api.contract, entry);
  whole["chosen"] = chosen_of(entry.chosen_by);
  ContractLines lines(api.contract);
  for (const char* const part : {"violations", "broken"}) {
    for (json& violation : whole[part]) {
      if (auto shown = lines.around(violation["statement"]); !shown.is_null()) {
        violation["contract_lines"] = std::move(shown);
      }
    }
  }
  return whole;
}

}  // namespace mock_server::control::journal
