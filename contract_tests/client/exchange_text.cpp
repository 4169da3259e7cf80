#include "contract_tests/client/exchange_text.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace contract_tests::client {

using spec::http::FieldLine;
using spec::http::ResponseHead;
using spec::text::without_controls;

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

namespace {

constexpr std::size_t kMaxLength = 300;

// So much of a response is redacted: more than what is shown by at least a token.
constexpr std::size_t kLooked = 16U * 1024;

// Printable text of any bytes.
std::string readable(std::string_view bytes) {
  std::string text;
  for (const char letter : bytes.substr(0, kMaxLength)) {
    if (letter == '\n' || letter == '\r' || letter == '\t') {
      text += ' ';
    } else if (letter >= ' ' && letter <= '~') {
      text += letter;
    } else {
      text += '.';
    }
  }
  return bytes.size() > kMaxLength ? text + "..." : text;
}

std::string header_excerpt(const Exchange& exchange, std::string_view name,
                           const Redaction& redact) {
  std::string text;
  for (const auto& [field, value] : exchange.response.headers.lines()) {
    if (spec::text::equals_ignoring_case(field, name)) {
      text += (text.empty() ? "" : " | ") + field + ": " + value;
    }
  }
  return text.empty() ? "no " + std::string(name) + "; " + exchange.record.head.status_line
                      : readable(redact(text));
}

// The value at the pointer or, where it is missing, the nearest one above it.
std::string body_excerpt(const nlohmann::json& body, std::string pointer, const Redaction& redact) {
  while (true) {
    if (const auto* found = spec::json::find(body, pointer)) {
      return spec::text::shortened((pointer.empty() ? "" : shown_place(pointer, redact) + " = ") +
                                       without_controls(redact(spec::json::write(*found))),
                                   kMaxLength);
    }
    const auto slash = pointer.rfind('/');
    pointer.resize(slash == std::string::npos ? 0 : slash);
  }
}

}  // namespace

std::string shown_place(std::string_view place, const Redaction& redact) {
  auto tokens = spec::json::split_pointer('/' + std::string(place));
  if (!tokens) {
    return without_controls(redact(std::string(place)));  // a name of a header may have a "~"
  }
  for (auto& token : *tokens) {
    token = redact(token);
  }
  return without_controls(spec::json::pointer_of(*tokens).substr(1));
}

std::string response_line(const Exchange& exchange) {
  if (exchange.url.empty()) {
    return {};  // a finding about no response in particular
  }
  if (!exchange.has_response()) {
    const auto why = exchange.failure.empty() ? "" : " (" + exchange.failure + ")";
    return "no response: " + std::string(to_text(exchange.ending)) + why;
  }
  auto line = std::to_string(exchange.status()) + ' ' +
              readable(exchange.response.headers.find("Content-Type").value_or("no media type")) +
              ", " + std::to_string(exchange.response.body.size()) + " bytes";
  return exchange.is_complete() ? line : line + ", " + std::string(to_text(exchange.ending));
}

std::string excerpt(const Exchange& exchange, const nlohmann::json* body, std::string_view place,
                    const Redaction& redact) {
  if (place == "status") {
    return readable(redact(exchange.record.head.status_line));
  }
  if (place.starts_with("header/")) {
    return header_excerpt(exchange, place.substr(7), redact);
  }
  if (place.starts_with("body") && body != nullptr) {
    return body_excerpt(*body, std::string(place.substr(4)), redact);
  }
  auto start = exchange.response.body.substr(0, kLooked);
  if (place == "wire" || start.empty()) {
    const auto line = exchange.record.head.status_line.substr(0, kLooked);
    start = start.empty() ? line : line + ' ' + start;
  }
  return readable(redact(start));
}

}  // namespace contract_tests::client
