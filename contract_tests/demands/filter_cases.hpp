#pragma once

// By rules: filters of lists. Ranges are inclusive at both ends, offsets and spellings of a bound
// are equivalent, items outside are left out, wider windows keep every item (range_cases.cpp); a
// filter by a member of inner lists keeps exactly the matching ones (filter_cases.cpp); and
// filtered lists are paged correctly. The values come from the data of the server.

#include "contract_tests/demands/drafting.hpp"
#include "contract_tests/demands/list_reading.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::demands {

// Makes `item` expect no items: its raw query filters by a value that does not exist.
// Precondition: the rules have pages and a member.
void expect_no_member(Case& item, const plan::PageRules& pages, const plan::FilterRules& filters);

// For the three files only.
using RunFilter = std::function<void(CaseRun&, const Filter&)>;

struct FilterCase {
  std::string sentence;
  std::string rule;
  RunFilter run;
  StatementClass statement_class = StatementClass::kDocument;
};

// A case whose filter uses `parameters`, which the contract in use must name.
void add_filter_case(const Drafting& drafting, FilterCase how, const Filter& filter,
                     const std::vector<std::string>& parameters);

void add_range_cases(const Drafting& drafting);
// Adds a case about pages under the filter, whose parameter is `name`.
void add_paged_case(const Drafting& drafting, const Filter& filter, const std::string& name);
void add_page_size_case(const Drafting& drafting, const Filter& filter, const std::string& name);

// The window of both bounds that holds the middle third of the list.
std::optional<std::pair<std::string, std::string>> window_of(const Range& range);

}  // namespace contract_tests::demands
