#pragma once

// Payment records for the tests of this folder.

#include <nlohmann/json.hpp>

namespace mock_server::invoice {

// A record with every member, all of it in Latin letters.
inline nlohmann::json sample_payment() {
  return nlohmann::json::parse(R"({
    "payment_id": "pay_5Yk2TnWq8VxLz0RcJm3Hd",
    "number": "MG-2025-000418",
    "issued_at": "2025-08-03T09:14:07.318204Z",
    "paid_at": "2025-12-31T23:59:59.052817Z",
    "currency": "USD",
    "payment_method": "Card ending in 4242",
    "subscription_id": "sub_8LqWz3NcYt5KmRx1VhTbP",
    "seller": {"brand_id": "brnd_2RnXc6TwKq9LmZv4YhJsP", "name": "Marigold Maps",
               "address": ["14 Quayside Row", "Bristol"], "email": "support@marigold.example",
               "url": "https://marigold.example", "tax_id": "GB 000 0000 00"},
    "customer": {"customer_id": "cus_6TzQm1XkWn7RvYc3LpHdJ", "name": "J\u00fcrgen Wei\u00df",
                 "address": ["Lindenstra\u00dfe 9", "Freiburg"], "email": "j@weiss.example",
                 "tax_id": "DE 111"},
    "lines": [
      {"description": "Fleet plan", "quantity": "1", "unit_price": "249.00", "amount": 24900},
      {"description": "Map tiles", "quantity": "228991", "unit_price": "0.0005", "amount": 11450}
    ],
    "subtotal": 36350,
    "discount": {"description": "Members", "amount": 350},
    "taxes": [{"name": "VAT", "rate": "20", "amount": 7200}],
    "total": 43200,
    "note": "Thank you."
  })");
}

}  // namespace mock_server::invoice
