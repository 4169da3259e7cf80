#pragma once

// Watches what happens to the run as a whole, so that it is one sentence and not a failure of every
// case: the token is rejected from some case on, everything is redirected or an HTML page, the
// service is gone or in maintenance, the token may only read, the base URL is wrong. Each is
// believed after a second look; then no further case begins. Shared by the workers.

#include "contract_tests/client/client.hpp"
#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/root_causes.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "spec/contract/contract.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::run {

// Symptoms in a single response of a problem of the whole run: the token is rejected, the service
// is away, this is another server. A symptom is no proof: Watcher looks again. Pure functions.

enum class Symptom : std::uint8_t {
  kNoResponse,     // no connection, or closed without a response, or nothing in time
  kRejectedToken,  // 401
  kUnavailable,    // 502, 503, 504
  kRedirected,     // to another host, or to one page of this one
  kNotFound,       // 404
  kPage            // an HTML page that the contract does not have
};

struct ObservedSymptom {
  Symptom symptom = Symptom::kNoResponse;
  // In words; of a redirect where it leads, of a missing response why it is missing.
  std::string what;

  friend bool operator==(const ObservedSymptom&, const ObservedSymptom&) = default;
};

// The symptom in the response to a request of `operation` with its usual credentials; empty for an
// ordinary response.
std::optional<ObservedSymptom> symptom_in(const spec::contract::Operation& operation,
                                          const client::Exchange& exchange);

// True if a response to plain HTTP may be that of a port for TLS: none, none that is HTTP, or one
// that names TLS.
bool may_be_tls(const client::Exchange& exchange);

class Watcher {
 public:
  // All must outlive the watcher.
  Watcher(const Settings& settings, const Plan& plan, Pace& pace, const RootCauses& causes)
      : settings_(settings), plan_(plan), pace_(pace), causes_(causes) {}

  // The cases of the run: a second look sends plain requests of their operations alone.
  void start(const std::vector<std::size_t>& selected);

  // Looks for problems of the run in the exchanges of a case that is done; `found` if it has
  // findings other than notes. May send requests. Returns why the case says nothing about the
  // service; "" if it does.
  std::string look(const Case& item, const std::deque<CaseResponse>& sent, bool found);

  // Why `item` must not begin; "" when it may.
  std::string closed(const Case& item) const;

  // One sentence for each thing that happened.
  std::vector<std::string> headlines() const;

  // True if no case could ever have decided anything: the base URL is wrong.
  bool is_unusable() const;

 private:
  // A request that may be sent again at any time.
  struct Probe {
    const spec::contract::Operation* operation = nullptr;
    plan::RequestPlan request;
  };

  struct RunProblem {
    Symptom symptom = Symptom::kNoResponse;
    std::string headline;
    bool unusable = false;
  };

  // These with the mutex held.
  void learn(const Case& item, const std::deque<CaseResponse>& sent);
  std::string look_at_writes(const Case& item, const std::deque<CaseResponse>& sent, bool found);
  bool may_look(const Case& item, Symptom symptom);
  void look_again(const Case& item, const CaseResponse& last, ObservedSymptom signal);
  void look_for_base(const Case& item, const CaseResponse& last, ObservedSymptom signal,
                     const std::vector<Probe>& probes);
  static bool has_another(const std::vector<Probe>& probes, const Case& item);
  // True if every probe shows the symptom; then `signal` has the words of the last one.
  bool is_shown_again(ObservedSymptom& signal, const std::vector<Probe>& probes);
  std::optional<client::Exchange> send(const Probe& probe, const std::string& prefix);
  std::vector<Probe> probes_for(const Case& item, Symptom symptom) const;
  // The path of one of the contract's servers where the probe finds something.
  std::optional<std::string> fitting_prefix(const Probe& probe);
  bool speaks_tls() const;
  std::string headline_of(const Case& item, const ObservedSymptom& signal) const;

  const Settings& settings_;
  const Plan& plan_;
  Pace& pace_;
  const RootCauses& causes_;
  mutable std::mutex mutex_;  // held during a second look: the others wait for what it shows
  std::vector<Probe> plain_;  // of operations that only read
  std::map<std::string, Probe> known_;                            // by operation: read with success
  std::map<std::pair<std::string, Symptom>, std::size_t> looks_;  // by operation
  std::size_t streak_ = 0;                                        // of cases with a symptom
  std::size_t denied_ = 0;                                        // 403 for requests that may write
  bool wrote_ = false;
  bool tried_tls_ = false;
  std::optional<RunProblem> problem_;
  std::string read_only_;  // the sentence where the token may only read
};

}  // namespace contract_tests::run
