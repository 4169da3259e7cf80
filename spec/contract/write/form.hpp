#pragma once

// Objects as urlencoded and multipart forms. Source: OpenAPI 3.1.0 §4.8.15. Used by this folder
// only.

#include "spec/contract/write/body.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::contract::write {

inline constexpr std::string_view kBoundary = "counterpart-7f3c1b9e";

// Nothing for a value that is no object, or a member that the form cannot carry.
std::optional<std::string> write_form(const BodyForm& form, const nlohmann::json& value);
std::optional<std::string> write_multipart(const BodyForm& form, const nlohmann::json& value,
                                           const MakeHeader& make_header);

// A multipart body that an example writes out as text, with its own boundary, or as JSON text of
// the form. Nothing for another text.
std::optional<Body> written_multipart(BodyForm form, std::string_view text,
                                      const MakeHeader& make_header);

}  // namespace spec::contract::write
