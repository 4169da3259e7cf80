#pragma once

// Plain text to JSON scalars, by the types that a schema allows. Strict, so that mock and suite
// agree on every spelling; the pinned table:
//   integer  5, -5, 0, -0         not +5, " 5", 05, 0x10, 1e1, 5.0, ""
//   number   5, 5.0, 1e1, -0.5    not +5, " 5", 05, .5, 5., 0x10, NaN
//   boolean  true, false          not True, 1, yes
// What a schema allows besides strings is preferred; a caller may ask for strings first.

#include "spec/contract/shape.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string_view>

namespace spec::contract::checking {

enum class Preference : std::uint8_t { kTyped, kText };

// `text` is decoded UTF-8. Nothing when it spells no value of `types` (TypeBit). Null has no
// spelling; an empty text is a string.
std::optional<nlohmann::json> read_scalar(std::uint8_t types, std::string_view text,
                                          Preference preference);

}  // namespace spec::contract::checking
