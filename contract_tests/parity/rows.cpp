#include "contract_tests/parity/rows.hpp"

#include "contract_tests/parity/fixture_changes.hpp"
#include "contract_tests/parity/side.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

namespace contract_tests::parity {

namespace {

using checks::Finding;
using checks::KeyScope;
using nlohmann::json;
using run::Outcome;
using spec::contract::StatementClass;

constexpr int kUnauthorized = 401;

std::string source_text(const checks::Source& source) {
  std::string text(spec::contract::to_text(source.statement_class));
  for (const auto& part : {source.clause, source.place, source.pointer}) {
    text += part.empty() ? "" : ", " + part;
  }
  return text;
}

bool counts(const Finding& finding) {
  return finding.severity != checks::Severity::kNote;
}

// The violation of the same statement at the same place; null if there is none.
const Finding* same_in(const Outcome& outcome, const Finding& finding) {
  const auto key = key_of(finding, KeyScope::kViolation);
  const auto found = std::ranges::find_if(outcome.findings, [&key](const Finding& other) {
    return counts(other) && key_of(other, KeyScope::kViolation) == key;
  });
  return found == outcome.findings.end() ? nullptr : &*found;
}

// The response of one side, if it is not wrong.
std::string side_text(const Outcome& outcome) {
  if (outcome.verdict == run::Verdict::kSkipped || outcome.verdict == run::Verdict::kInconclusive) {
    return std::string(run::to_text(outcome.verdict)) + ": " + outcome.reason.words;
  }
  return outcome.steps.empty() ? "satisfies it" : "satisfies it: " + outcome.steps.front().response;
}

std::string violation_text(const Finding& finding) {
  return (finding.message.is.empty() ? "does not" : finding.message.is) +
         (finding.response.empty() ? "" : " (" + finding.response + ')');
}

bool has_verdict(const Outcome& outcome) {
  return outcome.verdict != run::Verdict::kInconclusive &&
         outcome.verdict != run::Verdict::kSkipped;
}

bool has_status(const Outcome& outcome, const std::function<bool(int)>& is_it) {
  return std::ranges::any_of(outcome.steps,
                             [&is_it](const run::Step& step) { return is_it(step.status); });
}

// True if the case shows what the operation does: it succeeded, or is about a record, and more than
// its credentials was validated.
bool reaches(const run::Case& item, const Outcome& service) {
  return has_status(service, [](int status) { return status / 100 == 2; }) ||
         (!item.needs.subjects.empty() &&
          has_status(service, [](int status) { return status != 0 && status != kUnauthorized; }));
}

std::string first_curl(const Outcome& outcome) {
  return outcome.steps.empty() ? "" : outcome.steps.front().curl;
}

std::string expected_text(const run::Expectation& expect) {
  switch (expect.want) {
    case run::Want::kAccepted: return "must be a success (2xx)";
    case run::Want::kRejected: return "must be a rejection (4xx)";
    case run::Want::kUnauthorized: return "must be 401 Unauthorized, or another rejection";
    case run::Want::kStatus:
    case run::Want::kHandled:
    case run::Want::kAnything: break;
  }
  return "may be a success or a rejection";
}

class Comparer {
 public:
  Comparer(const run::Settings& settings, const SideResults& mock, const SideResults& service,
           FixSuggester& suggester)
      : settings_(settings), mock_(mock), service_(service), suggester_(suggester) {}

  ComparisonResult compare(const run::Plan& plan) {
    for (const auto& [index, outcome] : service_.outcomes) {
      const auto other = mock_.outcomes.find(index);
      if (other != mock_.outcomes.end()) {
        compare_case(plan.cases[index], other->second, outcome);
      }
    }
    for (const auto& [key, row] : unreached_) {
      if (!reached_.contains(row.operation)) {
        add(row, key);
      } else {
        result_.left_out[row.service] += row.cases;
      }
    }
    compare_members();
    std::ranges::stable_sort(result_.rows, {}, &Row::verdict);
    return std::move(result_);
  }

 private:
  // One row for each key, however many cases.
  void add(Row row, const std::string& key) {
    const auto whole = std::string(to_text(row.verdict)) + '\n' + key;
    const auto [found, is_new] = rows_.try_emplace(whole, result_.rows.size());
    if (is_new) {
      result_.rows.push_back(std::move(row));
    } else {
      result_.rows[found->second].cases += row.cases;
    }
  }

