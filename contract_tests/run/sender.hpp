#pragma once

// The one way out for the suite's requests: builds a request from its plan, waits for its turn and
// sends it within the bounds of the run. What a response means is its caller's question. Belongs to
// one thread; it keeps a connection open between requests.

#include "contract_tests/client/client.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "spec/contract/contract.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace contract_tests::run {

class Sender {
 public:
  // Both must outlive the sender. `limits` where they are not those of the settings.
  Sender(const Settings& settings, Pace& pace) : Sender(settings, pace, settings.limits) {}

  Sender(const Settings& settings, Pace& pace, const client::ClientLimits& limits);

  // Sends a plain request at its turn; empty if it lacks a value, or none may be sent.
  // `prefix`: instead of the path of the base URL.
  std::optional<client::Exchange> send(const spec::contract::Operation& operation,
                                       const plan::RequestPlan& request,
                                       std::optional<std::string_view> prefix = std::nullopt);

  // Sends a request whose turn it is: its caller has asked the pace.
  client::Exchange send_now(spec::http::Request request, client::SendOptions options = {});

  // Sends a request that was reserved to undo a change: also some seconds after the end of the run,
  // and again where the response says nothing about the service.
  client::Exchange send_reserved(const spec::contract::Operation& operation,
                                 const plan::RequestPlan& request);

 private:
  const Settings& settings_;
  Pace& pace_;
  client::Client client_;
};

// Sends requests whose turn it is, each on a connection of its own: all at once, as soon as the
// last connection is open.
std::vector<client::Exchange> send_at_once(const Settings& settings, Pace& pace,
                                           std::vector<spec::http::Request> requests);

}  // namespace contract_tests::run
