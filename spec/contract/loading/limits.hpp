#pragma once

namespace spec::contract::loading {

// A chain of references that is longer than this is taken for a circle.
inline constexpr int kMaxReferences = 64;

}  // namespace spec::contract::loading
