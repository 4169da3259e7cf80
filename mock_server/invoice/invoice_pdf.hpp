#pragma once

// Invoices as PDF documents, made from payment records. What a record holds: invoice_record.hpp and
// the collection's schema in fixtures/operations.yaml. Pure functions of the record, safe from any
// thread; the same record gives the same bytes.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::invoice {

// The number of digits that the smallest unit of `currency` (a code of three letters) is behind the
// point: 0 for JPY, 3 for KWD, 2 for most and for unknown ones. Source: ISO 4217, minor units.
int minor_digits(std::string_view currency);

// "1,234.50" for 123450 in USD, "1,235" for 1235 in JPY, "-0.005" for -5 in KWD.
std::string format_amount(std::int64_t smallest_units, std::string_view currency);

// "228,991" for "228991", "0.0005" as it is. Precondition: an optional sign, digits, and perhaps a
// point with digits behind it.
std::string format_decimal(std::string_view decimal);

// Why no invoice can be made from `payment`: "lines/0/amount must be a 64-bit integer", or the
// font that is not installed; nothing if one can. Cheap: draws nothing.
std::optional<std::string> invoice_problem(const nlohmann::json& payment);

// The invoice's bytes: A4 pages with every text of the record, long ones wrapped, as many pages as
// its lines need. Takes milliseconds: draw once and keep. Throws std::runtime_error with
// invoice_problem's text, or when libharu fails.
std::string render_invoice(const nlohmann::json& payment);

}  // namespace mock_server::invoice
