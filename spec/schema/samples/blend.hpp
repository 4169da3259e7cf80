#pragma once

// Texts that may be of a format and match a pattern at once, from one of each:
// "2025-05-02T10:00:00Z" and "2024-" make "2024-05-02T10:00:00Z". Makes no promise; the caller
// checks each. Pure functions. Used by this folder only.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::samples {

// A text of a format in other spellings that the format allows: fractions of seconds of other
// lengths, other offsets, capitals, short forms, and one of at least `least` bytes. The text itself
// comes first.
std::vector<std::string> spellings(std::string_view format, const std::string& text,
                                   std::size_t least);

// `of_format` with `of_pattern` at its start, at its end or where it fits, and `of_pattern` itself,
// dates and times among them put right.
std::vector<std::string> blends(const std::string& of_format, const std::string& of_pattern);

}  // namespace spec::schema::samples
