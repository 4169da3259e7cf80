#pragma once

// Makes qpdf's headers readable for clang 14 (tests, sanitizers, clang-tidy), which requires every
// member of a class with a constexpr destructor to be complete at the declaration; C++20's
// std::vector has such a destructor. Comes before all others in files that use qpdf
// (scripts/lint/tidy.mjs, and the qpdf of scripts/cmake/CounterpartDependencies.cmake).

#if __clang_major__ <= 14
#include <string>

#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
// <string> declared this one constexpr already.
#define __fill_a1 __fill_a1_of_vector_bool
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
#endif
