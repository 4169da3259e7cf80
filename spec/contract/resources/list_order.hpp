#pragma once

// Reads what a value of a parameter for the order of a list means: "-name", "price_asc", "newest".
// Pure functions of the contract.

#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::contract::resources {

struct ListOrder {
  std::string at;                  // pointer of the member in a record
  std::optional<bool> descending;  // none: the value does not say
};

// None for a value that names no member of the records.
std::optional<ListOrder> order_of(const Contract& contract, const schema::Schemas& record,
                                  std::string_view value);

// True or false for "desc", "-1", "ascending" and so on; none for any other text.
std::optional<bool> is_descending(std::string_view value);

}  // namespace spec::contract::resources
