#include "contract_tests/report/case_value.hpp"

#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"
#include "spec/time/instant.hpp"

#include <array>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

namespace contract_tests::report {

using client::Exchange;
using nlohmann::json;

namespace {

// Bytes of compact JSON: a request with a huge body would take the place of many cases.
constexpr std::size_t kMaxPlanned = 20'000;

json without_secrets(json value, const client::Secrets& secrets) {
  if (value.is_string()) {
    return secrets.redacted(value.get_ref<const std::string&>());
  }
  if (value.is_structured()) {
    for (auto& element : value) {
      element = without_secrets(std::move(element), secrets);
    }
  }
  return value;
}

json requests_json(const run::Case& item) {
  auto requests = json::array();
  for (const plan::RequestPlan& request : run::requests_of(item)) {
    requests.push_back(plan::to_json(request));
  }
  return requests;
}

json expect_json(const run::Expectation& expect) {
  json value{{"want", run::to_text(expect.want)}};
  if (!expect.statuses.empty()) {
    value["statuses"] = expect.statuses;
  }
  if (!expect.body.empty()) {
    value["body"] = expect.body;
  }
  return value;
}

// The hash of the requests and the expectation; the same for the same plan on any machine.
std::string planned_hash(const run::Case& item) {
  return checks::stable_hash(
      spec::json::write(json{requests_json(item), expect_json(item.expect)}));
}

json needs_json(const run::Needs& needs) {
  auto names = json::array();
  const auto add = [&names](bool needed, const char* name) {
    if (needed) {
      names.push_back(name);
    }
  };
  add(needs.probes, "probes");
  add(needs.mock_only, "mock");
  add(needs.other_token, "other_token");
  return names;
}

// "nothing" for a member that is not there.
std::string shown(const json& object, const std::string& key) {
  return object.contains(key) ? spec::text::shortened(spec::json::write(object.at(key)), 200)
                              : "nothing";
}

void add_difference(const std::string& place, const std::string& before, const std::string& now,
                    std::string& differences) {
  spec::text::append_to_list(differences, place + " was " + before + ", is " + now);
}

void add_differences(const json& was, const json& is, const std::string& where,
                     std::string& differences) {
  std::set<std::string> keys;
  for (const auto* object : {&was, &is}) {
    for (const auto& [key, value] : object->items()) {
      keys.insert(key);
    }
  }
  for (const auto& key : keys) {
    const auto before = shown(was, key);
    const auto now = shown(is, key);
    if (before != now) {
      add_difference(where + key, before, now, differences);
    }
  }
}

}  // namespace

json planned_json(const run::Case& item, const run::Outcome& outcome,
                  const client::Secrets& secrets) {
  json value{{"hash", planned_hash(item)}};
  json whole{{"requests", requests_json(item)}, {"expect", expect_json(item.expect)}};
  if (outcome.smallest) {
    whole["smallest"] = plan::to_json(*outcome.smallest);
  }
  if (auto needs = needs_json(item.needs); !needs.empty()) {
    whole["needs"] = std::move(needs);
  }
  whole["more"] = item.run && !item.sends_its_request_alone;
  if (spec::json::write(whole).size() <= kMaxPlanned) {
    value.update(without_secrets(std::move(whole), secrets));
  }
  return value;
}

std::string planned_difference(const json& recorded, const run::Case& item,
                               const client::Secrets& secrets) {
  if (recorded.at("hash") == planned_hash(item)) {
    return {};
  }
  if (!recorded.contains("requests")) {
    return "it is too long to be shown";
  }
  const auto& was = recorded.at("requests");
  const auto is = without_secrets(requests_json(item), secrets);
  std::string differences;
  if (was.size() != is.size()) {
    differences =
        std::to_string(was.size()) + " requests were planned, now " + std::to_string(is.size());
  }
  for (std::size_t at = 0; at < std::min(was.size(), is.size()); ++at) {
    const auto where = at == 0 ? "" : "request " + std::to_string(at + 1) + ": ";
    add_differences(was.at(at), is.at(at), where, differences);
  }
  add_differences(recorded.at("expect"), without_secrets(expect_json(item.expect), secrets),
                  "expected ", differences);
  return differences.empty() ? "in what is not shown" : differences;
}

namespace {

constexpr std::array<std::string_view, 4> kFramings{"none", "length", "chunked", "until close"};

bool is_control(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return (byte < 0x20 && letter != '\t' && letter != '\n' && letter != '\r') || byte == 0x7f;
}

// `bytes` as text; `plain` becomes false when something had to be escaped. A character that the
// cut at the end of a long body split is left out.
std::string as_text(std::string_view bytes, bool& plain) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto size = spec::text::utf8_sequence(bytes, at);
    if (size > 0 && !is_control(bytes[at])) {
      text.append(bytes.substr(at, size));
      at += size;
      continue;
    }
    text += "\\x" + spec::text::to_hex(bytes.substr(at, 1));
    plain = false;
    ++at;
  }
  return text;
}

