#pragma once

// A description whose problems LoadOptions::tolerate would make warnings of. For programs that say
// so.

#include "spec/load_error.hpp"

namespace spec::contract {

class TolerableError : public LoadError {
 public:
  using LoadError::LoadError;
};

// How the warning about a tolerated problem begins.
inline constexpr const char* kTolerated = "not understood, what rests on it is undecided: ";

// What to add to the problems when they are printed.
inline constexpr const char* kTolerateHint =
    "--tolerate starts all the same: what rests on these places is then undecided, never valid";

}  // namespace spec::contract
