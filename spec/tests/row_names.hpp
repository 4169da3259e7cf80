// Names of parameterised tests: each row of a table is called by its member `name`.
#pragma once

#include <string>

namespace spec::tests {

inline constexpr auto kRowNames = [](const auto& row) { return std::string(row.param.name); };

}  // namespace spec::tests
