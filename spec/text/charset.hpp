#pragma once

// Texts in other character sets than UTF-8: UTF-16 and the single-byte encodings of the Encoding
// Standard, by its labels ("iso-8859-1" means windows-1252). Pure functions, safe from any thread.
// Source: WHATWG Encoding Standard §4.2, §9, §14.2.

#include "spec/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace spec::text {

// The reason why bytes are not of a character set.
struct CharsetError {
  std::string set;       // its name, "UTF-8"; empty for a label that is not known here
  std::size_t byte = 0;  // the first one that is no character
};

// `bytes` in the set that `label` names, in any case, as UTF-8. A byte order mark has precedence
// over the labels of UTF-16, and is removed. "us-ascii" is read as UTF-8, of which it is a part.
Result<std::string, CharsetError> decode_charset(std::string_view bytes, std::string_view label);

// Labels in any case.
bool is_utf8_label(std::string_view label);

}  // namespace spec::text
