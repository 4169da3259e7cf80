#pragma once

// State as a JSON file: `mock_server state export` and `import`. README.md describes the format.
// Pure functions.

#include "mock_server/state/transfer/content.hpp"

#include <string>
#include <string_view>

namespace mock_server::state::transfer {

// The version that write_content() writes, and the highest that read_content() takes.
inline constexpr int kVersion = 1;

// Ends with a line feed. The same content gives the same bytes.
std::string write_content(const StateContent& content);

// Throws spec::LoadError with one problem, which names `file` and the place: no JSON, cut, another
// file, of a newer version, a member that is missing or of another type.
StateContent read_content(const std::string& file, std::string_view text);

}  // namespace mock_server::state::transfer
