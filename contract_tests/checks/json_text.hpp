#pragma once

// JSON as text, before any schema: encoding, byte order marks, lone surrogates, grammar.
// Pure functions, safe from any thread.

#include "contract_tests/checks/finding.hpp"
#include "spec/http/media_type.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace contract_tests::checks {

// Violations in `body` as JSON text; `value` gets the value when it can be parsed. A text that is
// nested deeper than is read has no value, and no violation where the body of the request, `sent`,
// was too: the service repeats it. Source: RFC 8259 §8.1, §8.2, §9.
RuleViolations check_json_text(std::string_view body, nlohmann::json& value,
                               std::string_view sent = {});

// Where a text beyond ASCII is labelled with another charset than UTF-8: JSON has no such
// parameter, but some clients go by it. Source: RFC 8259 §8.1, §11.
RuleViolations check_charset(std::string_view body, const spec::http::MediaType& type);

}  // namespace contract_tests::checks
