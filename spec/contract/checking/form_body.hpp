#pragma once

// Forms to objects: application/x-www-form-urlencoded and multipart/form-data bodies, field by
// field as the media type's `encoding` says. The object is judged by the caller.

#include "spec/contract/checking/body.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace spec::contract::checking {

// An object, and the names of its members that could not be read, whose violations are added.
struct FormReading {
  nlohmann::json value = nlohmann::json::object();
  std::set<std::string, std::less<>> faulty;
};

// Source: OpenAPI 3.1.0 §4.8.14.4, §4.8.15.
std::optional<FormReading> read_form(Complaints& complaints, std::string_view body,
                                     const BodyRules& rules);

// Files and other bytes are strings; bytes that are not UTF-8 are read as one character each.
// Nothing when the parts cannot be told apart. Source: OpenAPI 3.1.0 §4.8.14.5, RFC 7578.
std::optional<FormReading> read_multipart_form(Complaints& complaints, std::string_view body,
                                               const BodyRules& rules);

}  // namespace spec::contract::checking
