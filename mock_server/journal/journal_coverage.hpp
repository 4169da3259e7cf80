#pragma once

// Coverage of the contract since the start, by all sessions. Counted from the journal
// when somebody asks, a few milliseconds at a time, and before entries are deleted: requests pay
// nothing for it. What the journal drops before it is counted is lost, and said to be.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/contract/checking/contract_coverage.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <mutex>
#include <vector>

namespace mock_server::journal {

// Safe from any thread.
class CoverageCount {
 public:
  // Counts what came into the journal since the last call, until a short time is over. Gives the
  // place in the journal to go on from.
  std::uint64_t catch_up(const api::LoadedApi& api, const state::Journal& journal);
  // Counts the points of the contract, as long; true when it is done.
  bool measure(const api::LoadedApi& api);
  // The points are those of another contract from now on.
  void forget_measure();
  // Quick when measure() was true.
  nlohmann::json describe(const api::LoadedApi& api) const;

 private:
  void note(const spec::contract::Contract& contract, const state::Entry& entry);

  spec::contract::Coverage coverage_;
  mutable std::mutex mutex_;  // of all below
  state::JournalMark mark_;   // what is counted
  std::uint64_t requests_ = 0;
  std::uint64_t lost_ = 0;
  std::vector<std::size_t> points_;  // of the first operations, as far as they are known
};

// {"seen", "points", "percent", "operations": [{"id", "seen", "points", "missing"}]}.
nlohmann::json describe(const spec::contract::CoverageReport& report);

}  // namespace mock_server::journal
