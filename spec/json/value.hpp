#pragma once

// Equality, hashing and text of JSON values, exact numbers included. nlohmann's own operators take
// 2^53+1 for 2^53 and its dump throws on invalid UTF-8; these do neither.
// Pure functions, safe from any thread.

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spec::json {

// Equality of instances: 1 equals 1.0, objects without regard to order.
// Source: JSON Schema 2020-12 Core §4.2.2.
bool equal(const nlohmann::json& left, const nlohmann::json& right);

// equal(a, b) implies hash(a) == hash(b). Different in each process, so that no chosen values
// collide.
std::size_t hash(const nlohmann::json& value);

// Compact JSON text, keys in the value's order. Invalid UTF-8 in a string becomes U+FFFD.
std::string write(const nlohmann::json& value);

// JSON text with line breaks and `indent` blanks a level.
std::string write_pretty(const nlohmann::json& value, int indent = 2);

// The depth of nested arrays and objects: 0 for a scalar, 1 for [] and [1].
std::size_t depth_of(const nlohmann::json& value);

// Appends write(value) to `out`.
void write_to(std::string& out, const nlohmann::json& value);

// A hash of words under a key that is drawn once a process (SipHash-1-3), so that a sender of
// values cannot choose them to collide. Different in each process: for tables in memory only.
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
