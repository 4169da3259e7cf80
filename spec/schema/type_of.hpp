#pragma once

// The type of an instance as one bit of a TypeSet. Used by this folder and its sub-folders.

#include "spec/json/number.hpp"
#include "spec/schema/keyword.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>

namespace spec::schema {

// Without a look at the digits: of a number that may have a fraction, both bits.
inline TypeSet quick_type_of(const nlohmann::json& value) {
  // By nlohmann's order; exact numbers are binary.
  constexpr std::array<TypeSet, 10> kTypes{kNullType,    kObjectType,  kArrayType,   kStringType,
                                           kBooleanType, kIntegerType, kIntegerType, kNumberType,
                                           kNumberType,  kNumberType};
  return kTypes[static_cast<std::size_t>(value.type())];
}

inline TypeSet type_of(const nlohmann::json& value) {
  const TypeSet type = quick_type_of(value);
  if (type != kNumberType) {
    return type;
  }
  return json::is_integer(value) ? kIntegerType : kFractionType;
}

}  // namespace spec::schema
