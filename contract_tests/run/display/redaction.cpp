#include "contract_tests/run/display/redaction.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace contract_tests::run::display {

using client::Exchange;
using spec::http::FieldLine;
using spec::http::ResponseHead;

namespace {

constexpr std::size_t kShownBody = 16U * 1024;
constexpr std::size_t kShownLine = 2'000;
constexpr std::size_t kShownLines = 100;
constexpr std::size_t kShownInterim = 5;

// Field values that are credentials as a whole: there every secret goes, a plain word too.
std::string without_credentials(const Secrets& secrets, std::string value) {
  constexpr std::string_view kShownToken = "$TOKEN";
  for (const auto& secret : secrets.words()) {
    for (auto at = value.find(secret); at != std::string::npos;
         at = value.find(secret, at + kShownToken.size())) {
      value.replace(at, secret.size(), kShownToken);
    }
  }
  return value;
}

std::string shown_line(const Secrets& secrets, const std::string& line) {
  return spec::text::shortened(secrets.redacted(line.substr(0, 2 * kShownLine)), kShownLine);
}

ResponseHead shown_head(const Secrets& secrets, const ResponseHead& head) {
  ResponseHead copy;
  copy.status_line = shown_line(secrets, head.status_line);
  copy.status = head.status;
  copy.minor_version = head.minor_version;
  for (const auto& line : head.lines) {
    if (copy.lines.size() == kShownLines) {
      const auto left = std::to_string(head.lines.size() - kShownLines);
      copy.lines.push_back({"... and " + left + " more lines", "", ""});
      break;
    }
    copy.lines.push_back({shown_line(secrets, line.raw), line.name, ""});
  }
  return copy;
}

std::string shown_body(const Secrets& secrets, const std::string& body) {
  auto text = secrets.redacted(body.substr(0, 2 * kShownBody));
  text.resize(std::min(text.size(), kShownBody));
  return text;
}

}  // namespace

Exchange redacted_request(const Secrets& secrets, const Exchange& exchange) {
  Exchange copy;
  copy.started = exchange.started;
  copy.sent.method = exchange.sent.method;
  copy.sent.target = secrets.redacted(exchange.sent.target);
  copy.sent.body = secrets.redacted(exchange.sent.body);
  for (const auto& [name, value] : exchange.sent.headers.lines()) {
    auto shown = secrets.redacted(value);
    const bool is_authorization = spec::text::equals_ignoring_case(name, "Authorization");
    copy.sent.headers.add(
        name, is_authorization ? without_credentials(secrets, std::move(shown)) : shown);
  }
  copy.url = secrets.redacted(exchange.url);
  return copy;
}

Exchange redacted_exchange(const Secrets& secrets, const Exchange& exchange) {
  auto copy = redacted_request(secrets, exchange);
  const auto& received = exchange.record;
  copy.record.head = shown_head(secrets, received.head);
  for (const auto& head : received.interim) {
    if (copy.record.interim.size() < kShownInterim) {
      copy.record.interim.push_back(shown_head(secrets, head));
    }
  }
  for (const auto& line : received.trailers) {
    if (copy.record.trailers.size() < kShownLines) {
      copy.record.trailers.push_back({shown_line(secrets, line.raw), line.name, ""});
    }
  }
  copy.record.framing = received.framing;
  copy.record.declared_length = received.declared_length;
  copy.record.chunk_count = received.chunk_count;
  copy.record.surplus = shown_line(secrets, received.surplus);
  copy.record.bytes = received.bytes;
  copy.response.status = exchange.response.status;
  copy.response.body = shown_body(secrets, exchange.response.body);
  copy.body_bytes = exchange.response.body.size();
  copy.continued = exchange.continued;
  copy.reused_connection = exchange.reused_connection;
  copy.ending = exchange.ending;
  copy.failure = secrets.redacted(exchange.failure);
  copy.timing = exchange.timing;
  return copy;
}

}  // namespace contract_tests::run::display
