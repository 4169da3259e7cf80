#pragma once

// Dates, times and durations of RFC 3339. Pure functions, safe from any thread.

#include <string_view>

namespace spec::schema::formats {

// Source: RFC 3339 §5.6 and §5.7 (a leap second only at 23:59:60 UTC), appendix A for durations.
bool is_date(std::string_view text);
bool is_time(std::string_view text);
bool is_date_time(std::string_view text);
bool is_duration(std::string_view text);

}  // namespace spec::schema::formats
