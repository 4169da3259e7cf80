#pragma once

// Violations and findings. A check returns violations: a rule's id, a place, a message. The rule
// book adds clause, class and severity, the case run adds the request: then it is a finding.

#include "spec/contract/statement.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::client {
struct Exchange;
}

namespace contract_tests::checks {

enum class Severity : std::uint8_t { kNote, kWarning, kError };

std::string_view to_text(Severity severity);  // "note", "warning", "error"
std::optional<Severity> severity_from(std::string_view text);

// The source of a rule. `clause` is a section of the source document ("§4.3") or of a standard
// ("RFC 9110 §9.3.2"); `pointer` and `place` are those of the statement in the contract, if there
// is one.
struct Source {
  std::string clause;
  spec::contract::StatementClass statement_class = spec::contract::StatementClass::kDocument;
  std::string pointer;
  std::string place;  // "payments.openapi.yaml:210:15"

  friend bool operator==(const Source&, const Source&) = default;
};

struct RuleViolation {
  std::string rule;   // id in the rule book: "paging/default-size", "schema/type"
  std::string place;  // part and JSON pointer: "body/items/3/start_date", "header/Allow", "status"
  std::string message;                              // "must ..., but ..."
  std::string clause = {};                          // instead of the rule book's
  std::optional<Source> source = std::nullopt;      // instead of clause and class together
  std::optional<Severity> severity = std::nullopt;  // instead of what class and target give

  friend bool operator==(const RuleViolation&, const RuleViolation&) = default;
};

using RuleViolations = std::vector<RuleViolation>;

// A violation in its case, as reports print it.
struct Finding {
  std::string rule;
  std::string place;
  std::string message;
  Source source;
  Severity severity = Severity::kError;
  std::string operation;                // "PATCH /brands/{id}"
  std::vector<std::string> operations;  // others of which the same was found
  std::string case_id;                  // "PATCH_brands_id.a_name_is_stored"
  std::string changed;      // how the request differs from a plain one; "" when it does not
  std::string curl;         // one line, the token as $TOKEN
  std::string response;     // "200 application/json, 412 bytes"
  std::string excerpt;      // the smallest part of the response that shows it
  std::string fingerprint;  // 16 hex digits; the same as long as the violation is the same
  // Request and response for reports, without secrets, long bodies cut; null where there is none.
  std::shared_ptr<const client::Exchange> shown = nullptr;
};

// 16 hex digits, the same on every platform and in every release.
std::string stable_hash(std::string_view text);

// "body/items/3/id" -> "body/items/*/id".
std::string without_indices(std::string_view place);

// Survives reordering of elements and cases and unrelated edits of the contract: made of operation,
// rule, statement and place with array indices left out.
std::string fingerprint(const Finding& finding);

}  // namespace contract_tests::checks
