#include "spec/text/ascii.hpp"

#include <limits>
#include <sstream>

namespace spec::text {

std::string whole_number_error(const std::string& text, std::uint64_t min, std::uint64_t max) {
  const auto value = parse_number<std::uint64_t>(text);
  return value && *value >= min && *value <= max
             ? ""
             : "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
                   ", but is " + text;
}

std::string seed_error(const std::string& text) {
  return whole_number_error(text, 0, std::numeric_limits<std::uint64_t>::max());
}

std::string bounds_error(const std::string& text, double min, double max) {
  const auto value = parse_number<double>(text);
  if (value && *value >= min && *value <= max) {
    return "";
  }
  std::ostringstream words;
  words << "must be a number from " << min << " to " << max << ", but is " << text;
  return words.str();
}

}  // namespace spec::text
