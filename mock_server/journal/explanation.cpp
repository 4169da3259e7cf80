#include "mock_server/journal/explanation.hpp"

#include "mock_server/journal/journal_json.hpp"
#include "mock_server/journal/journal_query.hpp"
#include "mock_server/reply/fault.hpp"
#include "spec/document/text_file.hpp"
#include "spec/http/message.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mock_server::journal {

namespace {

using nlohmann::json;

constexpr std::size_t kAround = 3;
constexpr std::size_t kMaxCharacters = 200;
constexpr std::uintmax_t kMaxBytes = 64 * spec::document::kMebibyte;

// The file that statements call `name`: relative to the folder of the first file or, outside of it,
// with the name of its own folder.
std::filesystem::path file_called(const std::vector<std::filesystem::path>& files,
                                  const std::string& name) {
  const auto near = files.empty() ? std::filesystem::path()
                                  : (files.front().parent_path() / name).lexically_normal();
  for (const auto& file : files) {
    if (file == near) {
      return file;
    }
  }
  const auto found = std::ranges::find_if(files, [&name](const std::filesystem::path& file) {
    return file.generic_string().ends_with('/' + name);
  });
  return found == files.end() ? std::filesystem::path() : *found;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line =
        spec::text::shortened(spec::text::as_utf8(text.substr(at, end - at)), kMaxCharacters);
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

}  // namespace

const std::vector<std::string>& ContractLines::lines_of(const std::string& file) {
  const auto [entry, is_new] = read_.try_emplace(file);
  if (is_new) {
    const auto path = file_called(contract_.files(), file);
    if (const auto text = spec::document::read_file(path, kMaxBytes)) {
      entry->second = split(*text);
    }
  }
  return entry->second;
}

json ContractLines::around(const json& statement) {
  const auto file = statement.is_object() ? statement.value("file", "") : std::string{};
  const auto line = file.empty() ? std::size_t{0} : statement.value("line", std::size_t{0});
  if (line == 0) {
    return nullptr;
  }
  const auto& lines = lines_of(file);
  if (line > lines.size()) {
    return nullptr;
  }
  const std::size_t first = line > kAround ? line - kAround : 1;
  const std::size_t last = std::min(line + kAround, lines.size());
  json text = json::array();
  for (std::size_t at = first; at <= last; ++at) {
    text.push_back(lines[at - 1]);
  }
  return {{"file", file}, {"first", first}, {"line", line}, {"text", std::move(text)}};
}

namespace {

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

// The operations that a request to none may have meant. Not of a preflight, or of one that was no
// HTTP.
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
  whole["request_violations"] = violations_of(entry.violations);
  whole["response_violations"] = violations_of(entry.response_violations);
  return whole;
}

json explain(const api::LoadedApi& api, const state::Entry& entry, std::string_view session) {
  json whole = as_line(entry, session);
  whole["routing"] = routing_of(api.contract, entry);
  whole["near_misses"] = near_misses(api.contract, entry);
  whole["chosen"] = chosen_of(entry.chosen_by);
  ContractLines lines(api.contract);
  for (const char* const part : {"request_violations", "response_violations"}) {
    for (json& violation : whole[part]) {
      if (auto shown = lines.around(violation["statement"]); !shown.is_null()) {
        violation["contract_lines"] = std::move(shown);
      }
    }
  }
  return whole;
}

namespace {

constexpr std::size_t kMaxSegments = 32;

// The likeness of a path and a template: two points for each equal segment, one for a probably
// misspelt one. Skips the first `skipped` segments, which may be the path of a server.
std::size_t likeness(std::span<const std::string_view> path, std::size_t skipped,
                     std::span<const std::string_view> pattern) {
  std::size_t points = 0;
  for (std::size_t at = 0; at < std::min(path.size() - skipped, pattern.size()); ++at) {
    const std::string_view given = path[at + skipped];
    points += given == pattern[at]                                             ? 2
              : spec::text::nearest(given, pattern.subspan(at, 1)).has_value() ? 1
                                                                               : 0;
  }
  return points;
}

// Points, whether the method is the same, and how little the number of segments differs.
using Rank = std::tuple<std::size_t, bool, std::size_t>;

Rank rank_of(const Operation& operation, std::string_view method,
             std::span<const std::string_view> path) {
  const auto pattern = spec::http::segments_of(operation.path);
  Rank best{};
  for (std::size_t skipped = 0; skipped < path.size(); ++skipped) {
    const std::size_t length = path.size() - skipped;
    const std::size_t gap = std::max(length, pattern.size()) - std::min(length, pattern.size());
    best = std::max(best, Rank{likeness(path, skipped, pattern), operation.method == method,
                               kMaxSegments * 8 - std::min(gap + skipped, kMaxSegments * 8)});
  }
  return best;
}

}  // namespace

std::vector<const Operation*> nearest_operations(const spec::contract::Contract& contract,
                                                 std::string_view method, std::string_view path,
                                                 const NearestLimits& limits) {
  auto segments = spec::http::segments_of(path);
  segments.resize(std::min(segments.size(), kMaxSegments));
  std::vector<std::pair<Rank, const Operation*>> ranked;
  for (const Operation& operation : contract.operations()) {
    const Rank rank = rank_of(operation, method, segments);
    if (std::get<0>(rank) >= limits.min_points) {
      ranked.emplace_back(rank, &operation);
    }
  }
  std::ranges::stable_sort(ranked, std::greater{}, &std::pair<Rank, const Operation*>::first);
  std::vector<const Operation*> nearest;
  for (const auto& [rank, operation] : ranked) {
    if (nearest.size() < limits.operations) {
      nearest.push_back(operation);
    }
  }
  return nearest;
}

}  // namespace mock_server::journal
