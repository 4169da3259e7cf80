#pragma once

// The first eight bytes of a name as one number, so that most names are told apart without a look
// at them. Used by this folder and its sub-folders.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace spec::schema {

// The four bytes at `bytes` as a number that is ordered as they are.
inline std::uint64_t big_endian_word(const char* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return std::endian::native == std::endian::big ? word : __builtin_bswap32(word);
}

// Names are ordered as their prefixes are; for equal prefixes nothing is known. A shorter name is
// filled up with zeros.
inline std::uint64_t prefix_of(std::string_view name) {
  const char* bytes = name.data();
  const std::size_t size = name.size();
  if (size >= 8) {
    return big_endian_word(bytes) << 32U | big_endian_word(bytes + 4);
  }
  if (size >= 4) {  // two words that overlap
    return big_endian_word(bytes) << 32U | big_endian_word(bytes + size - 4) << (64 - 8 * size);
  }
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < size; ++i) {
    prefix |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (56 - 8 * i);
  }
  return prefix;
}

// The order of two names whose prefixes are known: below 0, 0, above 0.
inline int compare_names(std::string_view left, std::uint64_t left_prefix, std::string_view right,
                         std::uint64_t right_prefix) {
  if (left_prefix != right_prefix) {
    return left_prefix < right_prefix ? -1 : 1;
  }
  if (left.size() <= 8 && right.size() <= 8) {
    return static_cast<int>(left.size()) - static_cast<int>(right.size());
  }
  return left.compare(right);
}

}  // namespace spec::schema
