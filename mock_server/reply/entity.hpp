#pragma once

// Parts and versions of a file: entity tags, conditional requests and byte ranges. Pure functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::reply {

// A strong entity tag of the bytes, quotes included.
std::string make_entity_tag(std::string_view bytes);

// The comparison of two entity tags: by strong comparison a weak one ("W/") is like no other.
// Source: RFC 9110 §8.8.3.2.
enum class TagComparison : std::uint8_t { kWeak, kStrong };

// True when the value of If-None-Match (weak comparison) or If-Match (strong) matches `tag`, which
// is strong: "*", or a list that holds it. Source: RFC 9110 §13.1.1, §13.1.2.
bool matches_any_tag(std::string_view tags, std::string_view tag, TagComparison comparison);

// One run of bytes; `first` <= `last`, both inside the file.
struct ByteRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

struct RangeChoice {
  enum class Kind : std::uint8_t { kWhole, kPart, kUnsatisfiable };
  Kind kind = Kind::kWhole;
  ByteRange range;  // of kPart
};

// The parts of a file of `size` bytes that a Range value asks for: one satisfiable range is a part;
// several, or an unknown form, is the whole. Source: RFC 9110 §14.1.2, §14.2.
RangeChoice choose_range(std::string_view range, std::size_t size);

// The Content-Range of a body of `size` bytes that is made for the status: all of it for 206; for
// 416 that it is not satisfiable; "" for no bytes and for others. Source: RFC 9110 §14.4.
std::string content_range(int status, std::size_t size);

}  // namespace mock_server::reply
