#pragma once

// The names of spec/text under which JSON's callers know them.

#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

namespace spec::json {

using text::append_utf8;
using text::decode_utf8;
using text::describe_byte;
using text::is_utf8;
using text::one_line;
using text::utf8_sequence;
using text::utf8_start;
using text::valid_utf8_prefix;

}  // namespace spec::json
