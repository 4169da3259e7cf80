#include "contract_tests/run/display/describe.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

namespace contract_tests::run::display {

using client::Exchange;
using spec::text::without_controls;

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
  if (!exchange.answered()) {
    const auto why = exchange.failure.empty() ? "" : " (" + exchange.failure + ")";
    return "no response: " + std::string(to_text(exchange.ending)) + why;
  }
  auto line = std::to_string(exchange.status()) + ' ' +
              readable(exchange.response.headers.find("Content-Type").value_or("no media type")) +
              ", " + std::to_string(exchange.response.body.size()) + " bytes";
  return exchange.whole() ? line : line + ", " + std::string(to_text(exchange.ending));
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

}  // namespace contract_tests::run::display
