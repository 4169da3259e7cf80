#pragma once

// The names of spec/text under which HTTP's callers know them.

#include "spec/text/encoding.hpp"

namespace spec::http {

using text::from_base64;
using text::to_base64;

}  // namespace spec::http
