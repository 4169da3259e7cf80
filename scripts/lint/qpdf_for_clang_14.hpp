#pragma once

// Makes qpdf's headers readable for clang-tidy 14, which requires every member of a class with a
// constexpr destructor to be complete at the declaration; C++20's std::vector has such a
// destructor. Only scripts/lint/tidy.mjs includes this file, before all others, in files that use
// qpdf.

#include <string>

#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
// <string> declared this one constexpr already.
#define __fill_a1 __fill_a1_of_vector_bool
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
