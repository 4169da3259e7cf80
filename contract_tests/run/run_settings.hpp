#pragma once

// The settings of a run: what it tests and what it may do. Fixed before the first byte is sent,
// shared by every worker.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/checks/leaks.hpp"
#include "contract_tests/client/client.hpp"
#include "contract_tests/client/secret_texts.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/pace.hpp"
#include "spec/contract/contract.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace contract_tests::run {

// The mock must satisfy assumptions too; a real service need not.
enum class Target : std::uint8_t { kMock, kService };

struct Consent {
  bool writes = false;                   // changes that are undone
  std::set<std::string> writes_to = {};  // ids of operations whose changes may last
  bool sandbox = false;                  // changes of any operation may last
  bool lasting = false;  // the server is the mock: changes do no harm and are not undone
  bool probes = false;   // methods outside the contract, for unknown identifiers
  bool burst = false;

  // True if changes by this operation may last.
  bool may_last(const std::string& operation) const {
    return lasting || sandbox || writes_to.contains(operation);
  }
};

// The way in which a case of a writing operation is carried out.
enum class WriteStrategy : std::uint8_t {
  kAsIs,       // it changes nothing, or undoes its changes itself, or the server is the mock
  kRestores,   // the record in its path is read before and written back after
  kRemoves,    // what it creates is removed after
  kOwnRecord,  // its path names a record that the run creates before and removes after
  kUnnamed,    // it would be undone, but the record in its path is not named
  kLasts       // what it changes stays
};

// Retries after responses that say nothing about the service (429, a gateway's error).
struct RetryLimits {
  int tries = 3;
  std::chrono::milliseconds first_wait{500};  // doubled each time, where no Retry-After is given
  // A Retry-After beyond it is not waited for: the case is inconclusive.
  std::chrono::milliseconds max_wait{60'000};
};

// The states of findings in the baseline of a run, by fingerprint; those that it lacks are new.
using BaselineStates = std::map<std::string, checks::FindingState, std::less<>>;

struct Settings {
  const spec::contract::Contract& contract;
  const plan::Rules& rules;
  const plan::RuleBook& book;
  const client::Trust& trust;
  client::BaseUrl url;
  plan::Names names;              // subjects and tokens
  std::set<std::string> made_up;  // those of `names` that the plan made up
  // By operation id: what its requests must have beside the path.
  std::map<std::string, plan::RequestPlan, std::less<>> required = {};
  std::set<std::string> found = {};    // those of records that lists show
  std::set<std::string> created = {};  // those of records that the run has created
  Target target = Target::kService;
  bool takes_any_token = false;  // by the health of the mock
  bool document_only = false;    // assumptions are not tested
  Consent consent;
  RetryLimits retries;
  client::ClientLimits limits;
  plan::Severities severities;
  checks::LeakMarks leaks;
  PaceLimits pace;
  Pace::Clock::time_point started = Pace::Clock::now();  // what pace.time counts from
  // After how long some requests are repeated: their responses must not have changed.
  std::chrono::milliseconds later{1'100};
  unsigned repeat = 1;      // how often each case is carried out
  client::Secrets secrets;  // never to be shown: tokens
  std::optional<BaselineStates> baseline = std::nullopt;
  checks::Severity fail_on = checks::Severity::kError;  // findings of at least this fail their case
  // Called by the workers after each first carrying-out of a case, for those who need the responses
  // themselves.
  std::function<void(const CaseRun&)> after_case = nullptr;
  bool watches = false;         // looks at the run as a whole
  bool sends = true;            // false: the responses were recorded, no further one can be got
  std::size_t walk_pages = 40;  // at most, when a list is read page by page
};

WriteStrategy write_strategy_of(const Settings& settings, const Case& item);

// Why `item` is not carried out under these settings, with what to do about it; empty when it can
// run. First what the run may not do, then a gap in its set-up.
Reason why_not(const Settings& settings, const Case& item);

}  // namespace contract_tests::run
