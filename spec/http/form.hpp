#pragma once

// Name and value pairs of a query, of an application/x-www-form-urlencoded body (WHATWG URL §5.1)
// and of a Cookie field (RFC 6265 §4.2.1). Values stay encoded, since the parameter's style decides
// what a delimiter inside them means. They are views into the given text.

#include "spec/http/message.hpp"
#include "spec/result.hpp"
#include "spec/text/violation_message.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::http {

struct FormPair {
  std::string name;         // decoded; as written when it cannot be
  std::string_view value;   // still encoded; "" when there is no "="
  bool has_equals = false;  // tells "a=" from "a"
  std::string_view text{};  // the whole pair, as written
};

// The pairs of `text` in order; empty ones ("&&") are left out.
std::vector<FormPair> split_form(std::string_view text);

// The pairs of a Cookie field's value, cut at ";", names as written.
std::vector<FormPair> split_cookies(std::string_view field);

// A part of a multipart body (RFC 2046 §5.1.1, RFC 7578). Views into the given body: nothing is
// copied or written to disk.
struct MultipartPart {
  Headers headers;
  std::string name;                     // of Content-Disposition, unquoted
  std::optional<std::string> filename;  // as sent; never to be used as a path
  std::string_view content;
};

struct MultipartError {
  std::size_t byte_offset = 0;
  text::ViolationMessage message;  // "must end with its closing boundary, but does not"
};

// Reads every part in order. A form-data part without a name, a part header with invalid syntax and
// a missing closing boundary are errors; text before the first and after the last boundary is
// skipped, as RFC 2046 asks.
Result<std::vector<MultipartPart>, MultipartError> read_multipart(std::string_view body,
                                                                  std::string_view boundary);

}  // namespace spec::http
