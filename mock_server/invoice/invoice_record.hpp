#pragma once

// An invoice, read from a payment record. The record's own schema, in
// fixtures/operations.yaml, names the same members and bounds; a record that passes it can be read.

#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::invoice {

// Beyond these a record is rejected, so that no invoice takes seconds to draw.
inline constexpr std::size_t kMaxElements = 500;
inline constexpr std::size_t kMaxTextBytes = 2000;  // of one text: 500 characters always fit
inline constexpr std::size_t kMaxDecimalBytes = 24;

struct Party {
  std::string id;  // "" if the record has none
  std::string name;
  std::vector<std::string> address;
  std::string email;
  std::string url;
  std::string tax_id;
};

struct Line {
  std::string description;
  std::string quantity;    // a decimal
  std::string unit_price;  // a decimal, in the currency's major unit
  std::int64_t amount = 0;
};

struct Discount {
  std::string description;
  std::int64_t amount = 0;
};

struct Tax {
  std::string name;
  std::string rate;  // per cent, a decimal
  std::int64_t amount = 0;
};

// Amounts count the smallest unit of `currency`.
struct Invoice {
  std::string payment_id;
  std::string number;
  std::string issued_at;  // RFC 3339
  std::string paid_at;    // "" if not paid
  std::string currency;
  std::string payment_method;  // "" if not paid
  std::string subscription_id;
  Party seller;
  Party customer;
  std::vector<Line> lines;
  std::int64_t subtotal = 0;
  std::optional<Discount> discount;
  std::vector<Tax> taxes;
  std::int64_t total = 0;
  std::string note;
};

// The failure names the first member that is missing or cannot be printed:
// "lines/0/amount must be a 64-bit integer".
spec::Result<Invoice, std::string> read_invoice(const nlohmann::json& payment);

}  // namespace mock_server::invoice
