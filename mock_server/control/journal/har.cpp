#include "mock_server/control/journal/har.hpp"

#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/fault_names.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/form.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <chrono>

namespace mock_server::control::journal {
namespace {

using nlohmann::json;
using spec::text::as_utf8;

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
  for (const auto& pair : spec::http::split_form(spec::http::query_of(target))) {
    pairs.push_back(named(
        pair.name, spec::text::percent_decode(pair.value, true).value_or(std::string(pair.value))));
  }
  return pairs;
}

void add_cookies(json& cookies, std::string_view pairs) {
  for (const auto& pair : spec::http::split_cookies(pairs)) {
    cookies.push_back(named(spec::http::trimmed(pair.name), spec::http::trimmed(pair.value)));
  }
}

json cookies_of(const spec::http::Headers& headers) {
  json cookies = json::array();
  for (const std::string_view line : headers.all("Cookie")) {
    add_cookies(cookies, line);
  }
  return cookies;
}

json set_cookies_of(const spec::http::Headers& headers) {
  json cookies = json::array();
  for (const std::string_view line : headers.all("Set-Cookie")) {
    add_cookies(cookies, line.substr(0, line.find(';')));
  }
  return cookies;
}

std::string media_type_of(const spec::http::Headers& headers) {
  return as_utf8(headers.find("Content-Type").value_or("x-unknown"));
}

void add_text(json& content, const std::string& body) {
  if (spec::text::is_utf8(body)) {
    content["text"] = body;
  } else {
    content["text"] = spec::text::to_base64(body);
    content["encoding"] = "base64";
  }
}

json request_of(const state::Entry& entry, std::string_view scheme) {
  const auto host = entry.request.headers.find("Host");
  const std::string target = as_utf8(entry.request.target);
  json request{{"method", entry.request.method},
               {"url", std::string(scheme) + "://" + as_utf8(host.value_or("127.0.0.1")) + target},
               {"httpVersion", "HTTP/1.1"},
               {"cookies", cookies_of(entry.request.headers)},
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

// The part of the body that a fault delivered.
std::string delivered_body(const state::Entry& entry, reply::Fault fault) {
  if (fault == reply::Fault::kTruncate || fault == reply::Fault::kStall) {
    return entry.response.body.substr(0, entry.response_body_bytes / 2);
  }
  return reply::delivers_head(fault) ? entry.response.body : std::string();
}

json response_of(const state::Entry& entry) {
  const auto fault = reply::fault_of(entry.fault).value_or(reply::Fault::kNone);
  const bool has_head = reply::delivers_head(fault);
  const std::string body = delivered_body(entry, fault);
  const bool is_cut = entry.response.body.size() < entry.response_body_bytes;
  const std::uint64_t bytes = is_cut && has_head ? entry.response_body_bytes : body.size();
  const spec::http::Headers none;
  const spec::http::Headers& headers = has_head ? entry.response.headers : none;
  json content{{"size", bytes}, {"mimeType", media_type_of(headers)}};
  add_text(content, body);
  const std::string& reason = entry.response.reason;
  return {{"status", has_head ? entry.response.status : 0},
          {"statusText", !has_head ? std::string()
                         : reason.empty()
                             ? std::string(spec::http::reason_phrase(entry.response.status))
                             : reason},
          {"httpVersion", "HTTP/1.1"},
          {"cookies", set_cookies_of(headers)},
          {"headers", fields_of(headers)},
          {"content", std::move(content)},
          {"redirectURL", ""},
          {"headersSize", -1},
          {"bodySize", bytes}};
}

}  // namespace

json har_entry(const state::Entry& entry, std::string_view scheme) {
  const double took_ms = std::chrono::duration<double, std::milli>(entry.took).count();
  json whole{{"startedDateTime", fixtures::to_text(entry.time)},
             {"time", took_ms},
             {"request", request_of(entry, scheme)},
             {"response", response_of(entry)},
             {"cache", json::object()},
             {"timings", {{"send", 0}, {"wait", took_ms}, {"receive", 0}}},
             {"_counterpart",
              {{"id", entry.id}, {"operation", entry.operation}, {"chosen_by", entry.chosen_by}}}};
  if (const auto fault = reply::fault_of(entry.fault)) {
    whole["_counterpart"]["fault"] = entry.fault;
    whole["_counterpart"]["delivered"] = reply::delivered_with(*fault);
    whole["_counterpart"]["prepared_status"] = entry.response.status;
  }
  if (entry.request.body.size() < entry.request_body_bytes ||
      entry.response.body.size() < entry.response_body_bytes) {
    whole["comment"] = "part of a long body is missing here";
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

}  // namespace mock_server::control::journal
