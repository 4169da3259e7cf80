#pragma once

// Makes the members of a generated object agree with each other: sums, products, lower and upper
// ends, and what the frame of a list says of its list. The mock keeps sums of its records by it.

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace spec::schema::generate {

// Gives a member another value; false if its schema does not allow that.
using Change = std::function<bool(const std::string& member, nlohmann::json value)>;

// The plain name of an amount without its unit: "unitprice" for "unit_price_cents".
std::string amount_name(std::string_view member);

// Members for which `is_stated` are as the contract states them and stay so, but for those of the
// frame of a list.
void make_agree(const nlohmann::json& object,
                const std::function<bool(const std::string&)>& is_stated, const Change& change);

// Makes the total of `object` the sum over the elements of `list`, each a price times a quantity,
// and with it what adds up to other members. Nothing changes if an element has no such amounts.
void add_up_list(const nlohmann::json& list, const nlohmann::json& object,
                 const std::function<bool(const std::string&)>& is_stated, const Change& change);

}  // namespace spec::schema::generate
