#pragma once

// Fields whose value is a list and that may be written on several lines: the lines are one list.

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spec::http {

// The values of every line of `name`, joined by ", "; nothing when there is no line. Only for
// fields that are lists: Accept, If-None-Match, Prefer. Source: RFC 9110 §5.3.
std::optional<std::string> list_field(const Headers& headers, std::string_view name);

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
