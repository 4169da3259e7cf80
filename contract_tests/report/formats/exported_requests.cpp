#include "contract_tests/report/formats/exported_requests.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "spec/har/har.hpp"
#include "spec/http/bytes.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;

namespace {

constexpr std::size_t kMaxLine = 1'000;

std::string heading_of(const json& item) {
  return spec::text::one_line(text_of(item, "operation_name") + ": " + text_of(item, "sentence"),
                              kMaxLine);
}

// `text` with `to` for every `from`.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The reason why a client for files of requests cannot send it, or would read it in another way.
std::string why_not_in_file(const json& request, const json& finding) {
  const auto changed = replaced(text_of(finding, "changed"), "${token}", "");
  if (changed.find("${") != std::string::npos) {
    return "its credentials are changed, which a variable cannot say";
  }
  const auto& body = request.at("body").get_ref<const std::string&>();
  if (request.contains("body_base64")) {
    return "its body is not text";
  }
  if (body.find("{{") != std::string::npos) {
    return "its body contains \"{{\", which a client takes for a variable";
  }
  constexpr std::string_view kMarks = "#@<>/ \t\r\n";
  for (std::size_t at = 0; at < body.size();) {
    if (kMarks.find(body[at]) != std::string_view::npos) {
      return "a line of its body begins with a character that a client takes for a mark";
    }
    const auto end = body.find('\n', at);
    at = end == std::string::npos ? body.size() : end + 1;
  }
  return body.ends_with('\n') ? "its body ends with a line break" : "";
}

std::string with_variables(const std::string& text) {
  return replaced(text, "$TOKEN", "{{token}}");
}

// "http://127.0.0.1:4010": the URL without its target.
std::string origin_of(const json& exchange) {
  const auto url = text_of(exchange, "url");
  const auto target = text_of(exchange.at("request"), "target");
  return url.ends_with(target) ? url.substr(0, url.size() - target.size()) : url;
}

std::string request_text(const json& exchange, const std::string& origin) {
  const auto& request = exchange.at("request");
  const auto own = origin_of(exchange);
  std::string text = text_of(request, "method") + ' ' +
                     (own == origin ? std::string("{{baseUrl}}") : own) +
                     with_variables(text_of(request, "target")) + " HTTP/1.1\n";
  const auto fields = fields_of(request.at("headers"));
  for (const auto& [name, value] : fields.lines()) {
    if (!is_own_header(name, value)) {
      text += name + ": " + with_variables(value) + '\n';
    }
  }
  const auto body = text_of(request, "body");
  return body.empty() ? text : text + '\n' + with_variables(body) + '\n';
}

// True if a line for a shell has more than one command: ";" outside of quotes.
bool has_several_commands(std::string_view line) {
  char quote = '\0';
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char letter = line[at];
    if (letter == '\\' && quote != '\'') {
      ++at;
    } else if (quote != '\0') {
      quote = letter == quote ? '\0' : quote;
    } else if (letter == '\'' || letter == '"') {
      quote = letter;
    } else if (letter == ';') {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string finding_line(const json& finding) {
  return spec::text::one_line(text_of(finding, "severity") + ' ' + text_of(finding, "rule") + ' ' +
                                  text_of(finding, "place") + ": " + text_of(finding, "message"),
                              kMaxLine) +
         " (id " + text_of(finding, "fingerprint") + ')';
}

std::string left_out_line(const SelectedFinding& selected, const std::string& reason) {
  return text_of(*selected.finding, "fingerprint") + " (" + text_of(*selected.item, "id") +
         "): " + reason;
}

const json* exchange_of(const json& run, const json& finding) {
  const auto index = finding.find("exchange");
  const auto& all = run.at("exchanges");
  return index == finding.end() || index->get<std::size_t>() >= all.size()
             ? nullptr
             : &all.at(index->get<std::size_t>());
}

std::string why_no_exchange(const json& finding) {
  return text_of(finding, "response").empty()
             ? "it is about all responses of the run, not about one"
             : "its request and response were beyond the limit of the report; repeat the run with "
               "--filter and the name of the case";
}

bool is_own_header(std::string_view name, std::string_view value) {
  static constexpr std::array<std::string_view, 5> kOwn{"Host", "Content-Length", "User-Agent",
                                                        "Transfer-Encoding", "Expect"};
  return std::ranges::any_of(
             kOwn, [&](auto own) { return spec::text::equals_ignoring_case(name, own); }) ||
         (spec::text::equals_ignoring_case(name, "Accept") && value == "*/*");
}

spec::http::Headers fields_of(const json& lines) {
  spec::http::Headers fields;
  for (const auto& line : lines) {
    const auto& text = line.get_ref<const std::string&>();
    const auto colon = std::min(text.find(':'), text.size());
    fields.add(text.substr(0, colon), std::string(spec::http::trimmed(std::string_view(text).substr(
                                          std::min(colon + 1, text.size())))));
  }
  return fields;
}

Export export_curl(const std::vector<SelectedFinding>& findings) {
  Export made;
  std::set<std::string> known;
  for (const auto& selected : findings) {
    const auto curl = text_of(*selected.finding, "curl");
    if (curl.empty()) {
      made.left_out.push_back(left_out_line(selected, why_no_exchange(*selected.finding)));
      continue;
    }
    made.text +=
        "# " + heading_of(*selected.item) + "\n#   " + finding_line(*selected.finding) + '\n';
    const auto steps = selected.item->at("steps").size();
    if (steps > 1 && !has_several_commands(curl)) {
      made.text += "#   one of " + std::to_string(steps) + " requests of the case\n";
    }
    if (known.insert(curl).second) {
      made.text += curl + '\n';
      ++made.written;
    } else {
      made.text += "#   the same request as above\n";
    }
  }
  return made;
}

Export export_http(const json& run, const std::vector<SelectedFinding>& findings) {
  Export made;
  std::string origin;
  std::string requests;
  std::set<const json*> known;
  for (const auto& selected : findings) {
    const auto* exchange = exchange_of(run, *selected.finding);
    const auto why = exchange == nullptr
                         ? why_no_exchange(*selected.finding)
                         : why_not_in_file(exchange->at("request"), *selected.finding);
    if (!why.empty()) {
      made.left_out.push_back(left_out_line(selected, why));
    } else if (known.insert(exchange).second) {
      origin = origin.empty() ? origin_of(*exchange) : origin;
      requests += "\n### " + heading_of(*selected.item) + "\n# " + finding_line(*selected.finding) +
                  '\n' + request_text(*exchange, origin);
      ++made.written;
    }
  }
  made.text = "# Requests of findings, for REST clients of editors.\n@baseUrl = " + origin + '\n';
  if (requests.find("{{token}}") != std::string::npos) {
    made.text += "# No token is recorded: put yours here.\n@token = put-a-token-here\n";
  }
  made.text += requests;
  return made;
}

// HAR 1.2. Source: http://www.softwareishard.com/blog/har-12-spec/.

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

// The bytes of a body in which those that are not text are written \xNN; empty if that cannot
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

// Source: HAR 1.2, "response": status 0 if there is none.
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

Export export_har(const json& run, const std::vector<SelectedFinding>& findings,
                  std::string_view version) {
  Export made;
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

}  // namespace contract_tests::report::formats
