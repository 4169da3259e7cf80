#pragma once

// Response headers whose values HTTP gives a form or a meaning of its own. The one table of them.
// Pure functions; used by this folder and by messages about it.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::examples {

// The context on which the value of a header may depend.
struct HeaderContext {
  std::uint64_t seed = 0;
  std::int64_t seconds = 0;     // what the time may be, since 1970
  int status = 200;             // of the response
  std::string_view path;        // of the request, still encoded; "" if it is not known
  std::string_view body;        // of the response, JSON where it is
  std::string_view media_type;  // of the response, "" if it has none
  std::string_view allow;       // the methods of the path; "" if they are not known
};

// The source of a declared header's value.
enum class Source : std::uint8_t {
  kContract,          // its example; else the table, because a plain text schema allows anything
  kContractIfStated,  // the same, only where the contract has an example or requires it
  // The table alone: an example is true of some other message. Sent where the contract has an
  // example or requires it.
  kTable,
  kTableIfRequired,  // the same, only where the contract requires it
};

struct HeaderRow {
  std::string_view name;
  // Well-formed values, the best first; null or empty if no value can be sent. Whether one is valid
  // by the header's schema is for the caller to ask.
  std::vector<nlohmann::json> (*make)(const HeaderContext&) = nullptr;
  Source source = Source::kContract;
  bool of_transfer = false;   // of how bytes are transferred or encoded, or a sum of them
  std::string_view why = {};  // the contract's example is not sent
};

// Null for a header that is sent as the contract has it.
const HeaderRow* find_header_row(std::string_view name);

// True if `name` says how bytes are transferred or encoded, or sums them up: no fixture may give
// it. (Connection it may: "close" is done.)
bool is_about_bytes(std::string_view name);

// A Set-Cookie value without the attributes for which a browser rejects the cookie of a server on
// this machine: Domain, Secure, SameSite=None, Partitioned. A cookie whose name demands Secure
// keeps it. Source: RFC 6265 §5.3; RFC 6265bis §4.1.3, §5.7.
std::string acceptable_cookie(std::string_view cookie);

}  // namespace mock_server::examples
