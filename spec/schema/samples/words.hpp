#pragma once

// Believable values: what a member's name and format say that it holds, from one persona per
// sample, so that the values of one answer agree with each other. Pure functions of their seeds.
// Used by this folder only.

#include "spec/schema/samples/random.hpp"

#include <cstddef>
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
  std::string city;
  std::string country;  // in two letters
  std::string postal_code;
  std::int64_t start_seconds = 0;  // since 1970; the sample's dates lie around it
};

Persona make_persona(std::uint64_t seed);

// The range that a number of some name usually lies in.
struct UsualRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// What a name says of the value behind it. Found once for a name, which takes a while.
struct NameSense {
  std::size_t meaning = 0;  // its place in a table of this unit's
  bool is_identifier = false;
  bool is_late = false;      // of the end of a span, which comes after its start
  bool is_of_birth = false;  // which was long ago
  bool is_personal = false;  // only people have it
  bool is_thing = false;     // not a person's, though it may be: the "name" of a product
  std::string prefix;        // of identifiers
  UsualRange range;
};

NameSense read_name(std::string_view name);

// What a scalar's name says and who it is about.
struct Occasion {
  const NameSense* sense = nullptr;
  const Persona* persona = nullptr;
  bool is_wide = false;  // dates lie far apart, where many must differ
};

// The constant that the persona would take of several; nothing when any would do.
std::optional<std::string> usual_constant(const NameSense& sense, const Persona& persona);

// Two plain words, or one.
std::string some_words(Random& random);
std::string some_word(Random& random);

// Base64 (or base64url) of something of the media type, of plain words where it says nothing.
std::string encoded_text(std::string_view encoding, std::string_view media_type, Random& random);

// A text that a member of that name would hold; some plain words when the name says nothing.
std::string text_for(const Occasion& occasion, Random& random);

// A text of `format` (JSON Schema's and OpenAPI's names); nothing for one that is not known here.
std::optional<std::string> text_of_format(std::string_view format, const Occasion& occasion,
                                          Random& random);

}  // namespace spec::schema::samples
