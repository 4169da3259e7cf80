#pragma once

// What a compiled schema is made of: rules, one for each keyword that asserts or applies something.
// Used by this folder and its sub-folders.

#include <cstdint>

namespace spec::schema {

enum class Keyword : std::uint8_t {
  kFalse,  // the boolean schema `false`
  kType,
  kEnum,
  kConst,
  kMultipleOf,
  kMaximum,
  kExclusiveMaximum,
  kMinimum,
  kExclusiveMinimum,
  kMaxLength,
  kMinLength,
  kPattern,
  kFormat,
  kMaxItems,
  kMinItems,
  kUniqueItems,
  kMaxProperties,
  kMinProperties,
  kNotUnderstood,  // a keyword whose value is not understood and tolerated: undecided
  kRequired,
  kProperties,
  kPatternProperties,
  kAdditionalProperties,
  kObject,  // the four before it at once, in a yes/no run
  kPropertyNames,
  kDependentRequired,
  kPrefixItems,
  kItems,
  kContains,       // with minContains and maxContains
  kDiscriminator,  // beside oneOf or anyOf
  kRef,
  kDynamicRef,
  kAllOf,
  kAnyOf,
  kOneOf,
  kNot,
  kIf,  // with then and else
  kDependentSchemas,
  kUnevaluatedItems,
  kUnevaluatedProperties,
};

// A set of instance types; whole numbers and others are told apart, so that "integer" is one bit.
using TypeSet = std::uint8_t;

inline constexpr TypeSet kNullType = 1;
inline constexpr TypeSet kBooleanType = 2;
inline constexpr TypeSet kIntegerType = 4;
inline constexpr TypeSet kFractionType = 8;
inline constexpr TypeSet kStringType = 16;
inline constexpr TypeSet kArrayType = 32;
inline constexpr TypeSet kObjectType = 64;
inline constexpr TypeSet kNumberType = kIntegerType | kFractionType;
inline constexpr TypeSet kEveryType = 127;

}  // namespace spec::schema
