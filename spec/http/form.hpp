#pragma once

// Name and value pairs of a query, of an application/x-www-form-urlencoded body (WHATWG URL §5.1)
// and of a Cookie field (RFC 6265 §4.2.1). Values stay encoded: what a delimiter inside them means
// is for the reader of a parameter's style, and they are views into the text that was given.

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

}  // namespace spec::http
