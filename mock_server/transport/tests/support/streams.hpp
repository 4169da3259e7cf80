#pragma once

// Generated streams of requests: mostly sound, some with one thing wrong. A stream is a function of
// its seed alone.

#include <cstdint>
#include <string>

namespace mock_server::transport::testing {

std::string generated_stream(std::uint64_t seed);

}  // namespace mock_server::transport::testing
