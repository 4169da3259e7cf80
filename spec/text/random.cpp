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

}  // namespace spec::text
