#include "spec/schema/patterns/code_points.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace spec::schema::patterns {
namespace {

constexpr std::uint32_t kLast = 0x10FFFF;
// The last code points that UTF-8 writes in one, two and three bytes.
constexpr std::array<std::uint32_t, 3> kLastOfLength{0x7F, 0x7FF, 0xFFFF};

ByteSequence encode(std::uint32_t low, std::uint32_t high) {
  std::size_t more = 0;
  while (more < kLastOfLength.size() && low > kLastOfLength[more]) {
    ++more;
  }
  static constexpr std::array<std::uint8_t, 4> kMarks{0x00, 0xC0, 0xE0, 0xF0};
  ByteSequence sequence(more + 1);
  for (std::size_t i = more; i > 0; --i) {
    sequence[i] = {static_cast<std::uint8_t>(0x80U | (low & 0x3FU)),
                   static_cast<std::uint8_t>(0x80U | (high & 0x3FU))};
    low >>= 6U;
    high >>= 6U;
  }
  sequence[0] = {static_cast<std::uint8_t>(kMarks[more] | low),
                 static_cast<std::uint8_t>(kMarks[more] | high)};
  return sequence;
}

// Cuts a range until each piece is a product of byte ranges.
void append_sequences(std::uint32_t low, std::uint32_t high, std::vector<ByteSequence>& out) {
  const auto cut_after = [&](std::uint32_t last) {
    append_sequences(low, last, out);
    append_sequences(last + 1, high, out);
  };
  for (const std::uint32_t last : kLastOfLength) {
    if (low <= last && high > last) {
      return cut_after(last);
    }
  }
  for (unsigned bits = 6; bits <= 18 && high > kLastOfLength[0]; bits += 6) {
    const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
    if ((low & ~mask) == (high & ~mask)) {
      continue;
    }
    if ((low & mask) != 0) {
      return cut_after(low | mask);
    }
    if ((high & mask) != mask) {
      return cut_after((high & ~mask) - 1);
    }
  }
  out.push_back(encode(low, high));
}

}  // namespace

CodePoints tidy(CodePoints set) {
  std::sort(set.begin(), set.end(),
            [](const CodePointRange& a, const CodePointRange& b) { return a.low < b.low; });
  CodePoints tidied;
  for (const CodePointRange& range : set) {
    if (!tidied.empty() && range.low <= tidied.back().high + 1) {
      tidied.back().high = std::max(tidied.back().high, range.high);
    } else {
      tidied.push_back(range);
    }
  }
  return tidied;
}

CodePoints complement(const CodePoints& set) {
  CodePoints rest;
  std::uint32_t next = 0;
  for (const CodePointRange& range : set) {
    if (range.low > next) {
      rest.push_back({next, range.low - 1});
    }
    next = range.high + 1;
  }
  if (next <= kLast) {
    rest.push_back({next, kLast});
  }
  return rest;
}

bool is_one(const CodePoints& set) {
  return set.size() == 1 && set[0].low == set[0].high;
}

CodePoints digits() {
  return {{'0', '9'}};
}

CodePoints word_characters() {
  return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
}

// Source: ECMA-262 §12.2, WhiteSpace and LineTerminator.
CodePoints spaces() {
  return {{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
          {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
}

CodePoints all_but_line_ends() {
  return complement({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}});
}

std::vector<ByteSequence> byte_sequences(const CodePoints& set) {
  std::vector<ByteSequence> sequences;
  for (const CodePointRange& range : set) {
    append_sequences(range.low, range.high, sequences);
  }
  return sequences;
}

}  // namespace spec::schema::patterns
