#pragma once

// The smallest files that programs of their kind open.

#include "spec/http/media_type.hpp"

#include <optional>
#include <string>

namespace spec::contract::samples {

// A PDF of one page, a PNG or GIF of one pixel, an empty ZIP; nothing for other kinds.
std::optional<std::string> sample_file(const http::MediaType& media_type);

}  // namespace spec::contract::samples
