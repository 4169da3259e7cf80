#pragma once

// Instants as RFC 3339 writes them: parsed by the full grammar with calendar and leap seconds, and
// compared exactly, whatever their offsets and however many fraction digits they carry. Shared by
// the `date-time` formats, the mock's filters and clocks and the suite's rules. Pure functions.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spec::time {

// A point in time. `seconds` counts from 1970-01-01T00:00:00Z without leap seconds, so that
// 23:59:60 shares its second with the 00:00:00 that follows; `leap` puts it before that one.
// `fraction` is the digits after the point without trailing zeros.
struct Instant {
  std::int64_t seconds = 0;
  bool leap = false;
  std::string fraction;
  bool utc = false;  // written with "Z" or a zero offset; plays no part in comparison

  friend bool operator==(const Instant& left, const Instant& right) {
    return std::is_eq(left <=> right);
  }

  friend std::strong_ordering operator<=>(const Instant& left, const Instant& right);
};

// `text` as a date-time; none if it is none. A leap second is accepted where one is possible: at
// 23:59:60 UTC on 30 June or 31 December. Source: RFC 3339 §5.6, §5.7.
std::optional<Instant> parse_date_time(std::string_view text);

// The spelling of an instant: on a clock at `offset_minutes` from UTC ("Z" for 0), with its own
// number of fraction digits or exactly as many as given (cut, not rounded).
struct Spelling {
  int offset_minutes = 0;
  std::optional<std::size_t> fraction_digits = std::nullopt;
};

// "2025-08-04T05:43:19.882409Z". Precondition: the year lies between 0 and 9999.
std::string format_date_time(const Instant& instant, const Spelling& spelling = {});

// full-date and full-time of RFC 3339 §5.6. A full-time's leap second is at 23:59:60 UTC.
bool is_full_date(std::string_view text);
bool is_full_time(std::string_view text);

// duration of RFC 3339, appendix A.
bool is_duration(std::string_view text);

// "Sun, 06 Nov 1994 08:49:37 GMT". `seconds` since 1970-01-01T00:00:00Z. Precondition: the year
// lies between 0 and 9999.
std::string format_http_date(std::int64_t seconds);

// The seconds since 1970; none for a text that is no such date, or of another weekday. The obsolete
// forms are invalid.
std::optional<std::int64_t> parse_http_date(std::string_view text);

}  // namespace spec::time
