#pragma once

// Compressed bodies for tests; no program compresses.

#include <string>
#include <string_view>

namespace spec::http {

// `body` as one gzip member.
std::string gzip(std::string_view body);

}  // namespace spec::http
