#pragma once

// The type of an instance as one bit of a TypeSet. Used by this folder and its sub-folders.

#include "spec/schema/keyword.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>

namespace spec::schema {

// The type of a number that is no native integer.
TypeSet type_of_other(const nlohmann::json& value);

inline TypeSet type_of(const nlohmann::json& value) {
  // By nlohmann's order: null, object, array, string, boolean, two integers; the rest takes a look.
  constexpr std::array<TypeSet, 7> kTypes{kNullType,    kObjectType,  kArrayType,  kStringType,
                                          kBooleanType, kIntegerType, kIntegerType};
  const auto index = static_cast<std::size_t>(value.type());
  return index < kTypes.size() ? kTypes[index] : type_of_other(value);
}

}  // namespace spec::schema
