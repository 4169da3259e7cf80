#pragma once

// The values that are tried at one place of a valid instance, to violate one keyword there or to be
// at one of its bounds. They may be valid or not: boundary.cpp validates each. Used by this folder
// only.

#include "spec/schema/generate/constraints.hpp"
#include "spec/schema/generate/generator.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace spec::schema::generate {

// The shared arguments of the candidates of one place.
struct CandidateContext {
  const SchemaSet& schemas;
  const Generator& generator;
  const GenerateOptions& options;
};

// Kinds of candidates that boundary.cpp knows: the lowest and the highest number, and the longest
// text, of characters beyond U+FFFF.
inline constexpr const char* kLow = "low";
inline constexpr const char* kHigh = "high";
inline constexpr const char* kWide = "wide";

// A value that replaces the instance's, and its kind.
struct Candidate {
  nlohmann::json value;
  const char* kind;
};

// The candidates for a place where `value` is valid under `constraints`; `value` itself may be
// among them.
std::vector<Candidate> candidates(const CandidateContext& context, const nlohmann::json& value,
                                  const Constraints& constraints);

}  // namespace spec::schema::generate
