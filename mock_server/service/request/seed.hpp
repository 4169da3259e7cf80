#pragma once

// The seed of generated examples and random numbers, and how far the session's clock moved
// generated dates.

#include "mock_server/service/request/request_context.hpp"

#include <chrono>
#include <cstdint>

namespace mock_server::service::request {

// The session's own, else the program's.
std::uint64_t seed_of(const RequestContext& context);

// Samples' dates lie in 2025 of themselves; in a session whose clock was moved they lie so much
// later (or earlier, when negative) that they are in the year before its day. Whole days, so that
// a sample stays the same while the clock runs; 0 when the clock was not moved.
std::chrono::seconds dates_moved_by(const RequestContext& context);

}  // namespace mock_server::service::request
