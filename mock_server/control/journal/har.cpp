#include "mock_server/control/journal/har.hpp"

#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/fault.hpp"
#include "spec/har/write.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <chrono>

namespace mock_server::control::journal {
namespace {

using nlohmann::json;

std::string media_type_of(const spec::http::Headers& headers) {
  return spec::text::as_utf8(headers.find("Content-Type").value_or("x-unknown"));
}

json request_of(const state::Entry& entry, std::string_view scheme) {
  const auto& request = entry.request;
  const std::string host(request.headers.find("Host").value_or("127.0.0.1"));
  json written = spec::har::write_request(
      request, std::string(scheme) + "://" + host + request.target, entry.request_body_bytes);
  if (entry.request_body_bytes != 0) {
    json data{{"mimeType", media_type_of(request.headers)}, {"params", json::array()}};
    spec::har::add_body(data, request.body, spec::text::is_utf8(request.body));
    written["postData"] = std::move(data);
  }
  return written;
}

// The part of the body that a fault delivered.
std::string delivered_body(const state::Entry& entry, reply::Fault fault) {
  switch (reply::row_of(fault).delivered) {
    case reply::Delivered::kNothing: return "";
    case reply::Delivered::kHalfOfBody:
      return entry.response.body.substr(0, entry.response_body_bytes / 2);
    case reply::Delivered::kAll: break;
  }
  return entry.response.body;
}

json response_of(const state::Entry& entry) {
  const auto fault = reply::fault_of(entry.fault).value_or(reply::Fault::kNone);
  const bool has_head = reply::delivers_head(fault);
  const bool is_head = entry.request.method == "HEAD";  // its response has no body
  const std::string body = is_head ? "" : delivered_body(entry, fault);
  const bool is_cut = !is_head && entry.response.body.size() < entry.response_body_bytes;
  const std::uint64_t bytes = is_cut && has_head ? entry.response_body_bytes : body.size();
  spec::http::Response head;
  head.status = 0;
  if (has_head) {
    const std::string& reason = entry.response.reason;
    head.status = entry.response.status;
    head.reason = reason.empty() ? spec::http::reason_phrase(head.status) : reason;
    head.headers = entry.response.headers;
  }
  json content{{"size", bytes}, {"mimeType", media_type_of(head.headers)}};
  spec::har::add_body(content, body, spec::text::is_utf8(body));
  json response = spec::har::write_response(head, "HTTP/1.1", std::move(content));
  response["bodySize"] = bytes;
  return response;
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
    whole["_counterpart"]["delivered"] = reply::row_of(*fault).words;
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
