#include "spec/text/random.hpp"

#include "spec/text/encoding.hpp"

#include <random>

namespace spec::text {

std::string random_hex(std::size_t digits) {
  std::random_device device;
  std::uniform_int_distribution<std::size_t> any(0, kHexDigits.size() - 1);
  std::string text(digits, '0');
  for (char& digit : text) {
    digit = kHexDigits[any(device)];
  }
  return text;
}

std::string random_uuid(Random& random) {
  constexpr std::size_t kLength = 36;
  std::string text(kLength, '-');
  for (char& digit : text) {
    digit = kHexDigits[random.next_below(kHexDigits.size())];
  }
  for (const std::size_t hyphen : {8U, 13U, 18U, 23U}) {
    text[hyphen] = '-';
  }
  text[14] = '4';
  text[19] = "89ab"[random.next_below(4)];
  return text;
}

}  // namespace spec::text
