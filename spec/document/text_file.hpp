#pragma once

// A file of text as a whole. Only regular files are read: a pipe, say, might never end.

#include "spec/result.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace spec::document {

inline constexpr std::uintmax_t kMebibyte = std::uintmax_t{1} << 20U;
inline constexpr std::uintmax_t kMaxFileBytes = 1024 * kMebibyte;

// The reason why the file cannot be read, "no such file" for instance; "" if it can. `max_bytes` is
// a number of mebibytes.
std::string obstacle(const std::filesystem::path& path, std::uintmax_t max_bytes = kMaxFileBytes);

// The file's bytes, or the reason why it cannot be read.
Result<std::string, std::string> read_file(const std::filesystem::path& path,
                                           std::uintmax_t max_bytes = kMaxFileBytes);

// Writes the file whole or not at all: first to a file beside it, whose name no other writer has.
// Returns the reason if that failed, and then nothing was changed; "" if it succeeded. `mode`: as
// of open().
[[nodiscard]] std::string replace_file(const std::filesystem::path& path, std::string_view text,
                                       unsigned mode = 0666);

// Writes all of `text` to an open file; on failure errno is set.
[[nodiscard]] bool write_all(int descriptor, std::string_view text);

// Line and column, counted from 1.
struct Spot {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison with 0 for a pointer.
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  // The place of the byte at `offset`; the end, if `offset` is beyond it. A smaller offset than the
  // last one starts over. "\n", "\r\n" and a lone "\r" end a line (YAML 1.2.2 §5.4).
  Spot locate(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  Spot spot_;
};

// The paths of the entries of `folder` (folder / name), sorted, without "." and "..". Empty if the
// folder does not exist or cannot be read.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder);

}  // namespace spec::document
