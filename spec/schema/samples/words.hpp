#pragma once

// Believable values: what a member's name and format say that it holds, from one persona per
// sample, so that the values of one answer agree with each other. Pure functions of their seeds.
// Used by this folder only.

#include "spec/schema/samples/random.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spec::schema::samples {

// Who and when a sample is about.
struct Persona {
  std::string first_name;
  std::string last_name;
  std::string company;
  std::string domain;  // ends in ".example" (RFC 2606 §2)
  std::string currency;
  std::int64_t start_seconds = 0;  // since 1970; the sample's dates lie around it
};

Persona make_persona(std::uint64_t seed);

// What a scalar is called and who it is about.
struct Occasion {
  std::string_view name;  // of the member that holds it; "" for an element or the whole
  const Persona* persona = nullptr;
};

// A text that a member of that name would hold; some plain words when the name says nothing.
std::string text_for(const Occasion& occasion, Random& random);

// A text of `format` (JSON Schema's and OpenAPI's names); nothing for one that is not known here.
std::optional<std::string> text_of_format(std::string_view format, const Occasion& occasion,
                                          Random& random);

// The range that a number of that name usually lies in.
struct UsualRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

UsualRange usual_range(std::string_view name);

}  // namespace spec::schema::samples
