#pragma once

// Every kind of demand, each in a file of its name: it appends the cases that it can make of
// contract and rules. For make_plan, which calls them in this order.

#include "contract_tests/demands/drafting.hpp"

namespace contract_tests::demands {

void add_plain_cases(const Drafting& drafting);
void add_update_cases(const Drafting& drafting);
void add_hostile_cases(const Drafting& drafting);
void add_credential_cases(const Drafting& drafting);
void add_method_cases(const Drafting& drafting);
void add_transport_cases(const Drafting& drafting);
void add_parameter_cases(const Drafting& drafting);
void add_body_cases(const Drafting& drafting);
void add_page_cases(const Drafting& drafting);
void add_filter_cases(const Drafting& drafting);
void add_file_cases(const Drafting& drafting);
// Every declared error, asked for by name: on the mock only. In transport.cpp.
void add_preference_cases(const Drafting& drafting);
void add_burst_case(const Drafting& drafting);
// After all others, for it leaves out what they try already.
void add_generated_cases(const Drafting& drafting);

}  // namespace contract_tests::demands
