// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", section 2.

#include "spec/json/keyed_hash.hpp"

#include <bit>
#include <random>

namespace spec::json {
namespace {

struct Key {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

std::uint64_t draw_word(std::random_device& device) {
  return (std::uint64_t{device()} << 32U) | device();
}

// The key affects nothing but places in tables.
const Key& process_key() {
  static const Key key = [] {
    std::random_device device;
    return Key{.first = draw_word(device), .second = draw_word(device)};
  }();
  return key;
}

}  // namespace

KeyedHash::KeyedHash()
    : a_(process_key().first ^ 0x736F6D6570736575U),
      b_(process_key().second ^ 0x646F72616E646F6DU),
      c_(process_key().first ^ 0x6C7967656E657261U),
      d_(process_key().second ^ 0x7465646279746573U) {}

void KeyedHash::round() {
  a_ += b_;
  b_ = std::rotl(b_, 13) ^ a_;
  a_ = std::rotl(a_, 32);
  c_ += d_;
  d_ = std::rotl(d_, 16) ^ c_;
  a_ += d_;
  d_ = std::rotl(d_, 21) ^ a_;
  c_ += b_;
  b_ = std::rotl(b_, 17) ^ c_;
  c_ = std::rotl(c_, 32);
}

void KeyedHash::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = text.copy(reinterpret_cast<char*>(&word), sizeof word);
    add(word);
    text.remove_prefix(bytes);
  }
}

std::size_t KeyedHash::finish() {
  c_ ^= 0xFFU;
  round();
  round();
  round();
  return a_ ^ b_ ^ c_ ^ d_;
}

}  // namespace spec::json
