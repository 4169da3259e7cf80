#pragma once

// Names: the nearest one to a misspelt one, and plain forms for comparison. Pure functions.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spec::text {

// The minimum number of edits that make one of the other: insert, delete or replace a byte, swap
// two neighbours, none of it twice at one place (optimal string alignment distance).
std::size_t edit_distance(std::string_view left, std::string_view right);

// The name in lower case, without separators of words ("_", "-", "." and blanks): "customer_id" and
// "customerId" have the same letters.
std::string letters_of(std::string_view name);

// The first of `names` with the letters of `name`, else the first with the minimum edit distance to
// it; none if that is more than `max_edits`, 2 (3 for names of 12 bytes and more) or a third of the
// name.
std::optional<std::string_view> nearest(std::string_view name,
                                        std::span<const std::string_view> names,
                                        std::size_t max_edits = 3);

// `; did you mean "name"?` for the nearest of `names`; "" if none is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> names);

// `; did you mean "a"? Known: a, b`: the question if a name is near, and at most 50 names.
std::string suggest_known(std::string_view name, const std::vector<std::string_view>& known);

// `there is no flag --fixture; did you mean --fixtures?` of a command line. Names begin with "--".
std::string unknown_flag(std::string_view given, const std::vector<std::string_view>& known);

// A name of a member, parameter or segment of a path in lower case, letters and digits alone:
// "customerId" and "customer_id" are "customerid".
std::string plain_name(std::string_view name);

// "customer" for "customers", "category" for "categories", "box" for "boxes".
std::string singular(std::string_view plural);

}  // namespace spec::text
