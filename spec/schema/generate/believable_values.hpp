#pragma once

// Believable values, by a member's name or a format. Two short tables. Pure functions. Used by this
// folder only.

#include "spec/text/random.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spec::schema::generate {

// The use of a text.
struct TextContext {
  std::string_view name;           // of the member; "" if there is none
  std::int64_t start_seconds = 0;  // since 1970; the dates of one example lie around it
  bool is_spread = false;          // dates lie years apart, if many must differ
};

// A word in lower case, for names of members.
std::string some_word(text::Random& random);

// A text for a member of that name; some plain words for an unknown name.
std::string text_for(const TextContext& context, text::Random& random);

// A text of `format` (JSON Schema's and OpenAPI's names); none for an unknown format.
std::optional<std::string> text_of_format(std::string_view format, const TextContext& context,
                                          text::Random& random);

// The usual range of a number of some name.
struct NumberRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

NumberRange usual_range(std::string_view name);

}  // namespace spec::schema::generate
