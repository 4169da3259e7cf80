#pragma once

// What a caller preferences the response to be: preferences of the Prefer header, or `__code` and so on in
// the query for callers that cannot set headers. The header wins. Pure functions.

#include "mock_server/reply/reply.hpp"
#include "spec/http/message.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace mock_server::service {

struct Preferences {
  std::optional<int> code;             // 200 to 599
  std::optional<std::string> example;  // a named example
  bool dynamic = false;                // a sample made from the schema
  std::optional<std::uint64_t> seed;   // of that sample
  reply::Delivery delivery;            // delay and fault

  // True when the response itself is chosen by the caller.
  bool forces_response() const { return code || example || dynamic; }

  // The header's preferences about the choice of the response, and about its delivery.
  std::string applied_choice;
  std::string applied_delivery;

  // What Preference-Applied says; "" when the header asked nothing.
  std::string applied() const {
    const bool both = !applied_choice.empty() && !applied_delivery.empty();
    return applied_choice + (both ? ", " : "") + applied_delivery;
  }

  // Why the preferences cannot be obeyed; "" when they can be.
  std::string violation;
  bool is_unknown = false;  // the violation is about a name there is not, not about a wrong value
};

// True when the request may hold preferences at all; cheap.
bool may_have_preferences(const spec::http::Request& request);

// Preferences that are not ours, and parameters that do not start with "__", are ignored; of one
// that is given several times the first counts (RFC 7240 §2).
Preferences read_preferences(const spec::http::Request& request);

}  // namespace mock_server::service
