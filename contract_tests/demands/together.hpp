#pragma once

// Requests at the same time or on one connection: each gets its own response.

#include "contract_tests/demands/drafting.hpp"

namespace contract_tests::demands {

// Whether the plain request must get an equal response when it is sent again: it changes nothing,
// or the rules of an update say what it changes. A second DELETE is honestly 404, a second POST
// 409.
bool may_be_repeated(const Drafting& drafting);

// Sends the case's request and `other`, four times each, all at once.
void run_together(CaseRun& case_run, const RequestPlan& other);
// Makes `item` do that.
void ask_together(Case& item, RequestPlan other);
// Makes `item` send `other` between two of its own requests, on one connection.
void ask_in_turn(Case& item, RequestPlan other);

}  // namespace contract_tests::demands
