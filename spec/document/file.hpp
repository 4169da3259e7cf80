#pragma once

// A file of text as a whole. Only regular files: reading a pipe, say, might never end.

#include "spec/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace spec::document {

inline constexpr std::uintmax_t kMebibyte = std::uintmax_t{1} << 20U;
inline constexpr std::uintmax_t kMaxFileBytes = 1024 * kMebibyte;

// Why the file cannot be read, "no such file" for instance; "" if it can. `max_bytes` is a number
// of mebibytes.
std::string obstacle(const std::filesystem::path& path, std::uintmax_t max_bytes = kMaxFileBytes);

// Its bytes, or why there are none.
Result<std::string, std::string> read_file(const std::filesystem::path& path,
                                           std::uintmax_t max_bytes = kMaxFileBytes);

}  // namespace spec::document