std::string as_text(std::string_view bytes) {
  bool plain = true;
  return as_text(bytes, plain);
}

// RFC 3339, UTC, milliseconds.
std::string instant_text(std::chrono::system_clock::time_point at) {
  using std::chrono::milliseconds;
  const auto since = std::chrono::duration_cast<milliseconds>(at.time_since_epoch()).count();
  auto fraction = std::to_string(1000 + since % 1000).substr(1);
  return spec::time::format_date_time({.seconds = since / 1000, .fraction = std::move(fraction)},
                                      {.fraction_digits = 3});
}

json lines_json(const std::vector<spec::http::FieldLine>& lines) {
  auto value = json::array();
  for (const auto& line : lines) {
    value.push_back(as_text(line.raw));
  }
  return value;
}

json request_json(const spec::http::Request& sent) {
  auto headers = json::array();
  for (const auto& [name, value] : sent.headers.lines()) {
    headers.push_back(as_text(name + ": " + value));
  }
  bool plain = true;
  auto body = as_text(sent.body, plain);
  json value{{"method", as_text(sent.method)},
             {"target", as_text(sent.target)},
             {"headers", std::move(headers)},
             {"body", std::move(body)}};
  if (!plain) {
    value["body_base64"] = spec::text::to_base64(sent.body);
  }
  return value;
}

json response_json(const Exchange& exchange) {
  const auto& received = exchange.record;
  auto interim = json::array();
  for (const auto& head : received.interim) {
    interim.push_back(
        {{"status_line", as_text(head.status_line)}, {"headers", lines_json(head.lines)}});
  }
  bool plain = true;
  auto body = as_text(exchange.response.body, plain);
  return {{"status_line", as_text(received.head.status_line)},
          {"headers", lines_json(received.head.lines)},
          {"interim", std::move(interim)},
          {"trailers", lines_json(received.trailers)},
          {"framing", kFramings.at(static_cast<std::size_t>(received.framing))},
          {"chunks", received.chunk_count},
          {"bytes", received.bytes},
          {"body", std::move(body)},
          {"body_bytes", exchange.body_bytes},
          {"text", plain},
          {"cut", exchange.body_bytes > exchange.response.body.size()},
          {"surplus", as_text(received.surplus)}};
}

}  // namespace

json exchange_json(const Exchange& exchange) {
  return {{"started", instant_text(exchange.started)},
          {"url", as_text(exchange.url)},
          {"request", request_json(exchange.sent)},
          {"response", exchange.has_response() ? response_json(exchange) : json(nullptr)},
          {"ending", to_text(exchange.ending)},
          {"failure", as_text(exchange.failure)},
          {"reused_connection", exchange.reused_connection},
          {"timing_us",
           {{"connect", exchange.timing.connect.count()},
            {"first_byte", exchange.timing.first_byte.count()},
            {"total", exchange.timing.total.count()}}}};
}

}  // namespace contract_tests::report
