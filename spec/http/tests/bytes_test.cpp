// Runs of bytes are as long as byte after byte would find them.

#include "spec/http/bytes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace spec::http {

// Every pair of bytes, at every place of eight that are looked at together.
TEST(Bytes, a_value_ends_at_its_first_control_character) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      for (std::size_t at = 0; at < 8; ++at) {
        std::string text(9, 'v');
        text[at] = static_cast<char>(first);
        text[at + 1] = static_cast<char>(second);
        std::size_t expected = 0;
        while (expected < text.size() && is_byte(text[expected], kValueByte)) {
          ++expected;
        }
        ASSERT_EQ(run_of(text, kValueByte), expected) << first << ' ' << second << " at " << at;
      }
    }
  }
}

}  // namespace spec::http
