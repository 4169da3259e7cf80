#pragma once

// Forms to objects: application/x-www-form-urlencoded and multipart/form-data bodies, field by
// field as the media type's `encoding` says. The object is judged by the caller.

#include "spec/contract/checking/body.hpp"

namespace spec::contract::checking {

// Nothing when a field could not be read at all; the violation is added.
// Source: OpenAPI 3.1.0 §4.8.14.4, §4.8.15.
std::optional<nlohmann::json> read_form(Complaints& complaints, std::string_view body,
                                        const BodyRules& rules);

// Files and other bytes are strings; bytes that are not UTF-8 are read as one character each.
// Source: OpenAPI 3.1.0 §4.8.14.5, RFC 7578.
std::optional<nlohmann::json> read_multipart_form(Complaints& complaints, std::string_view body,
                                                  const BodyRules& rules);

}  // namespace spec::contract::checking
