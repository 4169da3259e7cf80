#pragma once

// Demands on any operation, each in a file of its name: it appends the cases that it can make from
// contract and rules.

#include "contract_tests/demands/drafting.hpp"

namespace contract_tests::demands {

void add_plain_cases(const Drafting& drafting);
void add_hostile_cases(const Drafting& drafting);
void add_credential_cases(const Drafting& drafting);
void add_method_cases(const Drafting& drafting);
void add_transport_cases(const Drafting& drafting);
void add_parameter_cases(const Drafting& drafting);
void add_body_cases(const Drafting& drafting);
void add_file_cases(const Drafting& drafting);
// Every declared error, requested by preference: on the mock only. In plain_cases.cpp.
void add_preference_cases(const Drafting& drafting);
// Identifiers that no record has.
void add_unknown_cases(const Drafting& drafting);
void add_burst_case(const Drafting& drafting);
// After all others, because it leaves out what they test already.
void add_generated_cases(const Drafting& drafting);

// By rules: demands on lists. Each appends the cases that it can make; those on filters are in
// filter_cases.cpp and range_cases.cpp.

void add_page_cases(const Drafting& drafting);
void add_filter_cases(const Drafting& drafting);

// On lists by what the contract shows of them, or rules say: pages and totals.
void add_listed_cases(const Drafting& drafting);
// The same: filters and orders.
void add_row_cases(const Drafting& drafting);

}  // namespace contract_tests::demands
