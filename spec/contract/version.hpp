#pragma once

// Which OpenAPI a contract is written in; patch versions do not differ in meaning.

#include <cstdint>

namespace spec::contract {

enum class Version : std::uint8_t { k30, k31 };

}  // namespace spec::contract