  void compare_case(const run::Case& item, const Outcome& mock, const Outcome& service) {
    if (service.reason.is_not_allowed()) {
      ++result_.left_out[service.reason.words];
      return;
    }
    const bool violated = add_violations(item, mock, service);
    if (!service.reason.caused_by.empty()) {
      ++result_.left_out["caused by another case, which is compared"];
    } else if (!has_verdict(service) || !has_verdict(mock)) {
      add_unknown(item, mock, service, violated);
    } else if (!violated && is_of_missing_token(item, mock, service)) {
      auto unknown = service;
      unknown.verdict = run::Verdict::kInconclusive;
      unknown.reason = "the service asks for a key (401); pass a token with --token";
      add_unknown(item, mock, unknown, violated);
    } else {
      ++result_.cases;
      if (reaches(item, service)) {
        reached_.insert(item.operation_name);
      }
      if (!violated) {
        add_difference(item, mock, service);
      }
    }
  }

  // The service rejects the request because the run has no token for it; the mock got its own.
  bool is_of_missing_token(const run::Case& item, const Outcome& mock,
                           const Outcome& service) const {
    const auto is_rejection = [](int status) { return status == kUnauthorized; };
    return service_.lacks_token && !item.is_unauthenticated && !item.about_credentials &&
           has_status(service, is_rejection) && !has_status(mock, is_rejection);
  }

  bool add_violations(const run::Case& item, const Outcome& mock, const Outcome& service) {
    bool any = false;
    for (const auto& finding : service.findings) {
      if (counts(finding)) {
        add_of_service(item, mock, finding);
        any = true;
      }
    }
    for (const auto& finding : mock.findings) {
      if (counts(finding) && same_in(service, finding) == nullptr) {
        add_of_mock(item, finding, service);
        any = true;
      }
    }
    return any;
  }

  static Row row_of(const run::Case& item, const Finding& finding) {
    return {.severity = finding.severity,
            .operation = item.operation_name,
            .rule = finding.rule,
            .place = checks::kind_place_of(finding),
            .contract = finding.message.must,
            .source = source_text(finding.source),
            .case_id = item.id,
            .curl = finding.curl};
  }

  void add_of_service(const run::Case& item, const Outcome& mock, const Finding& finding) {
    const auto* of_mock = same_in(mock, finding);
    auto row = row_of(item, finding);
    const bool assumed = finding.source.statement_class == StatementClass::kAssumption;
    row.verdict = assumed ? RowVerdict::kContractIsSilent : RowVerdict::kServiceViolates;
    row.contract = (assumed ? "assumed: " : "") + row.contract;
    row.mock = of_mock == nullptr ? side_text(mock) : violation_text(*of_mock);
    row.service = violation_text(finding);
    add(std::move(row), key_of(finding, KeyScope::kViolation));
  }

  void add_of_mock(const run::Case& item, const Finding& finding, const Outcome& service) {
    auto row = row_of(item, finding);
    row.verdict = RowVerdict::kMockDiffers;
    row.mock = violation_text(finding);
    row.service = side_text(service);
    const auto key = key_of(finding, KeyScope::kViolation);
    if (const auto* seen = service_.side.seen(item.id); seen != nullptr && is_first(row, key)) {
      const auto* of_mock = mock_.side.seen(item.id);
      row.fix = of_mock == nullptr ? std::nullopt : fix_of_record(item, *of_mock, *seen);
    }
    add(std::move(row), key);
  }

  bool is_first(const Row& row, const std::string& key) const {
    return !rows_.contains(std::string(to_text(row.verdict)) + '\n' + key);
  }

  // Neither side sent anything, or one side got no verdict.
  void add_unknown(const run::Case& item, const Outcome& mock, const Outcome& service,
                   bool violated) {
    if (violated) {
      return;
    }
    const bool nothing_sent = service.steps.empty() && mock.steps.empty();
    const bool of_service = !has_verdict(service);
    const auto& reason = (of_service ? service : mock).reason.words;
    if (nothing_sent || mock.reason.is_not_allowed()) {
      ++result_.left_out[reason];
      return;
    }
    Row row{.verdict = RowVerdict::kCannotTell,
            .operation = item.operation_name,
            .contract = item.sentence,
            .source = source_text(item.basis.source),
            .mock = side_text(mock),
            .service = side_text(service),
            .case_id = item.id,
            .curl = first_curl(of_service ? service : mock)};
    const auto key = item.operation + '\n' + reason;
    if (of_service && service.verdict == run::Verdict::kSkipped) {
      // A subject is missing: that matters where no other case reached the operation.
      const auto [found, is_new] = unreached_.try_emplace(key, std::move(row));
      found->second.cases += is_new ? 0 : 1;
    } else {
      add(std::move(row), key);
    }
  }

  static bool is_same_request(const ObservedResponse& mock, const ObservedResponse& service) {
    return mock.request == service.request && mock.request_body == service.request_body;
  }

