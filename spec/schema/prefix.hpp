#pragma once

// The first eight bytes of a name as one number, so that most names are compared without a look
// at them. Used by this folder and its sub-folders.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace spec::schema {

// The bytes at `bytes` as a number that is ordered as they are.
template <typename Word>
std::uint64_t big_endian_word(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) {
    return word;
  }
  return sizeof(word) == 8 ? __builtin_bswap64(word)
                           : __builtin_bswap32(static_cast<std::uint32_t>(word));
}

// Names are ordered as their prefixes are; for equal prefixes nothing is known. A shorter name is
// filled up with zeros.
inline std::uint64_t prefix_of(std::string_view name) {
  const char* bytes = name.data();
  const std::size_t size = name.size();
  if (size >= 8) {
    return big_endian_word<std::uint64_t>(bytes);
  }
  if (size >= 4) {  // two words that overlap
    return big_endian_word<std::uint32_t>(bytes) << 32U |
           big_endian_word<std::uint32_t>(bytes + size - 4) << (64 - 8 * size);
  }
  const auto at = [bytes](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(bytes[i])} << (56 - 8 * i);
  };
  return size == 0 ? 0 : at(0) | at(size / 2) | at(size - 1);
}

// The order of two names whose prefixes are equal: below 0, 0, above 0.
inline int compare_long_names(std::string_view left, std::string_view right) {
  if (left.size() <= 8 && right.size() <= 8) {
    return static_cast<int>(left.size()) - static_cast<int>(right.size());
  }
  const std::size_t common = std::min(left.size(), right.size());
  if (common < 8) {
    return left.compare(right);
  }
  for (std::size_t at = 8; at < common; at += 8) {
    const std::size_t from = at + 8 <= common ? at : common - 8;  // overlaps what is equal
    const std::uint64_t a = big_endian_word<std::uint64_t>(left.data() + from);
    const std::uint64_t b = big_endian_word<std::uint64_t>(right.data() + from);
    if (a != b) {
      return a < b ? -1 : 1;
    }
  }
  return left.size() == right.size() ? 0 : left.size() < right.size() ? -1 : 1;
}

}  // namespace spec::schema
