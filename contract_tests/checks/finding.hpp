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

// What the baseline of the run says of an error: it does not have it, it has it, or it had it until
// a day that is over.
enum class State : std::uint8_t { kNew, kKnown, kExpired };

std::string_view to_text(State state);  // "new", "known", "expired"

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
  std::string kind_place = {};  // `place` with "*" for names that are data; "" where none is

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
  std::optional<State> state = std::nullopt;  // of errors, where the run has a baseline
  std::string operation;                      // "PATCH /brands/{id}"
  std::vector<std::string> operations;        // others of which the same was found
  std::vector<std::string> fingerprints;      // of the findings of these
  std::string case_id;                        // "PATCH_brands_id.a_name_is_stored"
  std::string changed;      // how the request differs from a plain one; "" when it does not
  int status = 0;           // of the response; 0: there was none
  std::string curl;         // a line for a shell that shows it again, the token as $TOKEN
  std::string response;     // "200 application/json, 412 bytes"
  std::string excerpt;      // the smallest part of the response that shows it
  std::string fingerprint;  // 16 hex digits; the same as long as the violation is the same
  // Request and response for reports, without secrets, long bodies cut; null where there is none.
  std::shared_ptr<const client::Exchange> shown = nullptr;
  std::string kind_place = {};  // of the violation
};

// 16 hex digits, the same on every platform and in every release.
std::string stable_hash(std::string_view text);

// "body/items/3/id" -> "body/items/*/id".
std::string without_indices(std::string_view place);

// The place of a violation or finding without what is data: indices of elements, and names of the
// members of a map.
std::string kind_place_of(const Finding& finding);

// What was changed in a request, as `Finding::changed` says it: "query page_size=101" is 101 at
// query/page_size.
struct RequestPart {
  std::string place;  // "" when the words name no single part
  std::string value;
};

RequestPart request_part_of(std::string_view changed);

// Which property `message` says is missing, in quotes: one statement (`required`) at one place is
// violated once for each. "" for other messages.
std::string_view missing_property(std::string_view message);

// Ends `Finding::changed` of a generated request that was made smaller.
inline constexpr std::string_view kReduced = " (reduced)";

// Operation, rule, statement, place with array indices and names in maps left out, and the property
// that is missing there, if one is: the same for any request and status.
std::string kind_of(const Finding& finding);

// Survives reordering of elements and cases and unrelated edits of the contract: made of the kind
// and, where the finding is about the status, of that status and the part of the request that was
// changed.
std::string fingerprint(const Finding& finding);

}  // namespace contract_tests::checks
