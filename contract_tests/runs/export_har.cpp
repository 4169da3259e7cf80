// HAR 1.2. Source: http://www.softwareishard.com/blog/har-12-spec/.

#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/runs/export.hpp"
#include "spec/har/har.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace contract_tests::runs {

using nlohmann::json;
using report::text_of;

namespace {

// Sets `incomplete` where the body cannot be written.
json har_request(const json& exchange, std::string& incomplete) {
  const auto& sent = exchange.at("request");
  const auto fields = fields_of(sent.at("headers"));
  auto request = spec::har::write_request({.method = text_of(sent, "method"),
                                           .target = text_of(sent, "target"),
                                           .headers = fields,
                                           .body = ""},
                                          text_of(exchange, "url"), text_of(sent, "body").size());
  const std::string type(fields.find("Content-Type").value_or(""));
  if (sent.contains("body_base64")) {
    const auto bytes =
        spec::text::from_base64(sent.at("body_base64").get_ref<const std::string&>());
    request["bodySize"] = bytes.value_or("").size();
    incomplete = "the body of the request is not text, and HAR has no place for it";
  } else if (!text_of(sent, "body").empty()) {
    request["postData"] = {{"mimeType", type.empty() ? "application/octet-stream" : type},
                           {"params", json::array()},
                           {"text", sent.at("body")}};
  }
  return request;
}

// The bytes of a body in which those that are not text are written \xNN; nothing where that cannot
// be undone for certain, because the body has such texts itself.
std::optional<std::string> bytes_of(const std::string& shown, std::size_t size) {
  std::string bytes;
  for (std::size_t at = 0; at < shown.size();) {
    const bool escape = shown[at] == '\\' && at + 3 < shown.size() && shown[at + 1] == 'x' &&
                        spec::text::is_hex_digit(shown[at + 2]) &&
                        spec::text::is_hex_digit(shown[at + 3]);
    bytes += escape ? static_cast<char>(spec::text::hex_digit_value(shown[at + 2]) * 16 +
                                        spec::text::hex_digit_value(shown[at + 3]))
                    : shown[at];
    at += escape ? 4 : 1;
  }
  return bytes.size() == size ? std::optional(bytes) : std::nullopt;
}

json har_content(const json& received, const std::string& type, std::string& incomplete) {
  const auto size = received.at("body_bytes").get<std::size_t>();
  const auto body = text_of(received, "body");
  json content{{"size", size}, {"mimeType", type.empty() ? "x-unknown" : type}};
  const bool text = received.at("text").get<bool>();
  const auto bytes = text ? std::optional(body) : bytes_of(body, size);
  if (received.at("cut").get<bool>()) {
    incomplete = "the report has only the beginning of the response's body (" +
                 std::to_string(size) + " bytes), so the body is left out";
    content["comment"] = incomplete;
  } else if (!bytes) {
    incomplete = "the bytes of the response's body are not known for certain, so it is left out";
    content["comment"] = incomplete;
  } else {
    spec::har::add_body(content, *bytes, text);
  }
  return content;
}

// Source: HAR 1.2, "response": status 0 where there is none.
json har_response(const json& exchange, std::string& incomplete) {
  const auto& received = exchange.at("response");
  if (received.is_null()) {
    auto none = spec::har::write_response({.status = 0, .reason = "", .headers = {}, .body = ""},
                                          "", {{"size", 0}, {"mimeType", "x-unknown"}});
    none["_error"] = text_of(exchange, "ending") + ' ' + text_of(exchange, "failure");
    return none;
  }
  const auto fields = fields_of(received.at("headers"));
  const auto line = text_of(received, "status_line");
  const auto first = std::min(line.find(' '), line.size());
  const auto second = std::min(line.find(' ', first + 1), line.size());
  int status = 0;
  for (std::size_t at = first + 1; at < second && spec::text::is_digit(line[at]) && status < 100;
       ++at) {
    status = status * 10 + (line[at] - '0');
  }
  auto response = spec::har::write_response(
      {.status = status,
       .reason = line.substr(std::min(second + 1, line.size())),
       .headers = fields,
       .body = ""},
      line.substr(0, first),
      har_content(received, std::string(fields.find("Content-Type").value_or("")), incomplete));
  response["redirectURL"] = fields.find("Location").value_or("");
  return response;
}

double in_ms(const json& timing, const char* key) {
  return static_cast<double>(timing.at(key).get<std::int64_t>()) / 1000.0;
}

json har_entry(const json& run, const json& exchange, std::string& incomplete) {
  const auto& timing = exchange.at("timing_us");
  const double total = in_ms(timing, "total");
  const double connect = std::min(in_ms(timing, "connect"), total);
  const double first = std::clamp(in_ms(timing, "first_byte"), connect, total);
  const bool reused = exchange.at("reused_connection").get<bool>();
  std::string of_request;
  json entry{{"startedDateTime", exchange.value("started", text_of(run, "started"))},
             {"time", total},
             {"request", har_request(exchange, of_request)},
             {"response", har_response(exchange, incomplete)},
             {"cache", json::object()},
             {"timings",
              {{"blocked", -1},
               {"dns", -1},
               {"connect", reused ? -1.0 : connect},
               {"ssl", -1},
               {"send", 0},
               {"wait", reused ? first : first - connect},
               {"receive", total - first}}}};
  if (!of_request.empty()) {
    incomplete = incomplete.empty() ? of_request : of_request + "; " + incomplete;
  }
  return entry;
}

}  // namespace

Exported export_har(const json& run, const std::vector<Selected>& findings,
                    std::string_view version) {
  Exported made;
  std::map<const json*, std::size_t> known;
  std::vector<json> entries;
  for (const auto& selected : findings) {
    const auto* exchange = exchange_of(run, *selected.finding);
    if (exchange == nullptr) {
      made.left_out.push_back(left_out_line(selected, why_no_exchange(*selected.finding)));
      continue;
    }
    if (known.try_emplace(exchange, entries.size()).second) {
      std::string incomplete;
      auto& entry = entries.emplace_back(har_entry(run, *exchange, incomplete));
      entry["_case"] = selected.item->at("id");
      entry["_findings"] = json::array();
      if (!incomplete.empty()) {
        entry["comment"] = incomplete;
        made.left_out.push_back(left_out_line(selected, incomplete));
      }
    }
    entries[known.at(exchange)]["_findings"].push_back(finding_line(*selected.finding));
  }
  std::ranges::stable_sort(entries, {}, [](const json& entry) {
    return entry.at("startedDateTime").get_ref<const std::string&>();
  });
  made.written = entries.size();
  const json har{{"log",
                  {{"version", "1.2"},
                   {"creator", {{"name", "Counterpart contract_tests"}, {"version", version}}},
                   {"entries", entries}}}};
  made.text = spec::json::write_pretty(har) + '\n';
  return made;
}

}  // namespace contract_tests::runs
