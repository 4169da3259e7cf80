#pragma once

// Two requests that mean the same: the plain one and a variant of it, whose responses must be the
// same. For every demand that has such variants.

#include "contract_tests/demands/drafting.hpp"

#include <string>

namespace contract_tests::demands {

// Makes `item` send `variant` besides its own request, and compare the responses. The statuses that
// it expects may reject the variant.
void compare_with(Case& item, RequestPlan variant);
// A case of the plain request and `variant`, with the source in the rule book.
void add_same(const Drafting& drafting, std::string sentence, std::string rule, RequestPlan variant,
              checks::Change changed = {});

// Compares the documented values of two responses. Lists may have another order: the rules on pages
// test the order where one is promised.
checks::RuleViolations compare(const CaseResponse& plain, const CaseResponse& other,
                               const std::string& rule);

// The media type without its parameters.
std::string media_type(const CaseResponse& sent);

// Requests at the same time or on one connection: each gets its own response.

// True if the plain request must get an equal response when it is sent again: it changes nothing,
// or the rules of an update say what it changes. A second DELETE may be 404, a second POST 409.
bool may_be_repeated(const Drafting& drafting);

// Sends the case's request and `other`, four times each, all at once.
void run_together(CaseRun& case_run, const RequestPlan& other);
// Makes `item` do that.
void ask_together(Case& item, RequestPlan other);
// Makes `item` send `other` between two of its own requests, on one connection.
void ask_in_turn(Case& item, RequestPlan other);

}  // namespace contract_tests::demands
