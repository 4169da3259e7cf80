#pragma once

// Dates as HTTP fields write them. Pure functions. Source: RFC 9110 §5.6.7, IMF-fixdate.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spec::time {

// "Sun, 06 Nov 1994 08:49:37 GMT". `seconds` since 1970-01-01T00:00:00Z. Precondition: the year
// lies between 0 and 9999.
std::string format_http_date(std::int64_t seconds);

// The seconds since 1970; nothing for a text that is no such date, or of another weekday. The
// obsolete forms are none.
std::optional<std::int64_t> parse_http_date(std::string_view text);

}  // namespace spec::time
