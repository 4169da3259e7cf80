#pragma once

// Small texts of media types whose bodies are text in a language of their own. Pure.

#include "spec/http/media_type.hpp"

#include <optional>
#include <string>

namespace spec::contract::samples {

// A well-formed text of `media_type`; nothing for one that is not known here.
std::optional<std::string> known_text(const http::MediaType& media_type);

}  // namespace spec::contract::samples
