#include "spec/schema/formats/predicates.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <fribidi.h>
#include <vector>

namespace spec::schema::formats {
namespace {

using Types = std::vector<FriBidiCharType>;

// The Bidi_Class of every code point of `label`.
Types types_of(std::string_view label) {
  Types types;
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t length = std::max<std::size_t>(text::utf8_sequence(label, at), 1);
    types.push_back(fribidi_get_bidi_type(text::decode_utf8(label.substr(at, length))));
    at += length;
  }
  return types;
}

bool is_letter_of_the_right(FriBidiCharType type) {
  return type == FRIBIDI_TYPE_RTL || type == FRIBIDI_TYPE_AL;
}

// The characters of labels of both directions.
bool is_neutral(FriBidiCharType type) {
  return type == FRIBIDI_TYPE_EN || type == FRIBIDI_TYPE_ES || type == FRIBIDI_TYPE_CS ||
         type == FRIBIDI_TYPE_ET || type == FRIBIDI_TYPE_ON || type == FRIBIDI_TYPE_BN ||
         type == FRIBIDI_TYPE_NSM;
}

bool has_right_to_left(const Types& types) {
  return std::ranges::any_of(types, [](FriBidiCharType type) {
    return is_letter_of_the_right(type) || type == FRIBIDI_TYPE_AN;
  });
}

// The last that is no mark upon another.
FriBidiCharType last_of(const Types& types) {
  const auto found = std::find_if(types.rbegin(), types.rend(),
                                  [](FriBidiCharType type) { return type != FRIBIDI_TYPE_NSM; });
  return found == types.rend() ? FRIBIDI_TYPE_NSM : *found;
}

// Conditions 2 to 4.
bool is_label_of_the_right(const Types& types) {
  const FriBidiCharType last = last_of(types);
  const bool ends_well =
      is_letter_of_the_right(last) || last == FRIBIDI_TYPE_EN || last == FRIBIDI_TYPE_AN;
  const bool mixes_digits = std::ranges::count(types, FRIBIDI_TYPE_EN) > 0 &&
                            std::ranges::count(types, FRIBIDI_TYPE_AN) > 0;
  return ends_well && !mixes_digits && std::ranges::all_of(types, [](FriBidiCharType type) {
           return is_letter_of_the_right(type) || type == FRIBIDI_TYPE_AN || is_neutral(type);
         });
}

// Conditions 5 and 6.
bool is_label_of_the_left(const Types& types) {
  const FriBidiCharType last = last_of(types);
  const bool ends_well = last == FRIBIDI_TYPE_LTR || last == FRIBIDI_TYPE_EN;
  return ends_well && std::ranges::all_of(types, [](FriBidiCharType type) {
           return type == FRIBIDI_TYPE_LTR || is_neutral(type);
         });
}

}  // namespace

bool is_right_to_left(std::string_view label) {
  return has_right_to_left(types_of(label));
}

bool keeps_bidi_rule(std::string_view label) {
  const Types types = types_of(label);
  if (types.empty()) {
    return false;
  }
  const bool starts_to_the_right = is_letter_of_the_right(types.front());  // condition 1
  return has_right_to_left(types)
             ? starts_to_the_right && is_label_of_the_right(types)
             : types.front() == FRIBIDI_TYPE_LTR && is_label_of_the_left(types);
}

}  // namespace spec::schema::formats
