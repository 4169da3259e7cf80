#pragma once

// Violations and findings. A check returns violations: a rule's id, a place, a message. The rule
// book adds clause, class and severity, the case run adds the request: then it is a finding.

#include "spec/contract/statement.hpp"
#include "spec/text/violation_message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::client {
struct Exchange;
}

namespace contract_tests::checks {

using spec::text::ViolationMessage;

enum class Severity : std::uint8_t { kNote, kWarning, kError };

std::string_view to_text(Severity severity);  // "note", "warning", "error"
std::optional<Severity> severity_from(std::string_view text);

// The state of an error in the baseline of the run: absent, present, or present until a day that is
// over.
enum class FindingState : std::uint8_t { kNew, kKnown, kExpired };

std::string_view to_text(FindingState state);  // "new", "known", "expired"

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
  std::string must;   // "must be at most 100"
  std::string is = {};                              // "is 101"; "" where `must` says it all
  std::string clause = {};                          // instead of the rule book's
  std::optional<Source> source = std::nullopt;      // instead of clause and class together
  std::optional<Severity> severity = std::nullopt;  // instead of what class and target give
  std::string kind_place = {};  // `place` with "*" for names that are data; "" without a place
  std::string property = {};    // the name of one that is missing there; "" otherwise

  ViolationMessage message() const { return {must, is, property}; }

  friend bool operator==(const RuleViolation&, const RuleViolation&) = default;
};

using RuleViolations = std::vector<RuleViolation>;

// The difference between a request and a plain one.
struct Change {
  std::string part;  // "query", "path", "header", "cookie", "body"; "" if it is no single part
  std::string name;  // of a parameter, or the pointer of a member without its first "/"
  std::optional<std::string> value = std::nullopt;  // that the part has instead
  std::string words;     // what was done to it, or all where it has no part
  bool reduced = false;  // the request was made smaller

  Change() = default;

  Change(const char* all) : words(all) {}

  Change(std::string all) : words(std::move(all)) {}

  Change(std::string of_part, std::string of_name, std::optional<std::string> has = std::nullopt,
         std::string more = {})
      : part(std::move(of_part)),
        name(std::move(of_name)),
        value(std::move(has)),
        words(std::move(more)) {}

  bool empty() const { return part.empty() && words.empty(); }

  std::string place() const;  // "query/page_size", as places of violations are; "" without a part
  std::string text() const;   // "query page_size=101"; "" if it is empty
};

nlohmann::json to_json(const Change& change);
// Reads what to_json() gives, or words alone.
Change change_from(const nlohmann::json& value);

// A violation in its case, as reports print it.
struct Finding {
  std::string rule;
  std::string place;
  ViolationMessage message;
  Source source;
  Severity severity = Severity::kError;
  std::optional<FindingState> state = std::nullopt;  // of errors, where the run has a baseline
  std::string operation;                             // "PATCH /brands/{id}"
  std::vector<std::string> operations;               // others of which the same was found
  std::vector<std::string> fingerprints;             // of the findings of these
  std::string case_id;                               // "PATCH_brands_id.a_name_is_stored"
  Change changed;
  int status = 0;           // of the response; 0: there was none
  std::string curl;         // a line for a shell that shows it again, the token as $TOKEN
  std::string response;     // "200 application/json, 412 bytes"
  std::string excerpt;      // the smallest part of the response that shows it
  std::string fingerprint;  // 16 hex digits; the same as long as the violation is the same
  // Request and response for reports, without secrets, long bodies cut; null if there is none.
  std::shared_ptr<const client::Exchange> shown = nullptr;
  std::string kind_place = {};  // of the violation
};

// 16 hex digits, the same on every platform and in every release.
std::string stable_hash(std::string_view text);

// "body/items/3/id" -> "body/items/*/id".
std::string without_indices(std::string_view place);

// The place of a finding without what is data: indices of elements, and names of the members of a
// map.
std::string kind_place_of(const Finding& finding);

// The parts in which two findings must agree.
enum class KeyScope : std::uint8_t {
  kViolation,  // operation, rule, statement, place, and the property that is missing there, if one
               // is
  kFinding,    // also, of those about the status, that and the part of the request that was changed
  kCause,      // the same with other values in it, in any operation; and severity and state
  kRepeated    // rule, place and state: what is known of one operation is new of another
};

// The same text for findings that are the same. It survives reordering of elements and cases and
// unrelated edits of the contract.
std::string key_of(const Finding& finding, KeyScope same);
// The same key for violations of one response that are one finding.
std::string key_of(const RuleViolation& violation);

// By which a finding is known in other runs: a hash of its key.
std::string fingerprint(const Finding& finding);

}  // namespace contract_tests::checks