  std::optional<SuggestedFix> fix_of_record(const run::Case& item, const ObservedResponse& mock,
                                            const ObservedResponse& service) {
    if (!is_same_request(mock, service)) {
      return std::nullopt;
    }
    if (run::is_gone(mock.status) && service.status / 100 == 2) {
      return suggester_.fix_missing(item.operation, service);
    }
    return run::is_gone(service.status) && mock.status / 100 == 2
               ? suggester_.fix_surplus(item.operation, mock)
               : std::nullopt;
  }

  // Both sides are valid, and may be unlike.
  void add_difference(const run::Case& item, const Outcome& mock, const Outcome& service) {
    const auto* of_mock = mock_.side.seen(item.id);
    const auto* of_service = service_.side.seen(item.id);
    if (of_mock == nullptr || of_service == nullptr) {
      return;
    }
    Row row{.operation = item.operation_name,
            .rule = item.basis.rule,
            .source = source_text(item.basis.source),
            .mock = mock.steps.empty() ? "" : mock.steps.front().response,
            .service = service.steps.empty() ? "" : service.steps.front().response,
            .case_id = item.id,
            .curl = first_curl(service)};
    if (of_mock->status != of_service->status) {
      add_status(item, *of_mock, *of_service, std::move(row));
    } else if (of_mock->media_type != of_service->media_type) {
      row.verdict = RowVerdict::kContractIsSilent;
      row.place = "header/Content-Type";
      row.contract = "allows both media types";
      add(std::move(row),
          item.operation + '\n' + of_mock->media_type + '\n' + of_service->media_type);
    } else if (of_mock->normal && of_service->normal && is_same_request(*of_mock, *of_service)) {
      add_values(item, *of_mock, *of_service, std::move(row));
    }
  }

  void add_status(const run::Case& item, const ObservedResponse& mock,
                  const ObservedResponse& service, Row row) {
    row.place = "status";
    const auto status = run::named(mock.status) + '\n' + run::named(service.status);
    const bool one_is_gone = run::is_gone(mock.status) != run::is_gone(service.status) &&
                             (mock.status / 100 == 2 || service.status / 100 == 2);
    if (one_is_gone && is_same_request(mock, service)) {
      if (is_made_up(item)) {
        return;
      }
      row.verdict = RowVerdict::kMockDiffers;
      row.contract = "which records there are is what the fixtures say";
      const auto key = item.operation + '\n' + status + '\n' + mock.request;
      row.fix = is_first(row, key) ? fix_of_record(item, mock, service) : std::nullopt;
      add(std::move(row), key);
      return;
    }
    row.verdict = RowVerdict::kContractIsSilent;
    row.rule.clear();
    row.contract = expected_text(item.expect) + "; both statuses satisfy that";
    row.fix = FixSuggester::fix_status(mock, service.status);
    const auto key = item.operation + '\n' + status + '\n' + row.contract;
    add(std::move(row), key);
  }

  // True, and counted, if the mock has no records for its responses.
  bool is_made_up(const run::Case& item) {
    if (suggester_.is_of_fixtures(item.operation)) {
      return false;
    }
    ++result_.left_out["the mock has no fixtures of these records and makes them up"];
    return true;
  }

  // The same record on both sides: the fixtures fix its values.
  void add_values(const run::Case& item, const ObservedResponse& mock,
                  const ObservedResponse& service, Row row) {
    run::VolatileFields volatile_fields(settings_.rules.of_operation(item.operation));
    json of_service = *service.normal;
    json of_mock = *mock.normal;
    volatile_fields.freeze(of_service);
    volatile_fields.freeze(of_mock);
    const auto unlike = differences(of_mock, of_service);
    if (unlike.empty() || is_made_up(item)) {
      return;
    }
    row.verdict = RowVerdict::kMockDiffers;
    row.contract = "any value of its schema; the fixtures have this record";
    row.rule.clear();
    row.place.clear();
    row.mock.clear();
    row.service.clear();
    for (const auto& difference : unlike) {
      spec::text::append_to_list(row.place, "body" + difference.pointer);
      spec::text::append_to_list(row.mock, shown_redacted(difference.mock));
      spec::text::append_to_list(row.service, shown_redacted(difference.service));
    }
    const auto key = mock.request + '\n' + row.place;
    row.fix = is_first(row, key) ? suggester_.fix_values(item.operation, mock, service, unlike)
                                 : std::nullopt;
    add(std::move(row), key);
  }

  std::string shown_redacted(const json& value) const {
    return settings_.secrets.redacted(shown_value(value));
  }

