#pragma once

// Texts of known sizes for the benchmarks, made the same way every time.

#include <cstddef>
#include <string>

namespace spec::bench {

// A page of usage history: 100 periods with a meter each, 48 kB, 400 decimals as strings.
std::string usage_page();

// An OpenAPI 3.1 description in YAML, `operations` long, about 6.3 kB an operation.
std::string yaml_description(std::size_t operations);

// The same in JSON on one line.
std::string json_description(std::size_t operations);

}  // namespace spec::bench
