#include "contract_tests/run/redaction.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string_view>

namespace contract_tests::run {

using client::Exchange;
using spec::http::FieldLine;
using spec::http::ResponseHead;

namespace {

constexpr std::size_t kShownBody = 16U * 1024;
constexpr std::size_t kShownLine = 2'000;
constexpr std::size_t kShownLines = 100;
constexpr std::size_t kShownInterim = 5;

// Field values that are credentials as a whole: there every secret goes, a plain word too.
std::string without_credentials(const Settings& settings, std::string value) {
  constexpr std::string_view kShownToken = "$TOKEN";
  for (const auto& secret : settings.secrets.words()) {
    for (auto at = value.find(secret); at != std::string::npos;
         at = value.find(secret, at + kShownToken.size())) {
      value.replace(at, secret.size(), kShownToken);
    }
  }
  return value;
}

std::string shown_line(const Settings& settings, const std::string& line) {
  return spec::text::shortened(redacted(settings, line.substr(0, 2 * kShownLine)), kShownLine);
}

ResponseHead shown_head(const Settings& settings, const ResponseHead& head) {
  ResponseHead copy;
  copy.status_line = shown_line(settings, head.status_line);
  copy.status = head.status;
  copy.minor_version = head.minor_version;
  for (const auto& line : head.lines) {
    if (copy.lines.size() == kShownLines) {
      const auto left = std::to_string(head.lines.size() - kShownLines);
      copy.lines.push_back({"... and " + left + " more lines", "", ""});
      break;
    }
    copy.lines.push_back({shown_line(settings, line.raw), line.name, ""});
  }
  return copy;
}

std::string shown_body(const Settings& settings, const std::string& body) {
  auto text = redacted(settings, body.substr(0, 2 * kShownBody));
  text.resize(std::min(text.size(), kShownBody));
  return text;
}

}  // namespace

std::string redacted(const Settings& settings, std::string_view text) {
  return settings.secrets.redacted(text);
}

Exchange redacted_request(const Settings& settings, const Exchange& exchange) {
  Exchange copy;
  copy.started = exchange.started;
  copy.sent.method = exchange.sent.method;
  copy.sent.target = redacted(settings, exchange.sent.target);
  copy.sent.body = redacted(settings, exchange.sent.body);
  for (const auto& [name, value] : exchange.sent.headers.lines()) {
    auto shown = redacted(settings, value);
    const bool is_authorization = spec::text::equals_ignoring_case(name, "Authorization");
    copy.sent.headers.add(
        name, is_authorization ? without_credentials(settings, std::move(shown)) : shown);
  }
  copy.url = redacted(settings, exchange.url);
  return copy;
}

Exchange redacted_exchange(const Settings& settings, const Exchange& exchange) {
  auto copy = redacted_request(settings, exchange);
  const auto& received = exchange.record;
  copy.record.head = shown_head(settings, received.head);
  for (const auto& head : received.interim) {
    if (copy.record.interim.size() < kShownInterim) {
      copy.record.interim.push_back(shown_head(settings, head));
    }
  }
  for (const auto& line : received.trailers) {
    if (copy.record.trailers.size() < kShownLines) {
      copy.record.trailers.push_back({shown_line(settings, line.raw), line.name, ""});
    }
  }
  copy.record.framing = received.framing;
  copy.record.declared_length = received.declared_length;
  copy.record.chunk_count = received.chunk_count;
  copy.record.surplus = shown_line(settings, received.surplus);
  copy.record.bytes = received.bytes;
  copy.response.status = exchange.response.status;
  copy.response.body = shown_body(settings, exchange.response.body);
  copy.body_bytes = exchange.response.body.size();
  copy.continued = exchange.continued;
  copy.reused_connection = exchange.reused_connection;
  copy.ending = exchange.ending;
  copy.failure = redacted(settings, exchange.failure);
  copy.timing = exchange.timing;
  return copy;
}

}  // namespace contract_tests::run
