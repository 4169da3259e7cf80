#pragma once

// Sets of code points as ranges, those that ECMAScript's patterns name, and the UTF-8 bytes of a
// set. Used by machine.cpp alone. Pure functions.

#include <cstdint>
#include <vector>

namespace spec::schema::patterns {

struct CodePointRange {
  std::uint32_t low = 0;
  std::uint32_t high = 0;  // included
};

using CodePoints = std::vector<CodePointRange>;

struct ByteRange {
  std::uint8_t low = 0;
  std::uint8_t high = 0;  // included
};

using ByteSequence = std::vector<ByteRange>;

// The same set, its ranges in order and apart.
CodePoints tidy(CodePoints set);
// Every code point that is not in a tidy set.
CodePoints complement(const CodePoints& set);
// True for a set of one code point.
bool is_one(const CodePoints& set);

CodePoints digits();             // \d
CodePoints word_characters();    // \w
CodePoints spaces();             // \s
CodePoints all_but_line_ends();  // .

// The set in UTF-8: a text is one of its code points if its bytes fall into one of the sequences.
std::vector<ByteSequence> byte_sequences(const CodePoints& set);

}  // namespace spec::schema::patterns
