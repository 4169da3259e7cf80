#pragma once

// Which of several declared bodies is the one that is sent as JSON.

#include "spec/contract/contract.hpp"

#include <vector>

namespace spec::contract {

// The first whose media type is JSON, else the first range that includes JSON ("*/*",
// "application/*"); null for neither. Source: RFC 9110 §12.5.1, OpenAPI 3.1.0 §4.8.14.
const MediaTypeObject* json_content(const std::vector<MediaTypeObject>& contents);

}  // namespace spec::contract
