#pragma once

// The entries of a folder. For programs that must live when memory runs out: the standard library's
// directory iterators end the program then (libstdc++ 12 allocates in functions that are noexcept).

#include <filesystem>
#include <vector>

namespace spec::document {

// The paths of the entries of `folder` (folder / name), sorted, without "." and "..". Empty where
// the folder does not exist or cannot be read.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder);

}  // namespace spec::document
