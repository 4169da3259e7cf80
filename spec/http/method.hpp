#pragma once

// HTTP's methods: one row each, of which all sets of methods are made. A method without a row has
// none of these properties, and no operation. Pure functions.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace spec::http {

// The meaning of a request's body: HTTP defines it, leaves it to others, or defines none.
enum class BodyUse : std::uint8_t { kDefined, kOpen, kUndefined };

struct Method {
  std::string_view name;
  std::string_view field;  // of OpenAPI's Path Item Object
  int place;               // in an Allow field
  bool is_safe;            // its requests are not meant to change anything
  bool is_idempotent;      // sent twice, a request has the effect of one
  BodyUse body;
};

// In the order of OpenAPI. Source: RFC 9110 §9.2, §9.3, RFC 5789 §2, RFC 10008 §2,
// OpenAPI 3.2.0, Path Item Object.
inline constexpr std::array kMethods = std::to_array<Method>({
    {"GET", "get", 0, true, true, BodyUse::kUndefined},
    {"PUT", "put", 3, false, true, BodyUse::kDefined},
    {"POST", "post", 2, false, false, BodyUse::kDefined},
    {"DELETE", "delete", 5, false, true, BodyUse::kUndefined},
    {"OPTIONS", "options", 7, true, true, BodyUse::kOpen},
    {"HEAD", "head", 1, true, true, BodyUse::kUndefined},
    {"PATCH", "patch", 4, false, false, BodyUse::kDefined},
    {"TRACE", "trace", 6, true, true, BodyUse::kUndefined},
    {"QUERY", "query", 8, true, true, BodyUse::kDefined},
});

// Null if the method has no row.
constexpr const Method* find_method(std::string_view name) {
  const auto* const found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : found;
}

constexpr bool is_safe_method(std::string_view name) {
  const Method* const method = find_method(name);
  return method != nullptr && method->is_safe;
}

constexpr bool is_idempotent_method(std::string_view name) {
  const Method* const method = find_method(name);
  return method != nullptr && method->is_idempotent;
}

constexpr bool has_body_use(std::string_view name, BodyUse use) {
  const Method* const method = find_method(name);
  return method != nullptr && method->body == use;
}

// The method whose response is sent: HEAD gets the fields, and so the length, of GET's. Source: RFC
// 9110 §9.3.2, §8.6.
constexpr std::string_view response_method(std::string_view name) {
  return name == "HEAD" ? "GET" : name;
}

}  // namespace spec::http
