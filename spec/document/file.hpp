#pragma once

// A file of text as a whole. Only regular files are read: a pipe, say, might never end.

#include "spec/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace spec::document {

inline constexpr std::uintmax_t kMebibyte = std::uintmax_t{1} << 20U;
inline constexpr std::uintmax_t kMaxFileBytes = 1024 * kMebibyte;

// Why the file cannot be read, "no such file" for instance; "" if it can. `max_bytes` is a number
// of mebibytes.
std::string obstacle(const std::filesystem::path& path, std::uintmax_t max_bytes = kMaxFileBytes);

// Its bytes, or why there are none.
Result<std::string, std::string> read_file(const std::filesystem::path& path,
                                           std::uintmax_t max_bytes = kMaxFileBytes);

// Writes the file whole or not at all: beside it first, under a name that no other writer has. Why
// it could not be written, then nothing was changed; "" if it was. `mode`: as of open().
[[nodiscard]] std::string replace_file(const std::filesystem::path& path, std::string_view text,
                                       unsigned mode = 0666);

// Writes all of it to an open file; if that fails, errno says why.
[[nodiscard]] bool write_all(int descriptor, std::string_view text);

}  // namespace spec::document
