#pragma once

// Amounts as people read them: by the currency's number of minor digits, thousands apart.
// Pure functions, safe from any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace mock_server::invoice {

// How many digits the smallest unit of `currency` (a code of three letters) is behind the
// point: 0 for JPY, 3 for KWD, 2 for most and for unknown ones. Source: ISO 4217, minor units.
int minor_digits(std::string_view currency);

// "1,234.50" for 123450 in USD, "1,235" for 1235 in JPY, "-0.005" for -5 in KWD.
std::string format_amount(std::int64_t smallest_units, std::string_view currency);

// "228,991" for "228991", "0.0005" as it is. Precondition: an optional sign, digits, and perhaps a
// point with digits behind it.
std::string format_decimal(std::string_view decimal);

}  // namespace mock_server::invoice
