#pragma once

// HTTP's own rules about a response, whatever the operation: framing, singletons, dates, codings,
// fields that a status requires. Pure functions of one exchange; safe from any thread.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/http_exchange.hpp"

namespace contract_tests::checks {

// HTTP's rules about one response, all of them: framing, fields, what fields say of the content.
RuleViolations check_http(const client::Exchange& exchange);

// Reports what the parser found wrong, how the response ended, and what came after it. Source: RFC
// 9112.
RuleViolations check_framing(const client::Exchange& exchange);

// Fields about the content: digests, deflate, Last-Modified.
// Source: RFC 9530, RFC 9110 §8.4.1.2, §8.8.2.1.
RuleViolations check_validators(const client::Exchange& exchange);

// Two successful responses to the same request: different bodies have different strong tags.
// Source: RFC 9110 §8.8.1.
RuleViolations check_tags(const client::Exchange& first, const client::Exchange& second);

}  // namespace contract_tests::checks
