#pragma once

// What a run is about and what it may do: fixed before the first byte is sent, shared by every
// worker.

#include "contract_tests/checks/leaks.hpp"
#include "contract_tests/client/client.hpp"
#include "contract_tests/plan/rules.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/secrets.hpp"
#include "contract_tests/run/severities.hpp"
#include "spec/contract/contract.hpp"

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

namespace contract_tests::run {

// The mock must keep assumptions too; a real service never promised them.
enum class Target : std::uint8_t { kMock, kService };

struct Consent {
  bool writes = false;   // what can be put back afterwards
  bool lasting = false;  // what cannot be put back too: the mock's records are nobody's
  bool probes = false;   // methods outside the contract
  bool burst = false;
};

// What is done about answers that say nothing (429, a gateway's error).
struct Patience {
  int tries = 3;
  std::chrono::milliseconds first_wait{500};  // doubled each time, where no Retry-After is given
  // A Retry-After beyond it is not waited for: the case is inconclusive.
  std::chrono::milliseconds longest_wait{60'000};
};

struct Settings {
  const spec::contract::Contract& contract;
  const plan::Rules& rules;
  const plan::RuleBook& book;
  const client::Trust& trust;
  client::BaseUrl url;
  plan::Names names;              // subjects and tokens
  std::set<std::string> made_up;  // those of `names` that nobody gave
  Target target = Target::kService;
  bool takes_any_token = false;  // the mock says so: no token is unknown to it
  bool document_only = false;    // assumptions are neither tried nor found broken
  Consent consent;
  Patience patience;
  client::ClientLimits limits;
  Severities severities;
  checks::LeakMarks leaks;
  PaceLimits pace;
  Pace::Clock::time_point started = Pace::Clock::now();  // what pace.time counts from
  // How long after `started` it is asked once more what must not have changed by then.
  std::chrono::milliseconds later{1'100};
  unsigned repeat = 1;          // how often each case is carried out
  Secrets secrets;              // never to be shown: tokens
  std::size_t walk_pages = 40;  // at most, when a list is read page by page
};

// Whether what `item` changes is read before and written back after by other operations
// (run/restore.hpp).
bool is_restored_by_contract(const Settings& settings, const Case& item);

// Why `item` cannot be run under these settings, in words that say what to do; "" when it can.
std::string why_not(const Settings& settings, const Case& item);

}  // namespace contract_tests::run
