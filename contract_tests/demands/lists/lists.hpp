#pragma once

// By rules: demands on lists. Each appends the cases that it can make; those on filters are in
// filters.cpp, ranges.cpp and filtered_pages.cpp.

#include "contract_tests/demands/drafting.hpp"

namespace contract_tests::demands::lists {

void add_page_cases(const Drafting& drafting);
void add_filter_cases(const Drafting& drafting);

}  // namespace contract_tests::demands::lists
