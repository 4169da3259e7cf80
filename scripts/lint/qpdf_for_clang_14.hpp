#pragma once

// Lets clang-tidy 14 read qpdf's headers: it wants every member of a constexpr destructor to be
// complete where the destructor is declared, and C++20's std::vector has such a one. Included
// before everything else in files that use qpdf, by scripts/lint/tidy.mjs alone.

#include <string>

#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
// <string> declared this one constexpr already.
#define __fill_a1 __fill_a1_of_vector_bool
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