  // Members that only the service shows: undocumented ones, and optional ones. The mock must have
  // had the chance: a body of the same status.
  void compare_members() {
    for (const auto& [key, witness] : service_.side.undocumented()) {
      if (mock_.side.has_body(key.first, witness.status) &&
          !mock_.side.undocumented().contains(key)) {
        add_member(key, witness, "does not name it, and allows other members");
      }
    }
    for (const auto& [key, witness] : service_.side.documented()) {
      if (reached_.contains(key.first) && mock_.side.has_body(key.first, witness.status) &&
          mock_shows(key.first, key.second.substr(0, key.second.rfind('/'))) &&
          !mock_.side.documented().contains(key) &&
          !is_required(settings_.contract, key.first, witness.status, key.second)) {
        add_member(key, witness, "does not require it");
      }
    }
  }

  // True if the mock sent the object at this place; of elements ("/items/*") one with a member.
  bool mock_shows(const std::string& operation, const std::string& place) const {
    const auto& places = mock_.side.documented();
    if (!place.ends_with("/*")) {
      return place.empty() || places.contains({operation, place});
    }
    const auto member = places.lower_bound({operation, place + '/'});
    return member != places.end() && member->first.first == operation &&
           member->first.second.starts_with(place + '/');
  }

  void add_member(const std::pair<std::string, std::string>& key, const Witness& witness,
                  const std::string& says) {
    add({.verdict = RowVerdict::kContractIsSilent,
         .operation = key.first,
         .place = "body" + key.second,
         .contract = says,
         .mock = "never sends it",
         .service = "sends it: " + witness.response,
         .case_id = witness.case_id,
         .curl = witness.curl},
        key.first + '\n' + key.second + says);
  }

  const run::Settings& settings_;
  const SideResults& mock_;
  const SideResults& service_;
  FixSuggester& suggester_;
  ComparisonResult result_;
  std::map<std::string, std::size_t> rows_;  // key -> index
  std::map<std::string, Row> unreached_;     // cases without a subject
  std::set<std::string> reached_;            // names of operations
};

}  // namespace

std::string_view to_text(RowVerdict verdict) {
  static constexpr std::array<std::string_view, 4> kTexts{"service violates", "mock differs",
                                                          "contract is silent", "cannot tell"};
  return kTexts.at(static_cast<std::size_t>(verdict));
}

ComparisonResult compare_sides(const run::Settings& settings, const run::Plan& plan,
                               const SideResults& mock, const SideResults& service,
                               FixSuggester& suggester) {
  return Comparer(settings, mock, service, suggester).compare(plan);
}

std::string why_untested(const spec::contract::Contract& contract, const run::Plan& plan,
                         const Outcomes& service, std::string_view remedy) {
  std::size_t rejected = 0;  // cases
  std::size_t sent = 0;
  std::size_t lacking = 0;  // without their subject
  for (const auto& [index, outcome] : service) {
    const auto& item = plan.cases[index];
    const auto* operation = contract.operation(item.operation);
    if (operation == nullptr || !operation->is_secured() || item.is_unauthenticated ||
        item.about_credentials || item.undeclared_method) {
      continue;
    }
    if (reaches(item, outcome)) {
      return "";
    }
    lacking += outcome.reason.kind == run::Reason::Kind::kSubject ? 1 : 0;
    sent += has_status(outcome, [](int status) { return status != 0; }) ? 1 : 0;
    rejected += has_status(outcome, [](int status) { return status == kUnauthorized; }) ? 1 : 0;
  }
  std::string why;
  if (rejected * 2 > sent) {
    why = std::to_string(rejected) + " of " + std::to_string(sent) +
          " cases that need a key were rejected (401), and none succeeded; " + std::string(remedy);
  }
  if (lacking > 0) {
    spec::text::append_to_list(
        why,
        "subjects are not set [cases: " + std::to_string(lacking) +
            "]; name records of the service with --subjects FILE (see --print-subjects)",
        "; and ");
  }
  return why;
}

int exit_of(const ComparisonResult& compared) {
  constexpr int kInconclusiveExit = 3;
  const auto& rows = compared.rows;
  const bool wrong = std::ranges::any_of(rows, [](const Row& row) {
    return row.verdict == RowVerdict::kMockDiffers ||
           (row.verdict == RowVerdict::kServiceViolates &&
            row.severity == checks::Severity::kError);
  });
  const bool unknown =
      std::ranges::find(rows, RowVerdict::kCannotTell, &Row::verdict) != rows.end();
  if (wrong) {
    return 1;
  }
  return unknown || compared.cases == 0 || !compared.untested.empty() ? kInconclusiveExit : 0;
}

}  // namespace contract_tests::parity
