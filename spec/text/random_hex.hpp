#pragma once

// Names that no other start of a program has.

#include <cstddef>
#include <string>

namespace spec::text {

// So many lower-case hexadecimal digits, drawn from the machine's source of chance; another text at
// each call. Not for secrets.
std::string random_hex(std::size_t digits);

}  // namespace spec::text
