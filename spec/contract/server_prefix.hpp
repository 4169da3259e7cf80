#pragma once

// The paths of the servers' URLs, behind which the operations that these serve are found too.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spec::contract {

struct ServerPrefix {
  std::string text;        // "/v1", "/{tenant}/api"
  std::size_t router = 0;  // of the operations that are served there, in Contract::State::routers
};

// Whether a prefix has a "{name}": a server's variable for which any text may be.
bool is_open_prefix(std::string_view prefix);

// What is in `path` behind `prefix`, if that is there as whole segments. "{name}" in it
// takes any text without a slash. Precondition: normal_path gave `path`.
std::optional<std::string_view> behind_prefix(std::string_view path, std::string_view prefix);

}  // namespace spec::contract
