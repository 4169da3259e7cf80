#pragma once

// Response headers that say how a message is transferred or what its bytes are. What a contract's
// example says of them is true of some other message, so the sender makes them itself or leaves
// them out. The one table of them. Pure functions; used by this folder, and by who tells of it.

#include "spec/contract/contract.hpp"
#include "spec/contract/samples/header_values.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract::samples {

struct OwnHeader {
  std::string_view name;
  // True values for a message, the best first; null where none can be sent.
  std::vector<nlohmann::json> (*make)(const HeaderContext&) = nullptr;
  bool only_required = false;  // is sent only where the contract requires it
  bool of_transfer = false;    // of how bytes are transferred or encoded, or a sum of them
  std::string_view why;
};

// Whether `name` says how bytes are transferred or encoded, or sums them up: no fixture may give
// it. (Connection it may: "close" is done.)
bool is_of_transfer(std::string_view name);

// The row of `name`; null for a header that is sent as the contract has it.
const OwnHeader* find_own_header(std::string_view name);

// A Set-Cookie value without the attributes for which a browser refuses the cookie of a server on
// this machine: Domain, Secure, SameSite=None, Partitioned. A cookie whose name demands Secure
// keeps it. Source: RFC 6265 §5.3; RFC 6265bis §4.1.3, §5.7.
std::string acceptable_cookie(std::string_view cookie);

enum class NotAsDeclared : std::uint8_t { kAll, kMissed };

// The declared headers of responses that are not sent as their examples say, or of these the ones
// that are required and left out, each once, at its place and with the reason.
std::vector<Problem> headers_not_as_declared(const Contract& contract, NotAsDeclared which);

}  // namespace spec::contract::samples
