#include "spec/contract/checking/scalar.hpp"

#include "spec/json/number.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace spec::contract::checking {

namespace {

bool spells_integer(std::string_view text) {
  return json::is_number_text(text) && text.find_first_of(".eE") == std::string_view::npos;
}

std::optional<nlohmann::json> read_typed(std::uint8_t types, std::string_view text) {
  if ((types & kBooleanBit) != 0 && (text == "true" || text == "false")) {
    return text == "true";
  }
  const bool is_number = ((types & kNumberBit) != 0 && json::is_number_text(text)) ||
                         ((types & kIntegerBit) != 0 && spells_integer(text));
  return is_number ? std::optional(json::make_number(text)) : std::nullopt;
}

}  // namespace

std::optional<nlohmann::json> read_scalar(std::uint8_t types, std::string_view text,
                                          Preference preference) {
  const bool may_be_text = (types & kStringBit) != 0;
  if (may_be_text && (preference == Preference::kText || (types & kScalarBits) == kStringBit)) {
    return std::string(text);
  }
  if (auto value = read_typed(types, text)) {
    return value;
  }
  return may_be_text ? std::optional<nlohmann::json>(std::string(text)) : std::nullopt;
}

}  // namespace spec::contract::checking
