#pragma once

// The Prefer header as RFC 7240 writes it. Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::request {

// Name in lower case; value unquoted, "" when there is none. Parameters after ";" are skipped.
struct Preference {
  std::string name;
  std::string value;
};

// The preferences of one field line, in order. What does not fit the grammar is skipped up to the
// next comma, for a preference may always be ignored. Source: RFC 7240 §2.
std::vector<Preference> parse_preferences(std::string_view line);

}  // namespace mock_server::service::request
