#include "contract_tests/recorded/exchange.hpp"

#include "contract_tests/client/client.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/response_parser.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

namespace contract_tests::recorded {

using client::Exchange;
using spec::har::Call;
using spec::http::Headers;

namespace {

constexpr int kNoContent = 204;
constexpr int kNotModified = 304;
constexpr double kMaxTimeMs = 1e9;  // a recording may hold any number

// Fields over the coded bytes of a body.
constexpr std::array<std::string_view, 3> kOfCodedBytes{"Content-Digest", "Repr-Digest", "Digest"};

template <typename Names>
bool is_among(const Names& names, std::string_view name) {
  return std::ranges::any_of(names, [name](std::string_view other) {
    return spec::text::equals_ignoring_case(name, other);
  });
}

// By names of fields, of which case does not count.
bool begins_with(std::string_view name, std::string_view prefix) {
  return spec::text::equals_ignoring_case(name.substr(0, prefix.size()), prefix);
}

Headers without_transfer_fields(const Headers& headers) {
  const bool was_coded = headers.has("Content-Encoding");
  Headers kept;
  for (const auto& [name, value] : headers.lines()) {
    if (!is_of_recorded_transfer(name) && !(was_coded && is_among(kOfCodedBytes, name))) {
      add_lines(kept, name, value);
    }
  }
  return kept;
}

}  // namespace

bool is_of_recorded_transfer(std::string_view field) {
  return spec::http::is_of_transfer(field) || spec::text::equals_ignoring_case(field, "Alt-Svc");
}

void add_lines(Headers& headers, const std::string& name, std::string_view value) {
  while (true) {
    const auto end = std::min(value.find('\n'), value.size());
    std::string line(value.substr(0, end));
    std::erase_if(line, [](char letter) { return letter == '\r' || letter == '\0'; });
    headers.add(name, std::move(line));
    if (end == value.size()) {
      return;
    }
    value.remove_prefix(end + 1);
  }
}

bool is_conditional(const Headers& headers) {
  return std::ranges::any_of(headers.lines(), [](const auto& line) {
    return begins_with(line.first, "If-") || spec::text::equals_ignoring_case(line.first, "Range");
  });
}

Exchange exchange_of(const Call& call) {
  Exchange exchange;
  exchange.sent = call.request;
  exchange.url = call.url;
  client::ClientLimits limits;
  limits.response.body_bytes = std::max(limits.response.body_bytes, call.response->body.size());
  const int status = call.response->status;
  const bool has_body =
      call.request.method != "HEAD" && status != kNoContent && status != kNotModified;
  auto headers = without_transfer_fields(call.response->headers);
  if (has_body) {
    headers.set("Content-Length", std::to_string(call.response->body.size()));
  }
  auto bytes = "HTTP/1.1 " + std::to_string(status) + " \r\n";
  for (const auto& [name, value] : headers.lines()) {
    bytes += name + ": " + value + "\r\n";
  }
  bytes += "\r\n" + (has_body ? call.response->body : std::string());
  spec::http::ResponseParser parser(call.request.method, limits.response);
  parser.feed(bytes);
  parser.end_of_input();
  client::complete(exchange, parser.take(), limits.coding);
  exchange.timing.total = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::duration<double, std::milli>(std::clamp(call.time_ms, 0.0, kMaxTimeMs)));
  return exchange;
}

}  // namespace contract_tests::recorded
