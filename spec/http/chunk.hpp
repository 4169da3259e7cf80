#pragma once

// Bodies in chunks (RFC 9112 §7.1), written. Both programs use it; the parsers read chunks.

#include <string>
#include <string_view>

namespace spec::http {

// `bytes` as one chunk; nothing for none, because a chunk without bytes ends the body.
std::string chunk(std::string_view bytes);

inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace spec::http
