#pragma once

// The form of operations.yaml and of scenarios, by the schemas in schemas/. What reads the files
// after that reports wrong meanings alone, and skips what has no sound form.

#include "spec/document/document.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <vector>

namespace mock_server::api::loading {

using Problems = std::vector<spec::Problem>;

enum class FileKind : std::uint8_t { kOperations, kScenario };

// Adds every violation, at its place. Safe from any thread.
void check_form(FileKind kind, const spec::document::Node& root, Problems& problems);

// True if the problem is at `node` or below it.
bool concerns(const spec::Problem& problem, const spec::document::Node& node);

// False if one of the problems concerns `node`.
bool is_sound(const spec::document::Node& node, const Problems& problems);

}  // namespace mock_server::api::loading
