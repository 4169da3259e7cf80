#pragma once

// A hash of words under a key that is drawn once a process (SipHash-1-3), so that a sender of
// values cannot choose them to collide. Different in each process: for tables in memory only.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace spec::json {

class KeyedHash {
 public:
  KeyedHash();

  void add(std::uint64_t word) {
    d_ ^= word;
    round();
    a_ ^= word;
  }

  // The text with its length: "a" and "b" are not "ab".
  void add(std::string_view text);

  std::size_t finish();

 private:
  void round();

  std::uint64_t a_;
  std::uint64_t b_;
  std::uint64_t c_;
  std::uint64_t d_;
};

}  // namespace spec::json
