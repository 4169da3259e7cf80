#pragma once

// Random numbers and hashes that depend on seed and text alone, on every machine and in every
// version. Not for secrets. For generated examples and the plans of tests.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace spec::text {

// One step of splitmix64's output function: every bit of `value` affects every bit of the result.
constexpr std::uint64_t scramble(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

// FNV-1a, 64 bits: the same on every machine and in every version, which std::hash is not.
constexpr std::uint64_t text_hash(std::string_view text, std::uint64_t seed = 0) {
  std::uint64_t value = seed ^ 0xCBF29CE484222325U;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return value;
}

// A seed for `name` (or the element `index`) below `seed`. The seeds of siblings are independent.
constexpr std::uint64_t derive(std::uint64_t seed, std::string_view name) {
  return scramble(text_hash(name, seed));
}

constexpr std::uint64_t derive(std::uint64_t seed, std::uint64_t index) {
  return scramble(seed + (index + 1) * 0x9E3779B97F4A7C15U);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return scramble(state_ += 0x9E3779B97F4A7C15U); }

  // 0 to bound - 1; 0 for a bound of 0.
  std::uint64_t next_below(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }

  bool one_in(std::uint64_t n) { return next_below(n) == 0; }

  template <typename Pool>
  const auto& pick(const Pool& pool) {
    return pool[static_cast<std::size_t>(next_below(std::size(pool)))];
  }

 private:
  std::uint64_t state_;
};

// Lower-case hexadecimal digits, `digits` of them, from the machine's random source; another text
// at each call. Not for secrets.
std::string random_hex(std::size_t digits);

// A version 4 UUID. Source: RFC 9562 §5.4.
std::string random_uuid(Random& random);

}  // namespace spec::text
