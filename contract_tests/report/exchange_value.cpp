#include "contract_tests/report/exchange_value.hpp"

#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <string_view>

namespace contract_tests::report {

using client::Exchange;
using nlohmann::json;

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
          {"response", exchange.answered() ? response_json(exchange) : json(nullptr)},
          {"ending", to_text(exchange.ending)},
          {"failure", as_text(exchange.failure)},
          {"reused_connection", exchange.reused_connection},
          {"timing_us",
           {{"connect", exchange.timing.connect.count()},
            {"first_byte", exchange.timing.first_byte.count()},
            {"total", exchange.timing.total.count()}}}};
}

}  // namespace contract_tests::report
