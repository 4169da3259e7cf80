#pragma once

// Members that follow from others: a cart's item with `product_id` repeats `product_name` and
// `unit_price` of that product, and the cart's `total` is the sum of its items. Pure functions.

#include "mock_server/api/collection.hpp"
#include "mock_server/api/record_access.hpp"
#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace mock_server::api {

// The record to which the member refers by that key; null if there is none.
using FindReferred =
    std::function<SharedValue(const std::string& member, const nlohmann::json& key)>;

// How an object shows a record.
enum class Showing : std::uint8_t {
  kBare,     // the object is generated: its texts and numbers, but for keys of other records
  kWhole,    // the object is generated: all that its schemas have
  kMissing,  // what the object lacks
};

// Sets members of an object of these schemas that the record `other` has, too.
void show_members(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                  const nlohmann::json& other, Showing how, nlohmann::json& object);

// Sets members of these schemas that repeat one of a referred record, also in objects of lists:
// those that `record` lacks; all of them if `is_made_up`. Objects that show the referred record, or
// were sent with its key alone, have its members. What the schema rejects is left.
void repeat_members(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                    const FindReferred& find, bool is_made_up, nlohmann::json& record);

// The schemas of the elements have a price and a quantity.
bool has_amounts(const spec::contract::Contract& contract, const spec::schema::Schemas& elements);

// True if the object has a price or a quantity, or a list of what may have some.
bool has_amount(const nlohmann::json& object);

// True for members that requests gave, and which stay.
using IsStated = std::function<bool(const std::string& member)>;

// Makes `subtotal`, `total` and the like the sum over `list`, where these schemas have them.
void add_up(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
            const nlohmann::json& list, const IsStated& is_stated, nlohmann::json& record);

// Makes the totals of a record, and of what is in its lists, the product of price and quantity
// where it has both; then those over its first list with such, and the counts of its lists: but for
// those in `sent`, which may be null.
void add_up_lines(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                  const nlohmann::json* sent, nlohmann::json& record);

}  // namespace mock_server::api
