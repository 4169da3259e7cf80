#pragma once

// Invoices as PDF documents, made from payment records. What a record holds: record.hpp and the
// collection's schema in fixtures/operations.yaml. Pure functions of the record, safe from any
// thread; the same record gives the same bytes.

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace mock_server::invoice {

// Why no invoice can be made from `payment`: "lines/0/amount must be a 64-bit integer", or the
// font that is not installed; nothing if one can. Cheap: draws nothing.
std::optional<std::string> invoice_problem(const nlohmann::json& payment);

// The invoice's bytes: A4 pages with every text of the record, long ones wrapped, as many pages as
// its lines need. Takes milliseconds: draw once and keep. Throws std::runtime_error with
// invoice_problem's text, or when libharu fails.
std::string render_invoice(const nlohmann::json& payment);

}  // namespace mock_server::invoice
