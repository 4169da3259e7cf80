#pragma once

// A description of 150 operations without a single example, as a text: what large descriptions say
// that doubles stumble over, in turn.

#include <string>

namespace mock_server::service {

std::string large_description();

}  // namespace mock_server::service
