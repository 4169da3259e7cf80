#pragma once

// Small files as data: of each kind one that programs of its kind open.

#include "spec/http/media_type.hpp"

#include <optional>
#include <string>

namespace spec::contract::write {

// A PDF of one page, a PNG or GIF of one pixel, an empty ZIP, a certificate, a web token, a GraphQL
// query; nothing for other kinds.
std::optional<std::string> small_file(const http::MediaType& media_type);

}  // namespace spec::contract::write
