#include "contract_tests/run/masking.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string_view>

namespace contract_tests::run {

using client::Exchange;
using spec::http::AnswerHead;
using spec::http::FieldLine;

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
  return spec::text::shortened(masked(settings, line.substr(0, 2 * kShownLine)), kShownLine);
}

AnswerHead shown_head(const Settings& settings, const AnswerHead& head) {
  AnswerHead copy;
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
  auto text = masked(settings, body.substr(0, 2 * kShownBody));
  text.resize(std::min(text.size(), kShownBody));
  return text;
}

}  // namespace

std::string masked(const Settings& settings, std::string_view text) {
  return settings.secrets.redacted(text);
}

Exchange masked_request(const Settings& settings, const Exchange& exchange) {
  Exchange copy;
  copy.sent.method = exchange.sent.method;
  copy.sent.target = masked(settings, exchange.sent.target);
  copy.sent.body = masked(settings, exchange.sent.body);
  for (const auto& [name, value] : exchange.sent.headers.lines()) {
    auto shown = masked(settings, value);
    const bool is_authorization = spec::text::equals_ignoring_case(name, "Authorization");
    copy.sent.headers.add(
        name, is_authorization ? without_credentials(settings, std::move(shown)) : shown);
  }
  copy.url = masked(settings, exchange.url);
  return copy;
}

Exchange masked_exchange(const Settings& settings, const Exchange& exchange) {
  auto copy = masked_request(settings, exchange);
  const auto& heard = exchange.record;
  copy.record.head = shown_head(settings, heard.head);
  for (const auto& head : heard.interim) {
    if (copy.record.interim.size() < kShownInterim) {
      copy.record.interim.push_back(shown_head(settings, head));
    }
  }
  for (const auto& line : heard.trailers) {
    if (copy.record.trailers.size() < kShownLines) {
      copy.record.trailers.push_back({shown_line(settings, line.raw), line.name, ""});
    }
  }
  copy.record.framing = heard.framing;
  copy.record.declared_length = heard.declared_length;
  copy.record.chunk_count = heard.chunk_count;
  copy.record.surplus = shown_line(settings, heard.surplus);
  copy.record.bytes = heard.bytes;
  copy.response.status = exchange.response.status;
  copy.response.body = shown_body(settings, exchange.response.body);
  copy.body_bytes = exchange.response.body.size();
  copy.continued = exchange.continued;
  copy.reused_connection = exchange.reused_connection;
  copy.ending = exchange.ending;
  copy.failure = masked(settings, exchange.failure);
  copy.timing = exchange.timing;
  return copy;
}

}  // namespace contract_tests::run
