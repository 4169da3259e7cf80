#pragma once

// Preferences of a request: in the Prefer header, or `__code` and so on in the query for clients
// that cannot set headers. The header has priority. Pure functions.

#include "mock_server/reply/reply.hpp"
#include "spec/http/message.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::request {

struct Preferences {
  std::optional<int> code;             // 200 to 599
  std::optional<std::string> example;  // a named example
  bool dynamic = false;                // generate the response from the schema
  std::optional<std::uint64_t> seed;   // of the generated response
  reply::Delivery delivery;            // delay and fault

  // Of a stream: from one item to the next, and whether it stays open behind the last.
  std::optional<std::chrono::milliseconds> pace;
  std::optional<bool> stays_open;

  std::optional<bool> upstream;  // which responds: the real service (true) or the mock

  bool expects_invalid = false;  // the request violates the contract on purpose; for `run`

  // True if a preference chooses the response itself.
  bool forces_response() const { return code || example || dynamic; }

  // The header's preferences about the choice of the response, and about its delivery.
  std::string applied_choice;
  std::string applied_delivery;

  // The value of Preference-Applied; "" if the header has no preference.
  std::string applied() const {
    const bool both = !applied_choice.empty() && !applied_delivery.empty();
    return applied_choice + (both ? ", " : "") + applied_delivery;
  }

  // Why the preferences cannot be applied; "" if they can.
  std::string violation;
  bool is_unknown = false;  // the violation is an unknown name, not a wrong value

  std::vector<std::string> warnings;  // of misspelt names in the header
};

// Name in lower case; value unquoted, "" when there is none. Parameters after ";" are skipped.
struct Preference {
  std::string name;
  std::string value;
};

// The preferences of one field line, in order. What does not fit the grammar is skipped up to the
// next comma, for a preference may always be ignored. Source: RFC 7240 §2.
std::vector<Preference> parse_preferences(std::string_view line);

// True if the request may have preferences; cheap.
bool may_have_preferences(const spec::http::Request& request);

// True if the request says that it violates the contract on purpose. Changes nothing in the
// response.
bool expects_invalid(const spec::http::Request& request);

// True if a query parameter of this name is a preference: "__code".
bool is_preference(std::string_view parameter);

// The error in the name of a query parameter that begins with "__" and is none of ours: no other
// parameters may begin so.
std::string unknown_preference(std::string_view parameter);

// Ignores other preferences, and parameters that do not begin with "__"; of a repeated preference
// the first counts (RFC 7240 §2).
Preferences read_preferences(const spec::http::Request& request);

}  // namespace mock_server::service::request
