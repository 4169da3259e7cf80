#pragma once

// The mock's counters in Prometheus's text form, version 0.0.4. A pure function of what was
// counted; `health` is what the health report has of other folders (transport's counters, log).

#include "mock_server/state/journal.hpp"
#include "mock_server/state/metrics.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace mock_server::control::journal {

struct Gauges {
  std::string_view version;
  std::size_t journal_limit_bytes = 0;
  std::size_t journal_used_bytes = 0;
  std::uint64_t journal_noted = 0;
  std::size_t sessions = 0;
};

std::string metrics_text(const state::Metrics::Snapshot& counted, const Gauges& gauges,
                         const nlohmann::json& health);

}  // namespace mock_server::control::journal
