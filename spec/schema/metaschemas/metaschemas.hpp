#pragma once

// The documents of the dialects themselves, built into the program, so that a reference to one of
// them needs no network. The texts lie beside this file. Pure functions.

#include <optional>
#include <string_view>

namespace spec::schema::metaschemas {

// The text of the metaschema whose absolute URI, without fragment, is `uri`.
std::optional<std::string_view> find(std::string_view uri);

}  // namespace spec::schema::metaschemas
