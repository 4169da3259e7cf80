#pragma once

// What decides over what is made up for a call: the seed of samples and of chance, and how far the
// session's clock moved their dates.

#include "mock_server/service/call.hpp"

#include <chrono>
#include <cstdint>

namespace mock_server::service {

// The session's own, else the program's.
std::uint64_t seed_of(const Call& call);

// Samples' dates lie in 2025 of themselves; in a session whose clock was moved they lie so much
// later (or earlier, when negative) that they are in the year before its day. Whole days, so that
// a sample stays the same while the clock runs; 0 when the clock was not moved.
std::chrono::seconds dates_moved_by(const Call& call);

}  // namespace mock_server::service
