#include "mock_server/control/har.hpp"

#include "mock_server/control/kept_text.hpp"
#include "mock_server/fixtures/instant.hpp"
#include "spec/json/utf8.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace mock_server::control {
namespace {

using nlohmann::json;

json named(std::string_view name, std::string_view value) {
  return {{"name", as_utf8(name)}, {"value", as_utf8(value)}};
}

json fields_of(const spec::http::Headers& headers) {
  json fields = json::array();
  for (const auto& [name, value] : headers.lines()) {
    fields.push_back(named(name, value));
  }
  return fields;
}

json query_of(std::string_view target) {
  json pairs = json::array();
  std::string_view query = spec::http::query_of(target);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view value = pair.substr(std::min(equals + 1, pair.size()));
    pairs.push_back(named(spec::http::percent_decode(pair.substr(0, equals), true)
                              .value_or(std::string(pair.substr(0, equals))),
                          spec::http::percent_decode(value, true).value_or(std::string(value))));
  }
  return pairs;
}

std::string media_type_of(const spec::http::Headers& headers) {
  return as_utf8(headers.find("Content-Type").value_or("x-unknown"));
}

void add_text(json& content, const std::string& body) {
  if (spec::json::is_utf8(body)) {
    content["text"] = body;
  } else {
    content["text"] = base64(body);
    content["encoding"] = "base64";
  }
}

json request_of(const state::Entry& entry) {
  const auto host = entry.request.headers.find("Host");
  const std::string target = as_utf8(entry.request.target);
  json request{{"method", entry.request.method},
               {"url", "http://" + as_utf8(host.value_or("127.0.0.1")) + target},
               {"httpVersion", "HTTP/1.1"},
               {"cookies", json::array()},
               {"headers", fields_of(entry.request.headers)},
               {"queryString", query_of(entry.request.target)},
               {"headersSize", -1},
               {"bodySize", entry.request_body_bytes}};
  if (entry.request_body_bytes != 0) {
    json data{{"mimeType", media_type_of(entry.request.headers)}, {"params", json::array()}};
    add_text(data, entry.request.body);
    request["postData"] = std::move(data);
  }
  return request;
}

json response_of(const state::Entry& entry) {
  json content{{"size", entry.response_body_bytes},
               {"mimeType", media_type_of(entry.response.headers)}};
  add_text(content, entry.response.body);
  const std::string& reason = entry.response.reason;
  return {{"status", entry.response.status},
          {"statusText",
           reason.empty() ? std::string(spec::http::reason_phrase(entry.response.status)) : reason},
          {"httpVersion", "HTTP/1.1"},
          {"cookies", json::array()},
          {"headers", fields_of(entry.response.headers)},
          {"content", std::move(content)},
          {"redirectURL", ""},
          {"headersSize", -1},
          {"bodySize", entry.response_body_bytes}};
}

}  // namespace

json har_entry(const state::Entry& entry) {
  const double took_ms = std::chrono::duration<double, std::milli>(entry.took).count();
  json whole{{"startedDateTime", fixtures::to_text(entry.time)},
             {"time", took_ms},
             {"request", request_of(entry)},
             {"response", response_of(entry)},
             {"cache", json::object()},
             {"timings", {{"send", 0}, {"wait", took_ms}, {"receive", 0}}},
             {"_counterpart",
              {{"id", entry.id}, {"operation", entry.operation}, {"chosen_by", entry.chosen_by}}}};
  if (entry.request.body.size() < entry.request_body_bytes ||
      entry.response.body.size() < entry.response_body_bytes) {
    whole["comment"] = "a long body was kept in part";
  }
  return whole;
}

std::string har(const std::deque<std::string>& entries, std::string_view version) {
  std::string text = R"({"log":{"version":"1.2","creator":{"name":"counterpart","version":)" +
                     spec::json::write(json(std::string(version))) + R"(},"entries":[)";
  for (std::size_t at = 0; at < entries.size(); ++at) {
    text += (at == 0 ? "" : ",") + entries[at];
  }
  return text + "]}}";
}

}  // namespace mock_server::control
