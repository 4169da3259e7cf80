#pragma once

#include <string_view>

namespace spec::http {

// Whether requests of the method are not meant to change anything. Source: RFC 9110 §9.2.1.
constexpr bool is_safe_method(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE";
}

}  // namespace spec::http
