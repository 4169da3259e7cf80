#pragma once

// Names of members, parameters and segments of paths, compared whatever their spelling. Pure
// functions.

#include <string>
#include <string_view>

namespace spec::text {

// Lower case, letters and digits alone: "customerId" and "customer_id" are "customerid".
std::string plain_name(std::string_view name);

// "customer" for "customers", "category" for "categories", "box" for "boxes".
std::string singular(std::string_view plural);

}  // namespace spec::text
