#include "mock_server/journal/journal_json.hpp"

#include "mock_server/reply/fault.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace mock_server::journal {

namespace {

using nlohmann::json;
using spec::text::as_utf8;

json place_of(const spec::contract::Statement& statement) {
  json place{{"pointer", statement.pointer}, {"file", statement.file},
             {"line", statement.line},       {"column", statement.column},
             {"clause", statement.clause},   {"class", to_text(statement.statement_class)}};
  if (!statement.reason.empty()) {
    place["reason"] = statement.reason;
  }
  return place;
}

json responses_of(const spec::contract::Operation& operation) {
  json responses = json::array();
  for (const auto& declared : operation.responses) {
    json types = json::array();
    json examples = json::array();
    for (const auto& content : declared.contents) {
      types.push_back(content.media_type.essence());
      for (const auto& example : content.examples) {
        examples.push_back(example.name);
      }
    }
    responses.push_back({{"status", spec::contract::response_key(declared)},
                         {"media_types", types},
                         {"examples", examples}});
  }
  return responses;
}

json played_from(const api::FixtureStore& fixtures, const api::Binding& binding) {
  if (const auto* const inferred = fixtures.inferred(*binding.operation)) {
    return {{"by", "inference"},
            {"behaviour", api::row_of(binding.behaviour).name},
            {"certainty", inferred->is_certain ? "certain" : "likely"},
            {"why", inferred->why},
            {"binding", inferred->entry}};
  }
  const auto place = binding.node.place();
  return {{"by", "fixtures"},
          {"behaviour", api::row_of(binding.behaviour).name},
          {"file", place.file},
          {"line", place.line}};
}

json played_by(const api::FixtureStore& fixtures, const spec::contract::Operation& operation) {
  const auto* const binding = fixtures.binding(operation);
  if (binding == nullptr) {
    json played{{"by", "the contract's examples"}};
    if (const auto why = fixtures.why_not_inferred(operation); !why.empty()) {
      played["not_inferred"] = why;
    }
    return played;
  }
  json played = played_from(fixtures, *binding);
  if (binding->collection != nullptr) {
    played["collection"] = binding->collection->name();
    json keys = json::array();
    constexpr std::size_t kMaxKeys = 20;
    if (binding->collection->is_seeded()) {
      const auto& records = binding->collection->records();
      for (std::size_t i = 0; i < std::min(records.size(), kMaxKeys); ++i) {
        keys.push_back(records[i].key);
      }
    }
    played["keys"] = keys;
    played["records"] = binding->collection->size();
  }
  return played;
}

}  // namespace

json describe(const spec::contract::Contract& contract,
              const std::vector<spec::contract::Violation>& violations) {
  json list = json::array();
  for (const auto& violation : violations) {
    list.push_back({{"operation", violation.operation},
                    {"part", to_text(violation.part)},
                    {"instance", violation.instance},
                    {"rule", violation.rule},
                    {"message", violation.message.text()},
                    {"line", to_line(contract, violation)},
                    {"statement", place_of(contract.statement(violation.statement))}});
  }
  return list;
}

json describe_rejection(std::string_view reason) {
  const auto part = to_text(spec::contract::Part::kFraming);
  return json::array({{{"operation", ""},
                       {"part", part},
                       {"instance", ""},
                       {"rule", ""},
                       {"message", reason},
                       {"line", std::string(part) + ": " + std::string(reason)},
                       {"statement", nullptr}}});
}

json headers_of(const spec::http::Headers& headers) {
  json lines = json::array();
  for (const auto& [name, value] : headers.lines()) {
    lines.push_back({as_utf8(name), as_utf8(value)});
  }
  return lines;
}

json violations_of(const std::string& text) {
  if (text.empty()) {
    return json::array();
  }
  auto value = spec::json::read(text);
  return value ? std::move(*value) : json::array();
}

int delivered_status(const state::Entry& entry) {
  const auto fault = reply::fault_of(entry.fault);
  return fault && !reply::delivers_head(*fault) ? 0 : entry.response.status;
}

json summarise(const state::Entry& entry) {
  json summary{{"id", entry.id},
               {"time", state::to_text(entry.time)},
               {"method", entry.request.method},
               {"target", as_utf8(entry.request.target)},
               {"operation", entry.operation.empty() ? json(nullptr) : json(entry.operation)},
               {"status", delivered_status(entry)},
               {"chosen_by", entry.chosen_by},
               {"request_violations", violations_of(entry.violations).size()},
               {"response_violations", violations_of(entry.response_violations).size()}};
  if (!entry.fault.empty()) {
    summary["fault"] = entry.fault;
  }
  return summary;
}

json list_operations(const api::LoadedApi& api) {
  api::seed_some(api.fixtures.collections());
  json list = json::array();
  for (const auto& operation : api.contract.operations()) {
    const auto place = operation.node.place();
    list.push_back({{"id", operation.id},
                    {"method", operation.method},
                    {"path", operation.path},
                    {"summary", operation.summary},
                    {"file", place.file},
                    {"line", place.line},
                    {"needs_credentials", !operation.security.empty()},
                    {"responses", responses_of(operation)},
                    {"played", played_by(api.fixtures, operation)}});
  }
  return list;
}

json list_assumptions(const spec::contract::Contract& contract) {
  json list = json::array();
  for (const auto& statement : contract.assumptions()) {
    list.push_back(place_of(statement));
  }
  return list;
}

namespace {

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
  json whole{{"startedDateTime", state::to_text(entry.time)},
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

}  // namespace mock_server::journal
