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

// What a single response may say about the whole run: the token is rejected, the service is away,
// this is another server. A sign is no proof: watcher.hpp looks again. Pure functions.

enum class Sign : std::uint8_t {
  kNoResponse,     // no connection, or closed without a response, or nothing in time
  kRejectedToken,  // 401
  kUnavailable,    // 502, 503, 504
  kRedirected,     // to another host, or to one page of this one
  kNotFound,       // 404
  kPage            // an HTML page that the contract does not have
};

struct Signal {
  Sign sign = Sign::kNoResponse;
  // In words; of a redirect where it leads, of a missing response why it is missing.
  std::string what;

  friend bool operator==(const Signal&, const Signal&) = default;
};

// Of the response to a request of `operation` with its usual credentials; nothing where it is an
// ordinary one.
std::optional<Signal> signal_of(const spec::contract::Operation& operation,
                                const client::Exchange& exchange);

// Whether a response to plain HTTP may be that of a port for TLS: none, none that is HTTP, or one
// that says so.
bool may_be_tls(const client::Exchange& exchange);

class Watcher {
 public:
  // All must outlive the watcher.
  Watcher(const Settings& settings, const Plan& plan, Pace& pace, const Causes& causes)
      : settings_(settings), plan_(plan), pace_(pace), causes_(causes) {}

  // The cases of the run: a second look sends plain requests of their operations alone.
  void start(const std::vector<std::size_t>& selected);

  // What the exchanges of a case that is done say about the run; `found` where it has findings but
  // for notes. May send requests. Why the case says nothing about the service; "" where it does.
  std::string look(const Case& item, const std::deque<Sent>& sent, bool found);

  // Why `item` must not begin; "" when it may.
  std::string closed(const Case& item) const;

  // One sentence for each thing that happened.
  std::vector<std::string> headlines() const;

  // Whether no case could ever have said anything: the base URL is wrong.
  bool is_unusable() const;

 private:
  // A request that may be sent again at any time.
  struct Probe {
    const spec::contract::Operation* operation = nullptr;
    plan::RequestPlan request;
  };

  struct Mishap {
    Sign sign = Sign::kNoResponse;
    std::string headline;
    bool unusable = false;
  };

  // These with the mutex held.
  void learn(const Case& item, const std::deque<Sent>& sent);
  std::string look_at_writes(const Case& item, const std::deque<Sent>& sent, bool found);
  bool may_look(const Case& item, Sign sign);
  void look_again(const Case& item, const Sent& last, Signal signal);
  void look_for_base(const Case& item, const Sent& last, Signal signal,
                     const std::vector<Probe>& probes);
  static bool has_another(const std::vector<Probe>& probes, const Case& item);
  // Whether every probe shows the sign; then `signal` has the words of the last one.
  bool is_shown_again(Signal& signal, const std::vector<Probe>& probes);
  std::optional<client::Exchange> send(const Probe& probe, const std::string& prefix);
  std::vector<Probe> probes_for(const Case& item, Sign sign) const;
  // The path of one of the contract's servers where the probe finds something.
  std::optional<std::string> fitting_prefix(const Probe& probe);
  bool speaks_tls() const;
  std::string headline_of(const Case& item, const Signal& signal) const;

  const Settings& settings_;
  const Plan& plan_;
  Pace& pace_;
  const Causes& causes_;
  mutable std::mutex mutex_;  // held during a second look: the others wait for what it shows
  std::vector<Probe> plain_;  // of operations that only read
  std::map<std::string, Probe> known_;                         // by operation: read with success
  std::map<std::pair<std::string, Sign>, std::size_t> looks_;  // by operation
  std::size_t streak_ = 0;                                     // of cases with a sign
  std::size_t denied_ = 0;                                     // 403 for requests that may write
  bool wrote_ = false;
  bool tried_tls_ = false;
  std::optional<Mishap> mishap_;
  std::string read_only_;  // the sentence where the token may only read
};

}  // namespace contract_tests::run
