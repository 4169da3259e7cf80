#include "spec/json/number.hpp"

#include "spec/schema/formats/predicates.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace spec::schema::formats {
namespace {

using Json = nlohmann::json;

}  // namespace

template <typename T>
bool is_in_range(const Json& number) {
  static const Json least = std::numeric_limits<T>::min();
  static const Json most = std::numeric_limits<T>::max();
  if (number.is_number_integer() && !number.is_number_unsigned()) {
    // Negative, or small; both bounds fit this type when they matter.
    const auto value = number.get<std::int64_t>();
    if constexpr (std::numeric_limits<T>::is_signed) {
      return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
    }
  }
  return json::compare_numbers(number, least) >= 0 && json::compare_numbers(number, most) <= 0;
}

template bool is_in_range<std::int8_t>(const Json& number);
template bool is_in_range<std::int16_t>(const Json& number);
template bool is_in_range<std::int32_t>(const Json& number);
template bool is_in_range<std::int64_t>(const Json& number);
template bool is_in_range<std::uint8_t>(const Json& number);
template bool is_in_range<std::uint16_t>(const Json& number);
template bool is_in_range<std::uint32_t>(const Json& number);
template bool is_in_range<std::uint64_t>(const Json& number);

bool is_float(const Json& number) {
  const double value = std::abs(json::to_double(number));
  return value <= double{std::numeric_limits<float>::max()};
}

bool is_double(const Json& number) {
  return std::isfinite(json::to_double(number));
}

}  // namespace spec::schema::formats
