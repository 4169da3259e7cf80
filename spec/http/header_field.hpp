#pragma once

// Header fields: which belong to one connection or transfer, which may be ignored, and how their
// values are read. For code that forwards, stores or validates messages.

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace spec::http {

// `Connection` may name more. Source: RFC 9110 §7.6.1; RFC 2616 §13.5.1 for `Trailer`.
inline bool is_of_connection(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kNames{
      "Connection", "Keep-Alive", "Proxy-Connection", "TE",
      "Trailer",    "Upgrade",    "Transfer-Encoding"};
  return std::ranges::any_of(
      kNames, [name](std::string_view one) { return text::equals_ignoring_case(one, name); });
}

// These, and the fields about the bytes of a body, which depend on the codings that a client
// accepts. Source: RFC 9110 §8.4, §8.6.
inline bool is_of_transfer(std::string_view name) {
  return is_of_connection(name) || text::equals_ignoring_case(name, "Content-Length") ||
         text::equals_ignoring_case(name, "Content-Encoding");
}

// Fields of a request that a server may ignore, whatever their value: with an invalid one the
// request is as valid as without. Source: RFC 7240 §2; RFC 9110 §10.1.4, §12.5, §13.1.3, §13.1.4,
// §14.2; RFC 9111 §5.2; Trace Context §3.3.
inline bool is_ignored_where_invalid(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kNames{"Prefer",
                                                           "If-Modified-Since",
                                                           "If-Unmodified-Since",
                                                           "Range",
                                                           "If-Range",
                                                           "Accept",
                                                           "Accept-Charset",
                                                           "Accept-Encoding",
                                                           "Accept-Language",
                                                           "Cache-Control",
                                                           "Pragma",
                                                           "TE",
                                                           "traceparent",
                                                           "tracestate"};
  return std::ranges::any_of(
      kNames, [name](std::string_view one) { return text::equals_ignoring_case(one, name); });
}

// Reads a field value from left to right. If a token, a letter or blanks are not next, the place
// stays.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  // True if `letter` is next; does not read it.
  bool is_at(char letter) const { return rest_.starts_with(letter); }

  bool take(char letter) {
    const bool there = is_at(letter);
    rest_.remove_prefix(there ? 1 : 0);
    return there;
  }

  bool blanks() { return !until(rest_.find_first_not_of(" \t")).empty(); }

  std::string_view token() { return until(run_of(rest_, kTokenByte)); }

  // Reads up to the first of `ends`.
  std::string_view read_until_any(std::string_view ends) {
    return until(rest_.find_first_of(ends));
  }

  // The text of a quoted string, unescaped; none if it is missing or not closed.
  std::optional<std::string> quoted() {
    if (!take('"')) {
      return std::nullopt;
    }
    std::string text = unescaped();
    return take('"') ? std::optional(std::move(text)) : std::nullopt;
  }

  // A token, or the text of a quoted string, also of one that is not closed.
  std::string word() {
    if (!take('"')) {
      return std::string(token());
    }
    std::string text = unescaped();
    take('"');
    return text;
  }

 private:
  std::string unescaped() {
    std::string text;
    while (!at_end() && !is_at('"') && !(take('\\') && at_end())) {
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    return text;
  }

  std::string_view until(std::size_t end) {
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(text.size());
    return text;
  }

  std::string_view rest_;
};

// The text as a field value: a token, or quoted if it is none. Source: RFC 9110 §5.6.4.
inline std::string token_or_quoted(std::string_view text) {
  if (is_token(text)) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char letter : text) {
    quoted += letter == '"' || letter == '\\' ? "\\" : "";
    quoted += letter;
  }
  return quoted + '"';
}

// The values of every line of `name`, joined by ", "; none if there is no line. Only for fields
// that are lists: Accept, If-None-Match, Prefer. Source: RFC 9110 §5.3.
inline std::optional<std::string> list_field(const Headers& headers, std::string_view name) {
  const auto values = headers.all(name);
  return values.empty() ? std::nullopt : std::optional(text::join(values));
}

// Calls `visit` with each element of a list, without blanks around it; empty elements are left out.
// For elements that hold no comma themselves. Source: RFC 9110 §5.6.1.
template <typename Visit>
void for_each_element(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view element = trimmed(list.substr(0, comma));
    if (!element.empty()) {
      visit(element);
    }
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
}

}  // namespace spec::http
