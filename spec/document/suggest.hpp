#pragma once

// The name of spec/text under which document's callers know it.

#include "spec/text/nearest.hpp"

namespace spec::document {

using text::nearest;

}  // namespace spec::document
