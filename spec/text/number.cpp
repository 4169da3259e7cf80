#include "spec/text/number.hpp"

#include <cstdint>
#include <sstream>

namespace spec::text {

std::string why_no_seed(const std::string& text) {
  return parse_number<std::uint64_t>(text)
             ? ""
             : "must be a whole number from 0 to 18446744073709551615, but is " + text;
}

std::string why_not_between(const std::string& text, double min, double max) {
  const auto value = parse_number<double>(text);
  if (value && *value >= min && *value <= max) {
    return "";
  }
  std::ostringstream words;
  words << "must be a number from " << min << " to " << max << ", but is " << text;
  return words.str();
}

}  // namespace spec::text
