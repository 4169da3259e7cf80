#pragma once

// "did you mean": the name that is nearest to a misspelt one. Pure functions.

#include <optional>
#include <span>
#include <string_view>

namespace spec::document {

// The first of `names` with the least number of edits (insert, delete, replace, swap neighbours) to
// `name`; nothing if that is more than 2 (3 for names of 12 bytes and more) or more than a third of
// the name.
std::optional<std::string_view> nearest(std::string_view name,
                                        std::span<const std::string_view> names);

}  // namespace spec::document
